/// Which of many releases are shown: the newest, and of each channel its newest few, or a month of nightly builds would be all there is to see.
public enum NewestOfEach {
  /// So many of each channel come before all others.
  public static let few = 3

  /// The places of those that are shown.
  ///
  /// - Parameter channels: of each release, the newest first.
  public static func chosen(_ channels: [String], atMost most: Int) -> Set<Int> {
    var seen: [String: Int] = [:]
    let turns = channels.map { channel in
      seen[channel, default: 0] += 1
      return min(seen[channel] ?? 0, few + 1)
    }
    return Set(channels.indices.sorted { (turns[$0], $0) < (turns[$1], $1) }.prefix(most))
  }
}
