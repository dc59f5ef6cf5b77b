internal import Console

/// Slack: an incoming webhook, in blocks (https://docs.slack.dev/reference/block-kit/blocks). Names stand in plain text only, which
/// knows no marks; `&`, `<` and `>` are written as entities everywhere, so that `<!channel>` calls nobody
/// (https://docs.slack.dev/messaging/formatting-message-text).
extension ExportTarget {
  public static let slack = chat("slack", "Slack", secretVariable: "SLACK_WEBHOOK_URL", maxBody: 40_000) { message in
    let facts = message.figures.prefix(10).map { plain("\($0.name): \($0.text)", atMost: 2000) }
    let reasons = message.reasons.prefix(12).map { section(plain($0, atMost: 3000)) }
    let link = message.link.map {
      section(["type": "mrkdwn", "text": .string("<\(entities($0, atMost: 2900))|\(message.linkName)>")])
    }
    return [
      // What a notification shows.
      "text": .string(entities("\(message.title). \(message.reasons.first ?? "")", atMost: 3000)),
      "unfurl_links": false, "unfurl_media": false,
      "blocks": .array(
        [["type": "header", "text": plain(message.title, atMost: 150)]] + reasons
          + (facts.isEmpty ? [] : [["type": "section", "fields": .array(facts)]]) + [link].compactMap(\.self)),
    ]
  }

  private static func section(_ text: JSON) -> JSON { ["type": "section", "text": text] }

  private static func plain(_ text: String, atMost limit: Int) -> JSON {
    ["type": "plain_text", "text": .string(entities(text, atMost: limit)), "emoji": false]
  }

  private static func entities(_ text: String, atMost limit: Int) -> String {
    escaped(text, atMost: limit) { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      default: nil
      }
    }
  }
}
