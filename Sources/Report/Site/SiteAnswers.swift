public import Console
public import Lifecycle
public import Query
internal import Statistics

/// How a release stands on one channel.
public struct Standing: Sendable {
  /// Of a curve at most: so many that what lies between two of them is less than a pixel of a chart.
  public static let points = 300
  public var facts: ReleaseFacts
  /// On the clock that starts at publication, beside the release before, at `facts.ages`.
  public var adoption: Asked<Counted<Adoption>>
  /// On each device's own clock.
  public var speed: Asked<TimeToUpdate>
  public var failures: Asked<Failures>
  public var verdict: Asked<Verdict>

  public init(
    facts: ReleaseFacts, adoption: Asked<Counted<Adoption>>, speed: Asked<TimeToUpdate>, failures: Asked<Failures>,
    verdict: Asked<Verdict>
  ) {
    self.facts = facts
    self.adoption = adoption
    self.speed = speed
    self.failures = failures
    self.verdict = verdict
  }

  var sinceRelease: Counted<Adoption>? { adoption.data.first { $0.counts.devices > 0 } }
  var own: TimeToUpdate? { speed.data.first { $0.counts.devices > 0 } }
  var failed: Failures? { failures.data.first { $0.attempts > 0 } }
  var path: String { Site.path(release: facts.label, channel: facts.channel) }
  /// Too few devices had to do with it to show anything of them.
  var isWithheld: Bool { speed.data.isEmpty && !speed.withheld.isEmpty }
  /// Whether the verdict says that these are too few, for all other panels.
  var isToldByVerdict: Bool { isWithheld && verdict.data.isEmpty }

  /// Adoption at an age that was asked for.
  func age(_ seconds: Int64) -> Adoption.Age? { sinceRelease?.ages.first { $0.seconds == seconds } }
  /// Adoption where the release stands now, or stood when it was replaced; at the last age before that all were followed to, where that
  /// says anything of now.
  var latest: Adoption.Age? {
    let now = facts.followed.flatMap(age)
    guard [.beyondFollowUp, .partsNotFollowed].contains(now?.share.reason) else { return now }
    let followed = facts.followed ?? 0
    return sinceRelease?.ages.last { age in
      age.seconds <= followed && age.share.value != nil
        && (now?.share.reason != .partsNotFollowed || age.seconds * 2 >= followed)
    } ?? now
  }
  /// Where nobody knows who was let have it, all that is counted is of those that were offered it.
  var isOfOffered: Bool { own?.counts.isOfOffered ?? false }

  public var isHarmful: Bool { verdict.data.first?.isHarmful ?? false }
  public var isStopped: Bool { verdict.data.first?.decision == .stop }

  var exhibits: [Exhibit] {
    [Exhibit(verdict), Exhibit(adoption), Exhibit(speed), Exhibit(failures)]
  }
}

/// The answers that a release's page shows.
public struct ReleaseAnswers: Sendable {
  /// On one channel.
  public var standing: Standing
  /// On each device's own clock, at `facts.ages`.
  public var waiting: Asked<Counted<Adoption>>
  /// On each device's own clock, at `facts.segmentAge`, by one property each.
  public var segments: [Asked<Counted<Adoption>>]
  public var reach: Asked<Reach>
  public var funnel: Asked<Funnel>
  /// Only while the release has its turn.
  public var forecast: Asked<Forecast>?
  /// The same, where it is worth a look.
  public var newest: NewestHours?
  /// Which devices it fails on, where it harms.
  public var suspects: Asked<Suspects>?
  /// Devices of the app that their platform vouched for.
  public var attested = 0

  public init(
    standing: Standing, waiting: Asked<Counted<Adoption>>, segments: [Asked<Counted<Adoption>>],
    reach: Asked<Reach>, funnel: Asked<Funnel>, forecast: Asked<Forecast>?, newest: NewestHours? = nil
  ) {
    self.standing = standing
    self.waiting = waiting
    self.segments = segments
    self.reach = reach
    self.funnel = funnel
    self.forecast = forecast
    self.newest = newest
  }

  var facts: ReleaseFacts { standing.facts }
  var own: TimeToUpdate? { standing.own }
  /// Devices that have updated to it.
  public var updates: Int { own?.counts.events ?? 0 }

  var exhibits: [Exhibit] {
    standing.exhibits + [Exhibit(waiting)] + segments.map { Exhibit($0) } + [Exhibit(reach), Exhibit(funnel)]
      + [forecast.map { Exhibit($0) }, suspects.map { Exhibit($0) }].compactMap(\.self) + (newest?.exhibits ?? [])
  }
}

/// Releases that have no pages, as there are too many.
public struct UnpagedReleases: Sendable {
  public var count: Int
  /// Of those that were published last so many have pages.
  public var newest: Int

  public init(_ count: Int, newest: Int) { (self.count, self.newest) = (count, newest) }
}

/// Everything that the pages of one app show.
public struct SiteAnswers: Sendable {
  public var app: String
  /// The instant of the analysis.
  public var now: Timestamp
  /// Groups of fewer devices are withheld; 0 shows all.
  public var smallestGroup: Int
  /// How the site was made.
  public var command: ShellCommand
  public var version: String
  /// Every release on every channel, at a glance.
  public var glance: Asked<Releases>
  /// Every release on every channel where it was published, newest first; of one release the channel with the most devices first.
  public var pages: [ReleaseAnswers]
  /// The newest release of each channel, `production` first; then those that are to be stopped and that others still get.
  public var current: [Standing]
  /// The newest release of each channel against the one before, `production` first.
  public var versus: [Versus]
  /// What devices run and ran, seen from the newest release; nil where there is none.
  public var mix: Asked<Reach>?
  /// Of the newest release that devices have updated to, whole and by channel.
  public var mechanisms: Asked<Counted<Mechanisms>>?
  public var mechanismsByChannel: Asked<Counted<Mechanisms>>?
  public var push: Asked<Push>
  public var pushByPlatform: Asked<Push>
  /// What holds up the newest release of each channel.
  public var findings: Asked<Diagnosis>
  /// How the app's events come in: no command prints it.
  public var health: DataHealth
  /// Where a page that readers choose on is asked for.
  public var explored: Explored?
  /// Nil where every release has pages, or somebody chose those that have.
  public var unpaged: UnpagedReleases?

  public init(
    app: String, now: Timestamp, smallestGroup: Int = Site.smallestGroup, command: ShellCommand, version: String,
    glance: Asked<Releases>,
    pages: [ReleaseAnswers], current: [Standing], versus: [Versus] = [], mix: Asked<Reach>?,
    mechanisms: Asked<Counted<Mechanisms>>?,
    mechanismsByChannel: Asked<Counted<Mechanisms>>?, push: Asked<Push>, pushByPlatform: Asked<Push>,
    findings: Asked<Diagnosis>, health: DataHealth, explored: Explored? = nil, unpaged: UnpagedReleases? = nil
  ) {
    (self.app, self.now, self.smallestGroup) = (app, now, smallestGroup)
    (self.command, self.version) = (command, version)
    (self.glance, self.pages, self.current, self.versus, self.mix) = (glance, pages, current, versus, mix)
    (self.mechanisms, self.mechanismsByChannel) = (mechanisms, mechanismsByChannel)
    (self.push, self.pushByPlatform, self.findings) = (push, pushByPlatform, findings)
    (self.health, self.explored, self.unpaged) = (health, explored, unpaged)
  }

  /// Each release once, on the channel with the most devices.
  var releases: [ReleaseAnswers] { pages.filter(\.facts.isLead) }

  /// The newest contact that any answer knows.
  var dataThrough: Timestamp? {
    ((pages.map(\.standing) + current).compactMap(\.verdict.dataThrough)
      + [push.dataThrough, glance.dataThrough].compactMap(\.self)).max()
  }
  var cutOff: Timestamp? { (pages.map(\.facts.cutOff) + current.map(\.facts.cutOff)).max() }

  /// When the pages were made, how far they count, and when anybody was heard of last.
  var instants: [HTML] {
    let cutOff = cutOff.map { $0 < now ? ["cutoff \(time($0))" as HTML] : [] } ?? []
    return ["as of \(time(now))"] + cutOff + [dataThrough.map { "newest contact \(time($0))" } ?? "no data yet"]
  }

  func page(_ release: String, _ channel: String) -> ReleaseAnswers? {
    pages.first { $0.facts.label == release && $0.facts.channel == channel }
  }

  func standing(_ release: String, _ channel: String) -> Standing? {
    current.first { $0.facts.label == release && $0.facts.channel == channel }
  }

  /// Which devices it fails on, where it harms and has a page.
  func suspects(of standing: Standing) -> Asked<Suspects>? {
    page(standing.facts.label, standing.facts.channel)?.suspects
  }

  /// Each answer once.
  var exhibits: [Exhibit] {
    var seen: Set<String> = []
    let all =
      [Exhibit(glance), Exhibit(push), Exhibit(pushByPlatform), Exhibit(findings)]
      + [mix.map { Exhibit($0) }, mechanisms.map { Exhibit($0) }, mechanismsByChannel.map { Exhibit($0) }]
      .compactMap(\.self) + versus.compactMap { $0.compared.map { Exhibit($0) } } + pages.flatMap(\.exhibits)
      + current.flatMap(\.exhibits)
    return all.filter { seen.insert($0.name).inserted }
  }
}
