internal import Console
internal import Lifecycle

/// Discord: a webhook that takes an embed (https://docs.discord.com/developers/resources/message#embed-object): 256 characters of
/// title, 4096 of description, 6000 together. Nothing mentions anybody (`allowed_mentions`); marks of its Markdown are escaped.
extension ExportTarget {
  public static let discord = chat("discord", "Discord", secretVariable: "DISCORD_WEBHOOK_URL", maxBody: 40_000) {
    message in
    let fields = message.figures.prefix(25).map { figure -> JSON in
      ["name": .string(figure.name), "value": .string(unmarked(figure.text, atMost: 280)), "inline": true]
    }
    let reasons = message.reasons.map { "• " + unmarked($0, atMost: 600) }
    var embed: [String: JSON] = [
      "title": .string(unmarked(message.title, atMost: 256)),
      "description": .string(lines(reasons, atMost: 3500)), "color": .integer(colour(message.level)),
      "timestamp": .string(message.at.rfc3339), "fields": .array(fields),
    ]
    embed["url"] = message.link.map(JSON.string)
    return ["embeds": [.object(embed)], "allowed_mentions": ["parse": []]]
  }

  /// As many whole lines as fit: a cut one could end in half an escape.
  private static func lines(_ lines: [String], atMost limit: Int) -> String {
    var (kept, length) = ([String](), 0)
    for line in lines {
      length += line.utf16.count + 1
      guard length <= limit else { break }
      kept.append(line)
    }
    return kept.joined(separator: "\n")
  }

  private static func unmarked(_ text: String, atMost limit: Int) -> String {
    escaped(text, atMost: limit) { "\\*_~`|>#-[]()<:@&!".contains($0) ? "\\\($0)" : nil }
  }

  private static func colour(_ level: RolloutFact.Level) -> Int {
    switch level {
    case .error: 0xC6_2828
    case .warning: 0xF9_A825
    case .info: 0x45_5A64
    }
  }
}
