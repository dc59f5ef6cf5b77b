internal import Console
public import Lifecycle
public import Store

/// Releases that were registered and that no device names, where devices name one that differs only in how it is spelt and that
/// nobody registered.
public struct StrayReleases: Equatable, Sendable {
  public struct Pair: Equatable, Sendable {
    public let registered: String
    /// By devices.
    public let heard: String
    /// When its publication was taken back; nil where nobody registered it.
    public let withdrawnAt: Timestamp?
  }
  public let pairs: [Pair]

  public init?(_ vocabulary: Vocabulary, app: String, now: Timestamp) {
    self.init(
      Self.pairs(vocabulary.releases.filter { $0.app == app }, now: now).map {
        Pair(
          registered: $0.registered.label.rawValue, heard: $0.heard.label.rawValue,
          withdrawnAt: $0.heard.lastWithdrawal(until: now)?.at)
      })
  }

  /// nil where there are none.
  private init?(_ pairs: [Pair]) {
    self.pairs = pairs.sorted { ($0.registered, $0.heard) < ($1.registered, $1.heard) }
    if pairs.isEmpty { return nil }
  }

  /// Those with any of these releases; nil where there are none.
  func about(_ releases: Set<String>) -> StrayReleases? {
    StrayReleases(pairs.filter { releases.contains($0.registered) || releases.contains($0.heard) })
  }

  /// - Parameter releases: of one app.
  static func pairs(
    _ releases: [ReleaseRecord], now: Timestamp
  ) -> [(registered: ReleaseRecord, heard: ReleaseRecord)] {
    let silent = releases.filter { record in
      record.sightings.isEmpty && record.publications.contains { $0.publishedAt <= now }
    }
    if silent.isEmpty { return [] }
    let stray = Dictionary(grouping: releases.filter { $0.publications.isEmpty && !$0.sightings.isEmpty }) {
      core($0.label.rawValue)
    }
    return silent.flatMap { record in
      (stray[core(record.label.rawValue)] ?? []).map { (registered: record, heard: $0) }
    }
  }

  /// Without capitals, a `v` in front, and what a build adds behind `+` or in brackets.
  private static func core(_ label: String) -> String {
    let plain = label.lowercased().prefix { $0 != "+" && $0 != "(" && $0 != " " }
    return String(plain.hasPrefix("v") ? plain.dropFirst() : plain)
  }

  public var words: String {
    pairs.prefix(3).map { pair in
      "\(named(pair.registered)) is registered, and no device names it; devices name \(named(pair.heard)), "
        + (pair.withdrawnAt.map { "whose publication was withdrawn at \($0.words)" } ?? "which nobody registered")
    }.joined(separator: "; ") + (pairs.count > 3 ? "; and \(pairs.count - 3) more" : "")
      + ": register releases as clients spell them"
  }
}
