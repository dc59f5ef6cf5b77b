public import Lifecycle
public import Query

/// What was published, where and when: the frame that a release's numbers stand in.
public struct ReleaseFacts: Sendable {
  public var label: String
  /// The channel that the numbers are about.
  public var channel: String
  public var alsoOn: [String]
  /// Most of the release's devices are on this channel: the page that names no channel is this one's.
  public var isLead: Bool
  /// Null where the release was never published there.
  public var publishedAt: Timestamp?
  /// Nobody registered the publication; the first event about it stands in.
  public var isInferred: Bool
  public var rollout: [RolloutStep]
  /// Each publication on the channel, where platforms may have got it apart.
  public var starts: [Timeline.PlatformStart]
  public var mandatory: Bool
  /// When the next release was published there.
  public var supersededAt: Timestamp?
  /// From when on no other device may have it there.
  public var haltedAt: Timestamp?
  /// Data are complete up to it.
  public var cutOff: Timestamp
  /// Whether it was published after the cutoff: nothing that is counted up to there can tell of it.
  public var isTooNew: Bool

  public init(
    label: String, channel: String, alsoOn: [String] = [], isLead: Bool = true, publishedAt: Timestamp?,
    isInferred: Bool = false, rollout: [RolloutStep] = [], starts: [Timeline.PlatformStart] = [],
    mandatory: Bool = false, supersededAt: Timestamp? = nil, haltedAt: Timestamp? = nil, cutOff: Timestamp,
    isTooNew: Bool = false
  ) {
    self.label = label
    self.channel = channel
    self.alsoOn = alsoOn
    self.isLead = isLead
    self.publishedAt = publishedAt
    self.isInferred = isInferred
    self.rollout = rollout
    self.starts = starts
    self.mandatory = mandatory
    self.supersededAt = supersededAt
    self.haltedAt = haltedAt
    self.cutOff = cutOff
    self.isTooNew = isTooNew
  }

  /// When the next release, or a halt of the rollout, ended the chance to update.
  var endedAt: Timestamp? { [supersededAt, haltedAt].compactMap(\.self).min() }

  /// Whether some were let in later than others.
  var isStaged: Bool { rollout.dropFirst().contains { $0.percent > (rollout.first?.percent ?? 0) } }

  /// Seconds from publication until the data, or the chance to update, end; nil where it was never published.
  public var followed: Int64? {
    publishedAt.map { max(0, (min(endedAt ?? cutOff, cutOff) - $0).rawValue / 1000) }
  }

  /// Whether more devices, or none any more, may have it since the cutoff: what is counted up to there is of others.
  func isMoved(until now: Timestamp) -> Bool {
    starts.contains { platform in
      ([platform.start.publishedAt] + platform.start.rollout.map(\.at)).contains { $0 > cutOff && $0 <= now }
    }
  }

  /// Seconds from publication until now, where there is more to see than until the cutoff: a hundredth of the picture.
  /// Until the halt, where it was halted since the cutoff.
  func newest(now: Timestamp) -> Int64? {
    let end = min(haltedAt ?? now, now)
    guard let publishedAt, supersededAt.map({ $0 > now }) ?? true, end > cutOff, end > publishedAt else { return nil }
    let age = (end - publishedAt).rawValue / 1000
    let hidden = age - (followed ?? 0)
    return hidden * 100 >= StepChart.horizon(age, atMost: 14 * 86_400) ? age : nil
  }

  /// The age at which segments are held against each other: 72 hours, or less where it was not followed so long.
  public var segmentAge: Int64 { [259_200, 86_400, 21_600].first { $0 <= followed ?? 0 } ?? 3600 }

  /// The ages, in seconds, at which pages state adoption: usual ones, the ticks of charts, and how far it was followed.
  public var ages: [Int64] {
    let followed = followed ?? 0
    let ends = [StepChart.horizon(followed, atMost: 14 * 86_400), StepChart.horizon(followed, atMost: 7 * 86_400)]
    func ticks(to end: Int64) -> [Int64] { Ticks.ages(to: Double(end)).map { Int64($0) } }
    // A picture that goes on past the cutoff may have the axis of a day.
    let day = followed < 86_400 ? ticks(to: 86_400) : []
    let usual: [Int64] = day + [3600, 21_600, 86_400, 259_200, 604_800, 1_209_600]
    return Set(ends.flatMap(ticks) + usual.filter { $0 <= followed } + [followed]).filter { $0 > 0 }.sorted()
  }
}
