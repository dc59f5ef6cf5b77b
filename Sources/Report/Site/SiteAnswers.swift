public import Lifecycle
public import Query

/// What was published, where and when: the frame that a release's numbers stand in.
public struct ReleaseFacts: Sendable {
  public var label: String
  /// The channel that the page is about: the one with the most devices.
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
  /// The release before this one on the channel.
  public var previous: String?

  public init(
    label: String, channel: String, alsoOn: [String] = [], publishedAt: Timestamp?, isInferred: Bool = false,
    rollout: [RolloutStep] = [], mandatory: Bool = false, supersededAt: Timestamp? = nil, previous: String? = nil
  ) {
    self.label = label
    self.channel = channel
    self.alsoOn = alsoOn
    self.publishedAt = publishedAt
    self.isInferred = isInferred
    self.rollout = rollout
    self.mandatory = mandatory
    self.supersededAt = supersededAt
    self.previous = previous
  }
}

/// The answers about one release that its page shows.
public struct ReleaseAnswers: Sendable {
  public var facts: ReleaseFacts
  /// On each device's own clock.
  public var speed: Answer<TimeToUpdate>
  /// On the clock that starts at publication.
  public var adoption: Answer<TimeToUpdate>
  public var platforms: Answer<TimeToUpdate>
  public var versions: Answer<TimeToUpdate>
  /// Over every channel.
  public var channels: Answer<TimeToUpdate>
  public var funnel: Answer<Funnel>

  public init(
    facts: ReleaseFacts, speed: Answer<TimeToUpdate>, adoption: Answer<TimeToUpdate>, platforms: Answer<TimeToUpdate>,
    versions: Answer<TimeToUpdate>, channels: Answer<TimeToUpdate>, funnel: Answer<Funnel>
  ) {
    self.facts = facts
    self.speed = speed
    self.adoption = adoption
    self.platforms = platforms
    self.versions = versions
    self.channels = channels
    self.funnel = funnel
  }
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
  public var push: Answer<Push>

  public init(
    app: String, now: Timestamp, command: String, version: String, releases: [ReleaseAnswers], push: Answer<Push>
  ) {
    self.app = app
    self.now = now
    self.command = command
    self.version = version
    self.releases = releases
    self.push = push
  }

  /// The newest contact that any answer knows.
  var dataThrough: Timestamp? {
    (releases.compactMap(\.speed.dataThrough) + [push.dataThrough].compactMap(\.self)).max()
  }
  func release(_ label: String?) -> ReleaseAnswers? {
    label.flatMap { label in releases.first { $0.facts.label == label } }
  }
}

extension ReleaseAnswers {
  var own: TimeToUpdate? { speed.data.first }
  var sinceRelease: TimeToUpdate? { adoption.data.first }
  var path: String { "release/\(Name(facts.label).fileName).html" }

  /// Seconds from publication to the analysis; nil where it was never published.
  func age(at now: Timestamp) -> Double? { facts.publishedAt.map { Double((now - $0).rawValue) / 1000 } }

  /// Seconds from publication until the data, or the release's turn, end.
  func followed(until now: Timestamp) -> Double? {
    facts.publishedAt.map { Double((min(facts.supersededAt ?? now, now) - $0).rawValue) / 1000 }
  }
}
