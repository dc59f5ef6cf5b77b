public import Lifecycle
public import Store

/// Channels that releases were registered on and no device was ever heard of on, while devices are on channels that none was
/// registered on: mostly the same channel, spelt in two ways.
public struct StrayChannels: Equatable, Sendable {
  public let registered: [String]
  public let heard: [String]

  public init?(_ vocabulary: Vocabulary, app: String, now: Timestamp) {
    let publications = vocabulary.releases.filter { $0.app == app }.flatMap(\.publications)
    let published = Set(publications.filter { $0.publishedAt <= now }.map(\.channel))
    let known = vocabulary.channels(of: app)
    (registered, heard) = (published.subtracting(known).sorted(), known.subtracting(published).sorted())
    if registered.isEmpty || heard.isEmpty { return nil }
  }

  public var words: String {
    "no device was ever heard of on \(list(registered)), where releases are registered; devices are on \(list(heard)), where none is"
  }

  private func list(_ names: [String]) -> String { names.map(named).joined(separator: ", ") }
}
