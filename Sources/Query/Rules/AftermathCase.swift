import Lifecycle
import Store

/// What became of devices that took a release: whether they were heard of again, as who cannot start it, or cannot report any more, says
/// nothing of that; and whether they crash later than a day after the launch.
struct AftermathCase {
  private let vocabulary: Vocabulary
  private let chosen: ReleaseScope
  private let channel: String
  private let cutOff: Timestamp
  private let days: LateDays
  /// Whether anybody can have been silent for a day after taking it.
  private let asksSilence: Bool

  /// nil before the publication.
  init?(
    _ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ channel: String, _ start: Timeline.Start, _ cutOff: Timestamp
  ) {
    guard let days = LateDays(from: start.publishedAt, until: chosen.selection.now) else { return nil }
    // Who took it more than a week ago is not looked at, so a rollout that ended long ago has none.
    let lastStep = start.rollout.map(\.at).filter { $0 <= cutOff }.max() ?? start.publishedAt
    asksSilence = start.publishedAt < cutOff - .days(1) && lastStep > cutOff - .days(60)
    (self.vocabulary, self.chosen, self.channel, self.cutOff, self.days) = (vocabulary, chosen, channel, cutOff, days)
  }

  /// So many devices are looked at, and so many of those that took it, where there are more: a random part of them.
  private static let (sample, takenSample) = (20_000, 2_000)

  /// nil where none took it.
  ///
  /// - Parameters:
  ///   - fleet: devices that are known on the channel.
  ///   - taken: how many of them tried to get it.
  func counting(fleet: Int, taken: Int) -> AftermathCounting? {
    guard taken > 0 else { return nil }
    let part = max(Double(Self.sample) / Double(max(fleet, 1)), Double(Self.takenSample) / Double(taken))
    let all = Need.allShards.count
    let shards = min(max(Int((Double(all) * min(part, 1)).rounded()), 1), all)
    return AftermathCounting(
      vocabulary, chosen, channel, cutOff, days, asksSilence: asksSilence && taken >= Diagnosis.fewest, shards: shards)
  }
}
