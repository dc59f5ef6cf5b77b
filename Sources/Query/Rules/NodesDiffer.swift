public import Console
public import Lifecycle
public import Store

/// That nodes of a warehouse do not have a publication alike, as where a rollout was halted at one of them.
public struct NodesDiffer: Equatable, Sendable {
  public let sentence: String
  /// What ends the last difference that is told, at another node than the one that counts.
  public let command: ShellCommand
  /// Last comes the command, which a screen leaves whole.
  public var words: String { "\(sentence): \(command)" }

  /// A publication that nobody touched for so long decides no rollout.
  private static let lookedAt = Milliseconds.days(28)

  /// - Parameter app: nil for all.
  public init?(_ vocabulary: Vocabulary, app: String?, now: Timestamp) {
    let differences = vocabulary.differences.filter { difference in
      (app == nil || app == difference.place.app)
        && (difference.newestChange.map { $0 >= now - Self.lookedAt } ?? true)
    }
    let (first, more) = (differences.prefix(3), differences.dropFirst(3).count)
    guard let last = first.last else { return nil }
    let told = first.dropLast().map { "\(Self.words($0)): \(Self.command($0))" } + [Self.words(last)]
    sentence =
      "nodes of the warehouse have different publications\(more > 0 ? ", \(differences.count) in all," : "")"
      + " of \(told.joined(separator: "; and of "))"
    command = Self.command(last)
  }

  private static func words(_ difference: PublicationDifference) -> String {
    let place = difference.place
    let platform = place.platform.map { " for \(named($0))" } ?? ""
    return "\(named(place.release.rawValue)) on \(named(place.channel))\(platform): that of node"
      + " \(name(difference.node)) counts, \(why(difference)); to have it at node"
      + " \(firstFew(difference.others.map(name), atMost: 3)), too"
  }

  private static func command(_ difference: PublicationDifference) -> ShellCommand {
    difference.publication?.command ?? difference.place.command(to: "withdraw")
  }

  private static func why(_ difference: PublicationDifference) -> String {
    switch difference.rule {
    case .changedLast: "changed last\(difference.changedAt.map { ", at \($0.words)" } ?? "")"
    case .haltStands: "as its halt stands where what was registered later does not have it"
    case .undated: "as a halt or more steps do where not all of them tell when they changed it"
    }
  }

  private static func name(_ node: UInt64) -> String { ShippingNode(number: node, hours: []).name }
}

extension Warning {
  /// Nodes of a warehouse do not have a publication alike.
  public static let publicationsDiffer = "publications_differ"
}
