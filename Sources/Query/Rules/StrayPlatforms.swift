public import Lifecycle
public import Store

/// Platforms that releases were lately published for and no device names, or that devices spell in two ways: `iOS` and `ios` are two.
public struct StrayPlatforms: Equatable, Sendable {
  /// That releases were published for, and no device names.
  public let silent: [String]
  /// Of those that devices name, the ones that are spelt in several ways.
  public let alike: [String]
  public let heard: [String]

  private static let lately = Milliseconds.days(28)

  public init?(_ vocabulary: Vocabulary, app: String, now: Timestamp) {
    let publications = vocabulary.releases.filter { $0.app == app }.flatMap(\.publications)
    let published = Set(
      publications.filter { $0.publishedAt <= now && now - $0.publishedAt < Self.lately }.compactMap(\.platform))
    let known = vocabulary.platforms(of: app).filter { !$0.isEmpty }
    if known.isEmpty || published.isEmpty { return nil }
    silent = published.subtracting(known).sorted()
    let ways = Dictionary(grouping: known) { $0.lowercased() }.values.filter { $0.count > 1 }
    alike = ways.filter { !published.isDisjoint(with: $0) }.flatMap(\.self).sorted()
    heard = known.sorted()
    if silent.isEmpty && alike.isEmpty { return nil }
  }

  public var words: String {
    let unheard =
      silent.isEmpty
      ? nil : "releases were published for \(list(silent)), which no device names; devices are on \(list(heard))"
    let twice =
      alike.isEmpty
      ? nil : "devices name \(list(alike)), which count as different platforms: a release for one is not for the other"
    return [unheard, twice].compactMap(\.self).joined(separator: "; ")
  }

  private func list(_ names: [String]) -> String { names.map(named).joined(separator: ", ") }
}
