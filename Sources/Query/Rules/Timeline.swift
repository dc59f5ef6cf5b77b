public import Lifecycle
public import Store

/// When releases of an app were published, and which are newer than which, per channel and platform.
public struct Timeline: Sendable {
  /// When and how a release came to a channel.
  public struct Start: Equatable, Sendable {
    public var publishedAt: Timestamp
    public var rollout: [RolloutStep]
    public var mandatory: Bool
    /// Nobody registered the release: this is when an event first spoke of it.
    public var isInferred: Bool
  }

  private let records: [ReleaseRecord]
  private let places: [Int64: Int]
  private let arrivals: Arrivals
  /// Every channel that a publication or an event named, in order of name.
  public let channels: [String]
  /// What nobody takes for a release: whoever asks for it, or for one like it, is not led to it.
  private let unnamed: Set<Int64>
  /// Registered, and spelt otherwise by all devices: nothing is known of it, and nothing is held against it.
  let misspelt: Set<Int64>
  /// Those of the app's devices.
  let platforms: Set<String>

  /// - Parameter now: events that spoke of a release later are not known yet.
  public init(_ vocabulary: Vocabulary, app: String, until now: Timestamp = Timestamp(rawValue: .max)) {
    let own = vocabulary.releases.filter { $0.app == app }
    let records = own.map { $0.known(at: now) }
    self.records = records
    misspelt = Set(StrayReleases.pairs(records, now: now).map(\.registered.id))
    unnamed = Set(own.filter { !$0.isNamed }.map(\.id))
    platforms = vocabulary.platforms(of: app)
    channels = Set(records.flatMap { $0.publications.map(\.channel) + $0.sightings.map(\.channel) }).sorted()
    arrivals = Arrivals(records, platforms)
    places = Dictionary(uniqueKeysWithValues: records.enumerated().map { ($1.id, $0) })
  }

  public var releases: [ReleaseRecord] { records }
  public func record(_ label: ReleaseLabel) -> ReleaseRecord? {
    records.first { $0.label == label && !unnamed.contains($0.id) }
  }
  /// When a device first named another release: from then on it is known who waits for one.
  func firstHeard(besides label: String) -> Timestamp? {
    records.filter { $0.label.rawValue != label }.flatMap(\.sightings).map(\.firstAt).min()
  }
  /// When a device was first heard of on a channel.
  func firstHeard(on channel: String) -> Timestamp? {
    records.flatMap(\.sightings).filter { $0.channel == channel }.map(\.firstAt).min()
  }
  func record(_ id: Int64) -> ReleaseRecord? { places[id].map { records[$0] } }
  /// Those that may be asked for.
  var named: [ReleaseRecord] { records.filter { !unnamed.contains($0.id) } }
  public var names: [String] { named.map(\.label.rawValue) }
  var labels: [Int64: ReleaseLabel] { places.mapValues { records[$0].label } }
  public func label(_ id: Int64) -> ReleaseLabel? { places[id].map { records[$0].label } }

  /// When a release came to a channel and platform; nil where it never did.
  public func start(_ id: Int64, channel: String, platform: String?) -> Start? {
    places[id].flatMap { records[$0].start(on: channel, platform) }
  }

  /// When the next release after this one was published there: from then on this one is not the target any more.
  ///
  /// An unregistered release supersedes only an unregistered one: a straggler that speaks of an old release must not.
  public func supersededAt(_ id: Int64, channel: String, platform: String?) -> Timestamp? {
    after(id, channel: channel, platform: platform).supersededAt
  }

  /// The releases that count as newer than this one there: those that were published there after it.
  ///
  /// Of an unregistered release only the first event about it is known: it counts where nothing spoke of it before, unless its
  /// version number is the lower one.
  public func newer(than id: Int64, channel: String, platform: String?) -> Set<Int64> {
    Set(after(id, channel: channel, platform: platform).newer)
  }

  /// All in one go: who asks of thousands of releases asks of each, so nothing is hashed.
  ///
  /// - Returns: beside them when anything first spoke of one of the newer ones on the channel.
  func after(
    _ id: Int64, channel: String, platform: String?
  ) -> (newer: [Int64], supersededAt: Timestamp?, heard: Timestamp?) {
    let later = later(than: id, channel: channel, platform: platform)
    let newer = later.filter(\.isNewer)
    return (
      newer.map { records[$0.place].id }, later.lazy.filter(\.supersedes).map(\.publishedAt).min(),
      newer.lazy.compactMap(\.heard).min()
    )
  }

  /// Unregistered releases that were first heard of there after this registered one came, and may be newer than it.
  func doubtful(after id: Int64, channel: String, platform: String?, until now: Timestamp) -> [ReleaseRecord] {
    later(than: id, channel: channel, platform: platform)
      .filter { $0.isNewer && !$0.supersedes && $0.publishedAt <= now }.map { records[$0.place] }
  }

  private typealias Later = (place: Int, publishedAt: Timestamp, isNewer: Bool, supersedes: Bool, heard: Timestamp?)

  /// What came there after a release, by its publication or by the first event about it.
  private func later(than id: Int64, channel: String, platform: String?) -> [Later] {
    guard let place = places[id], let own = start(id, channel: channel, platform: platform) else { return [] }
    let number = ReleaseNumber(records[place].label)
    return arrivals.there(channel, platform, of: records).compactMap { other -> Later? in
      guard other.place != place, other.start.publishedAt > own.publishedAt else { return nil }
      let isNewer =
        !other.start.isInferred
        || arrivals.isUnseen(other.place, before: own.publishedAt) && !arrivals.isLower(other.place, than: number)
      let supersedes = isNewer && (own.isInferred || !other.start.isInferred)
      return (other.place, other.start.publishedAt, isNewer, supersedes, other.heard)
    }
  }

  /// Releases to which a device goes back from this one: they were published or heard of before it, have a lower number, or are
  /// known alone from what devices say that they run.
  func older(than id: Int64, channel: String) -> Set<Int64> {
    guard let own = start(id, channel: channel, platform: nil) else { return [] }
    let before = records.filter { other in
      other.publications.contains { $0.publishedAt < own.publishedAt } || !isUnseen(other, before: own.publishedAt)
        || isLower(other, than: id)
        || other.publications.isEmpty && other.sightings.allSatisfy { $0.firstSubjectAt == nil }
    }
    return Set(before.map(\.id)).subtracting(newer(than: id, channel: channel, platform: nil)).subtracting([id])
  }

  /// What came with the app.
  var storeBuilds: Set<Int64> {
    Set(records.lazy.filter { $0.label.rawValue.hasPrefix(ReleaseLabel.storePrefix) }.map(\.id))
  }

  /// What comes up again on a restored phone was shipped long ago, whenever it is first heard of.
  private func isLower(_ record: ReleaseRecord, than id: Int64) -> Bool {
    places[id].map { record.isLower(than: records[$0]) } ?? false
  }

  /// Nothing spoke of the release before the instant.
  private func isUnseen(_ record: ReleaseRecord, before instant: Timestamp) -> Bool {
    record.sightings.allSatisfy { $0.firstAt >= instant }
  }
}

extension ReleaseRecord {
  fileprivate func known(at now: Timestamp) -> ReleaseRecord {
    var copy = self
    copy.sightings.removeAll { $0.firstAt > now }
    for index in copy.sightings.indices where copy.sightings[index].firstSubjectAt.map({ $0 > now }) ?? false {
      copy.sightings[index].firstSubjectAt = nil
    }
    return copy
  }
}

extension Timeline.Start {
  init(_ publication: Publication) {
    self.init(
      publishedAt: publication.publishedAt, rollout: publication.rollout, mandatory: publication.mandatory,
      isInferred: false)
  }

  /// When a device with this rollout bucket may have the release; nil: never, as things stand.
  public func eligibleAt(bucket: UInt8) -> Timestamp? {
    guard !rollout.isEmpty else { return publishedAt }
    return rollout.first { $0.percent > Double(bucket) }.map { max($0.at, publishedAt) }
  }

  /// When everybody may have it; nil while the rollout is short of 100 %.
  public var completeAt: Timestamp? {
    guard !rollout.isEmpty else { return publishedAt }
    return rollout.first { $0.percent >= 100 }.map { max($0.at, publishedAt) }
  }

  /// Up to how many percent of devices its registered steps let have it; nil where that is all.
  var shareAtMost: Double? { completeAt == nil ? rollout.map(\.percent).max() : nil }

  /// When the rollout last went on after somebody had set it to 0 %; nil where nobody did.
  func reopenedAt(until instant: Timestamp) -> Timestamp? {
    let steps = rollout.filter { $0.at <= instant }
    return steps.indices.dropFirst().last { steps[$0].percent > 0 && steps[$0 - 1].percent == 0 }.map { steps[$0].at }
  }

  /// When the share of devices that may have it was lowered, be it to nothing.
  func lowered(until instant: Timestamp) -> [Timestamp] {
    let steps = rollout.filter { $0.at <= instant }
    return steps.indices.dropFirst().filter { steps[$0].percent < steps[$0 - 1].percent }.map { steps[$0].at }
  }

  typealias Pause = (from: Timestamp, to: Timestamp)

  /// From when to when nobody else could have it, where it went on afterwards: each time that somebody set it to 0 %.
  func pauses(until instant: Timestamp) -> [Pause] {
    var (found, since, isOpen) = ([Pause](), Timestamp?.none, false)
    for step in rollout where step.at <= instant {
      if step.percent > 0 {
        if let since { found.append((since, step.at)) }
        (since, isOpen) = (nil, true)
      } else if isOpen, since == nil {
        since = step.at
      }
    }
    return found
  }

  /// All of them together.
  func paused(until instant: Timestamp) -> Milliseconds {
    Milliseconds(rawValue: pauses(until: instant).reduce(0) { $0 + ($1.to - $1.from).rawValue })
  }

  /// One through which those who got it at a step before waited for a tenth of their time up to an age, or more.
  func pause(amid age: Milliseconds, until instant: Timestamp) -> Pause? {
    let openings = rollout.filter { $0.percent > 0 }.map { max($0.at, publishedAt) }
    return pauses(until: instant).first { pause in
      openings.contains { opening in
        opening < pause.from && (min(opening + age, pause.to) - pause.from).rawValue * 10 >= age.rawValue
      }
    }
  }

  /// From when on nobody else may have it; see there.
  public var haltedAt: Timestamp? { rollout.haltedAt.map { max($0, publishedAt) } }

  /// Whether some devices had to wait.
  public var isStaged: Bool { completeAt != publishedAt }
}
