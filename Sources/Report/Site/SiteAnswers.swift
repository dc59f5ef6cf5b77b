public import Lifecycle
public import Query

/// What was published, where and when: the frame that a release's numbers stand in.
public struct ReleaseFacts: Sendable {
  public var label: String
  /// The channel that the numbers are about.
  public var channel: String
  public var alsoOn: [String]
  /// Null where the release was never published there.
  public var publishedAt: Timestamp?
  /// Nobody registered the publication; the first event about it stands in.
  public var isInferred: Bool
  public var rollout: [RolloutStep]
  public var mandatory: Bool
  /// When the next release was published there.
  public var supersededAt: Timestamp?
  /// Where the data end.
  public var cutOff: Timestamp

  public init(
    label: String, channel: String, alsoOn: [String] = [], publishedAt: Timestamp?, isInferred: Bool = false,
    rollout: [RolloutStep] = [], mandatory: Bool = false, supersededAt: Timestamp? = nil, cutOff: Timestamp
  ) {
    self.label = label
    self.channel = channel
    self.alsoOn = alsoOn
    self.publishedAt = publishedAt
    self.isInferred = isInferred
    self.rollout = rollout
    self.mandatory = mandatory
    self.supersededAt = supersededAt
    self.cutOff = cutOff
  }

  /// Seconds from publication until the data, or the release's turn, end; nil where it was never published.
  public var followed: Int64? {
    publishedAt.map { max(0, (min(supersededAt ?? cutOff, cutOff) - $0).rawValue / 1000) }
  }

  /// The age at which segments are held against each other: 72 hours, or less where it was not followed so long.
  public var segmentAge: Int64 { [259_200, 86_400, 21_600].first { $0 <= followed ?? 0 } ?? 3600 }

  /// The ages, in seconds, at which pages state adoption: usual ones, the ticks of charts, and how far it was followed.
  public var ages: [Int64] {
    let followed = followed ?? 0
    let ticks = [StepChart.horizon(followed, atMost: 14 * 86_400), StepChart.horizon(followed, atMost: 7 * 86_400)]
      .flatMap { Ticks.ages(to: Double($0)).map { Int64($0) } }
    let usual: [Int64] = [3600, 21_600, 86_400, 259_200, 604_800, 1_209_600]
    return Set(ticks + usual.filter { $0 <= followed } + [followed]).filter { $0 > 0 }.sorted()
  }
}

/// How a release stands on one channel.
public struct Standing: Sendable {
  public var facts: ReleaseFacts
  /// On the clock that starts at publication, beside the release before, at `facts.ages`.
  public var adoption: Answer<Counted<Adoption>>
  /// On each device's own clock.
  public var speed: Answer<TimeToUpdate>
  public var failures: Answer<Failures>

  public init(
    facts: ReleaseFacts, adoption: Answer<Counted<Adoption>>, speed: Answer<TimeToUpdate>, failures: Answer<Failures>
  ) {
    self.facts = facts
    self.adoption = adoption
    self.speed = speed
    self.failures = failures
  }

  var sinceRelease: Counted<Adoption>? { adoption.data.first { $0.counts.devices > 0 } }
  var own: TimeToUpdate? { speed.data.first { $0.counts.devices > 0 } }
  var failed: Failures? { failures.data.first { $0.attempts > 0 } }
  var path: String { "release/\(Name(facts.label).fileName).html" }

  /// Adoption at an age that was asked for.
  func age(_ seconds: Int64) -> Adoption.Age? { sinceRelease?.ages.first { $0.seconds == seconds } }
  /// Adoption where the release stands now, or stood when it was replaced.
  var latest: Adoption.Age? { facts.followed.flatMap(age) }
}

/// The answers that a release's page shows.
public struct ReleaseAnswers: Sendable {
  /// On the channel with the most devices.
  public var standing: Standing
  /// On each device's own clock, at `facts.ages`.
  public var waiting: Answer<Counted<Adoption>>
  /// On each device's own clock, at `facts.segmentAge`, by one property each.
  public var segments: [Answer<Counted<Adoption>>]
  public var reach: Answer<Reach>
  public var funnel: Answer<Funnel>
  /// Only while the release has its turn.
  public var forecast: Answer<Forecast>?

  public init(
    standing: Standing, waiting: Answer<Counted<Adoption>>, segments: [Answer<Counted<Adoption>>],
    reach: Answer<Reach>, funnel: Answer<Funnel>, forecast: Answer<Forecast>?
  ) {
    self.standing = standing
    self.waiting = waiting
    self.segments = segments
    self.reach = reach
    self.funnel = funnel
    self.forecast = forecast
  }

  var facts: ReleaseFacts { standing.facts }
  var own: TimeToUpdate? { standing.own }
}

/// Everything that the pages of one app show.
public struct SiteAnswers: Sendable {
  public var app: String
  /// The instant of the analysis.
  public var now: Timestamp
  /// How the site was made.
  public var command: String
  public var version: String
  /// Newest first.
  public var releases: [ReleaseAnswers]
  /// The newest release of each channel.
  public var current: [Standing]
  /// What devices run, seen from the newest release; nil where there is none.
  public var reach: Answer<Reach>?
  public var push: Answer<Push>

  public init(
    app: String, now: Timestamp, command: String, version: String, releases: [ReleaseAnswers], current: [Standing],
    reach: Answer<Reach>?, push: Answer<Push>
  ) {
    self.app = app
    self.now = now
    self.command = command
    self.version = version
    self.releases = releases
    self.current = current
    self.reach = reach
    self.push = push
  }

  /// The newest contact that any answer knows.
  var dataThrough: Timestamp? {
    (releases.compactMap(\.standing.speed.dataThrough) + [push.dataThrough].compactMap(\.self)).max()
  }
  var cutOff: Timestamp? { (releases.map(\.facts.cutOff) + current.map(\.facts.cutOff)).max() }
}
