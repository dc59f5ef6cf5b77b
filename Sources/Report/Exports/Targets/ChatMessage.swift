internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

/// A change of a verdict or of a finding, or a halt, as people in a chat are told of it: what, why, figures, and where to read on. Plain text: how a chat
/// wants its marks escaped is each target's own business.
struct ChatMessage {
  var title: String
  /// What it rests on, weightiest first.
  var reasons: [String]
  var figures: [(name: String, text: String)]
  var level: RolloutFact.Level
  var at: Timestamp
  /// Where to read on; nil where nobody said where pages are.
  var link: String?
  var linkName: String

  /// nil where the fact is none of these.
  init?(_ fact: RolloutFact, _ destination: Destination) {
    guard Self.kinds.contains(fact.kind) else { return nil }
    title = line(harmless("\(Self.mark(fact.level)) \(fact.title(atMost: 138))"), atMost: 140)
    reasons = fact.text.split(separator: "\n").map { line(harmless(String($0)), atMost: 500) }
    figures = Self.figures(fact)
    (level, at) = (fact.level, fact.at)
    linkName = fact.finding == nil ? "The release's page" : "The overview"
    link = destination[.pagesURL].map { base in
      let page = fact.finding == nil ? Site.path(release: fact.release, channel: fact.channel) : "index.html"
      let path = page.split(separator: "/").map { percentEncoded(String($0)) }.joined(separator: "/")
      return "\(base.hasSuffix("/") ? String(base.dropLast()) : base)/\(path)"
    }
  }

  static let kinds: Set<RolloutFact.Kind> = [.verdict, .halted, .finding]

  private static func mark(_ level: RolloutFact.Level) -> String {
    switch level {
    case .error: "✗"
    case .warning: "●"
    case .info: "›"
    }
  }

  private static func figures(_ fact: RolloutFact) -> [(name: String, text: String)] {
    let all = fact.finding.map { figures(fact, of: $0) } ?? fact.figures.map { figures(fact, $0) } ?? []
    // Chats show when a message came, which may be hours after a receiver was out of order.
    return (all + [("As of", fact.at.words)]).compactMap { name, text in text.map { (name, line($0, atMost: 140)) } }
  }

  private static func figures(_ fact: RolloutFact, of finding: RolloutFact.Finding) -> [(String, String?)] {
    let place = finding.group.sorted { $0.key < $1.key }.map { harmless($0.value) }.joined(separator: ", ")
    return [
      ("App", harmless(fact.app)), ("Finding", finding.name), ("Where", place.isEmpty ? nil : place),
      ("Devices", finding.state == .gone ? nil : grouped(finding.devices)),
    ]
  }

  private static func figures(_ fact: RolloutFact, _ figures: RolloutFigures) -> [(String, String?)] {
    let updated = figures.observedShare.map {
      "\(share($0)), \(grouped(figures.updated)) of \(grouped(figures.devices))"
    }
    let failed = figures.failureRate?.value.map { rate in
      "\(share(rate)), \(grouped(figures.failed)) of \(grouped(figures.attempts))"
        + (figures.failureLimit.map { ", limit \(share($0))" } ?? "")
    }
    return [
      ("App", harmless(fact.app)), ("Rollout", fact.percent.map(Rollout.words) ?? fact.rolloutByPlatform),
      ("Updated", updated),
      ("First attempts failed", failed), ("Mostly by", figures.leadingMechanism),
    ]
  }
}

/// The text with some characters written otherwise, cut so that what comes out has at most so many UTF-16 units.
func escaped(_ text: String, atMost limit: Int, _ written: (Character) -> String?) -> String {
  var (result, length) = ("", 0)
  for character in text {
    let piece = written(character) ?? String(character)
    guard length + piece.utf16.count <= limit - 1 else { return result + "…" }
    result += piece
    length += piece.utf16.count
  }
  return result
}

extension ExportTarget {
  /// A chat that takes messages at an address that is itself the secret.
  static func chat(
    _ name: String, _ title: String, secretVariable: String, maxBody: Int,
    _ body: @escaping @Sendable (ChatMessage) -> JSON
  ) -> ExportTarget {
    ExportTarget(
      name: name, title: title, kinds: ChatMessage.kinds, secretVariable: secretVariable, isWebhook: true,
      mayHave: [.pagesURL], manners: RetryPolicy(maxBody: maxBody)
    ) { fact, destination, _ in
      ChatMessage(fact, destination).map { Parcel("POST", destination.secret, json: body($0)) }
    }
  }
}
