public import Lifecycle
public import Store

/// Channels that devices are on and no release was registered on, where that is mostly the same channel spelt in two ways: no device was
/// ever heard of on one that releases are registered on, or one that is spelt much like it.
public struct StrayChannels: Equatable, Sendable {
  public let registered: [String]
  public let heard: [String]
  /// Whether devices are on the registered ones, too.
  public let areBothHeard: Bool

  public init?(_ vocabulary: Vocabulary, app: String, now: Timestamp) {
    let publications = vocabulary.releases.filter { $0.app == app }.flatMap(\.publications)
    let published = Set(publications.filter { $0.publishedAt <= now }.map(\.channel))
    let known = vocabulary.channels(of: app)
    let (silent, stray) = (published.subtracting(known).sorted(), known.subtracting(published).sorted())
    if silent.isEmpty {
      heard = stray.filter { one in published.contains { Self.areAlike(one, $0) } }
      registered = published.filter { one in stray.contains { Self.areAlike($0, one) } }.sorted()
    } else {
      (registered, heard) = (silent, stray)
    }
    areBothHeard = silent.isEmpty
    if heard.isEmpty { return nil }
  }

  /// One letter more, less or another, two that changed places, or capitals. `beta1` and `beta2`, or `us` and `eu`, are two on purpose.
  private static func areAlike(_ one: String, _ other: String) -> Bool {
    func letters(_ name: String) -> String { name.filter { !$0.isNumber } }
    guard letters(one) != letters(other) else { return false }
    let (one, other) = (Array(one.lowercased().unicodeScalars), Array(other.lowercased().unicodeScalars))
    return editDistance(one, other) <= min(1, one.count / 4) || one.sorted() == other.sorted()
  }

  public var words: String {
    areBothHeard
      ? "devices are on \(list(heard)), where no release is registered; \(list(registered)), where releases are, is spelt much like that"
      : "no device was ever heard of on \(list(registered)), where releases are registered; devices are on \(list(heard)), where none is"
  }

  private func list(_ names: [String]) -> String { names.map(named).joined(separator: ", ") }
}
