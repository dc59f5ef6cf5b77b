import Lifecycle
import Store

/// Whether devices that took a release were heard of again: who cannot start it, or cannot report any more, says nothing of that.
struct SilenceCase {
  private let vocabulary: Vocabulary
  private let chosen: ReleaseScope
  private let channel: String
  private let cutOffs: [Timestamp]

  /// nil where nobody can have been silent for a day after taking it.
  init?(
    _ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ channel: String, _ start: Timeline.Start, _ cutOff: Timestamp
  ) {
    // Who took it more than a week ago is not looked at, so a rollout that ended long ago has none.
    let lastStep = start.rollout.map(\.at).filter { $0 <= cutOff }.max() ?? start.publishedAt
    guard start.publishedAt < cutOff - .days(1), lastStep > cutOff - .days(60) else { return nil }
    (self.vocabulary, self.chosen, self.channel) = (vocabulary, chosen, channel)
    cutOffs = [Self.usual(start, cutOff)] + Self.earlier(start, cutOff, now: chosen.selection.now) + [cutOff]
  }

  /// The same hour of the same day of the week, before anybody could have it.
  private static func usual(_ start: Timeline.Start, _ cutOff: Timestamp) -> Timestamp {
    let week = Milliseconds.days(7).rawValue
    return cutOff - Milliseconds(rawValue: ((cutOff - start.publishedAt).rawValue / week + 1) * week)
  }

  private static let mostEarlier = 5

  /// A day and two after each step, since the rollout was last opened: later everybody may have it, and no others are left.
  private static func earlier(_ start: Timeline.Start, _ cutOff: Timestamp, now: Timestamp) -> [Timestamp] {
    let opened = start.reopenedAt(until: now) ?? start.publishedAt
    let days = ([start.publishedAt] + start.rollout.map(\.at)).flatMap { [$0 + .days(1), $0 + .days(2)] }
    let since = Set(days.filter { $0 > max(opened, start.publishedAt + .days(1)) && $0 < cutOff })
    return since.sorted().suffix(mostEarlier)
  }

  /// So many devices are looked at, and so many of those that took it, where there are more: a random part of them.
  private static let (sample, takenSample) = (20_000, 2_000)

  /// nil where too few took it.
  ///
  /// - Parameters:
  ///   - fleet: devices that are known on the channel.
  ///   - taken: how many of them tried to get it.
  func counting(fleet: Int, taken: Int) -> SilenceCounting? {
    guard taken >= Diagnosis.fewest else { return nil }
    let part = max(Double(Self.sample) / Double(max(fleet, 1)), Double(Self.takenSample) / Double(taken))
    let all = Need.allShards.count
    let shards = min(max(Int((Double(all) * min(part, 1)).rounded()), 1), all)
    return SilenceCounting(vocabulary, chosen, channel, cutOffs, shards: shards)
  }
}
