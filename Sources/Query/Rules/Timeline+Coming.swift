internal import Console
public import Lifecycle
internal import Store

extension Timeline {
  /// What lies ahead on some channels and platforms, the next first; of all where none is named. nil where nothing does.
  public func coming(to channels: [String], platforms: [String] = [], after now: Timestamp) -> String? {
    let ahead = releases.flatMap(\.publications).filter { publication in
      publication.publishedAt > now && (channels.isEmpty || channels.contains(publication.channel))
        && (platforms.isEmpty || publication.platform.map(platforms.contains) ?? true)
    }
    let words = ahead.sorted { ($0.publishedAt, $0.channel) < ($1.publishedAt, $1.channel) }.map(\.comingWords)
    if words.isEmpty { return nil }
    let more = words.count > 3 ? ", and \(words.count - 3) more" : ""
    return "no release is out yet: \(words.prefix(3).joined(separator: ", "))\(more)"
  }
}

extension Publication {
  fileprivate var comingWords: String {
    let place = named(channel) + (platform.map { " for \(named($0))" } ?? "")
    return "\(named(release.rawValue)) comes to \(place) at \(publishedAt.words)"
  }
}
