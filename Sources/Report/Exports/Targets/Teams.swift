internal import Console

/// Microsoft Teams: a workflow that takes posts, which wants an Adaptive Card 1.4 in an envelope
/// (https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using, "Send Adaptive Cards
/// using an Incoming Webhook"). Names stand in text runs, which know no Markdown; nobody is mentioned, as that needs an entity.
extension ExportTarget {
  public static let teams = chat("teams", "Microsoft Teams", secretVariable: "TEAMS_WEBHOOK_URL", maxBody: 28_000) {
    message in
    let reasons = message.reasons.prefix(12).map { text($0, ["size": "Default"]) }
    let figures = message.figures.map { text("\($0.name): \($0.text)", ["isSubtle": true]) }
    let card: JSON = [
      "$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.4",
      "fallbackText": .string(message.title), "msteams": ["width": "Full"],
      "body": .array(
        [text(message.title, ["size": "Large", "weight": "Bolder", "color": .string(colour(message.level))])] + reasons
          + figures),
      "actions": .array(
        message.link.map { [["type": "Action.OpenUrl", "title": .string(message.linkName), "url": .string($0)]] } ?? []),
    ]
    return [
      "type": "message",
      "attachments": [
        ["contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": .null, "content": card]
      ],
    ]
  }

  private static func text(_ text: String, _ style: [String: JSON]) -> JSON {
    let run = JSON.object(style.merging(["type": "TextRun", "text": .string(text)]) { $1 })
    return ["type": "RichTextBlock", "inlines": [run]]
  }

  private static func colour(_ level: RolloutFact.Level) -> String {
    switch level {
    case .error: "Attention"
    case .warning: "Warning"
    case .info: "Default"
    }
  }
}
