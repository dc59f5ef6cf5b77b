public import Console
public import Lifecycle

/// Publications as a table and as the JSON that `PUT /v1/releases/{release}` takes.
public func publicationsPresentation(_ publications: [Publication], notes: [String] = []) -> Presentation {
  Presentation(table: table(publications), document: document(publications), notes: notes)
}

/// Of many publications those that a list shows.
///
/// - Parameter newest: how many; 0 for all. Where nobody said, a terminal shows the newest, and everything else has all.
public func publicationsPresentation(_ publications: [Publication], newest: Int?) -> Presentation {
  let recency = publications.map { Recency(channel: $0.channel, at: $0.publishedAt) }
  guard let newest else { return publicationsPresentation(publications).shortened { recency.brief() } }
  return publicationsPresentation(newest > 0 ? recency.newest(newest).map { publications[$0] } : publications)
}

private func document(_ publications: [Publication]) -> JSON {
  ["schema": "uptake.release-list/1", "data": .array(publications.map(\.json))]
}

private func table(_ publications: [Publication]) -> Table {
  Table(
    [
      .init("APP", key: "app"), .init("RELEASE", key: "release"), .init("CHANNEL", key: "channel"),
      .init("PLATFORM", key: "platform", isOptional: true), .init("PUBLISHED", key: "publishedAt"),
      .init("ROLLOUT", key: "rollout", least: 12).wrapping, .init("MANDATORY", key: "mandatory", isOptional: true),
    ],
    rows: publications.map { publication in
      [
        .text(publication.app), .text(publication.release.rawValue), .text(publication.channel),
        publication.platform.map(Cell.text) ?? .term("", words: "all"),
        .instant(Instant(rawValue: publication.publishedAt.rawValue)), publication.rolloutCell,
        .flag(publication.mandatory),
      ]
    })
}

extension Publication {
  public var json: JSON {
    [
      "app": .string(app), "release": .string(release.rawValue), "channel": .string(channel),
      "platform": platform.map(JSON.string) ?? .null, "publishedAt": .string(publishedAt.rfc3339),
      "rollout": .array(rollout.map { ["at": .string($0.at.rfc3339), "percent": .number($0.percent)] }),
      "mandatory": .bool(mandatory),
    ]
  }

  /// `10%@0h, 50%@24h`, or that everybody got it at once.
  public var rolloutWords: String { rollout.isEmpty ? "everybody at once" : steps.joined(separator: ", ") }

  /// There are no steps where it came to everybody at once.
  fileprivate var rolloutCell: Cell { .term(steps.joined(separator: ", "), words: rolloutWords) }

  private var steps: [String] {
    rollout.map { step in
      let hours = Double((step.at - publishedAt).rawValue) / 3_600_000
      return "\(words(step.percent))%@\(words(hours))h"
    }
  }

  /// What rounds to a whole number is said as one: never `-0.0`.
  private func words(_ number: Double) -> String {
    let rounded = (number * 100).rounded() / 100
    return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
  }
}
