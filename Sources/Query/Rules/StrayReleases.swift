public import Lifecycle
public import Store

/// Releases that were registered and that no device names, where devices name one that differs only in how it is spelt and that
/// nobody registered.
public struct StrayReleases: Equatable, Sendable {
  public struct Pair: Equatable, Sendable {
    public let registered: String
    /// By devices.
    public let heard: String
  }
  public let pairs: [Pair]

  public init?(_ vocabulary: Vocabulary, app: String, now: Timestamp) {
    let releases = vocabulary.releases.filter { $0.app == app }
    let silent = releases.filter { record in
      record.sightings.isEmpty && record.publications.contains { $0.publishedAt <= now }
    }
    let stray = releases.filter { $0.publications.isEmpty && !$0.sightings.isEmpty }.map(\.label.rawValue)
    pairs = silent.flatMap { record in
      let label = record.label.rawValue
      return stray.filter { Self.core($0) == Self.core(label) }.map { Pair(registered: label, heard: $0) }
    }.sorted { ($0.registered, $0.heard) < ($1.registered, $1.heard) }
    if pairs.isEmpty { return nil }
  }

  /// Without capitals, a `v` in front, and what a build adds behind `+` or in brackets.
  private static func core(_ label: String) -> String {
    let plain = label.lowercased().prefix { $0 != "+" && $0 != "(" && $0 != " " }
    return String(plain.hasPrefix("v") ? plain.dropFirst() : plain)
  }

  public var words: String {
    pairs.prefix(3).map { pair in
      "\(named(pair.registered)) is registered, and no device names it; devices name \(named(pair.heard)), which nobody registered"
    }.joined(separator: "; ") + (pairs.count > 3 ? "; and \(pairs.count - 3) more" : "")
      + ": register releases as clients spell them"
  }
}
