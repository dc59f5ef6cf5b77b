internal import Console
public import Lifecycle
public import Store

/// That nodes of a warehouse do not have a publication alike, as where a rollout was halted at one of them.
public struct NodesDiffer: Equatable, Sendable {
  public let words: String

  /// A publication that nobody touched for so long decides no rollout.
  private static let lookedAt = Milliseconds.days(28)

  /// - Parameter app: nil for all.
  public init?(_ vocabulary: Vocabulary, app: String?, now: Timestamp) {
    let differences = vocabulary.differences.filter { difference in
      (app == nil || app == difference.place.app)
        && (difference.changedAt.map { $0 >= now - Self.lookedAt } ?? true)
    }
    if differences.isEmpty { return nil }
    words =
      "nodes of the warehouse have different publications of \(firstFew(differences.map(Self.words), atMost: 3)):"
      + " what was changed last counts; register it at the others, too"
  }

  private static func words(_ difference: PublicationDifference) -> String {
    let place = difference.place
    let platform = place.platform.map { " for \(named($0))" } ?? ""
    let last = difference.changedAt.map { ", changed at \($0.words)" } ?? ""
    return "\(named(place.release.rawValue)) on \(named(place.channel))\(platform) (that of node"
      + " \(name(difference.node))\(last), not of \(firstFew(difference.others.map(name), atMost: 3)))"
  }

  private static func name(_ node: UInt64) -> String { ShippingNode(number: node, hours: []).name }
}

extension Warning {
  /// Nodes of a warehouse do not have a publication alike.
  public static let publicationsDiffer = "publications_differ"
}
