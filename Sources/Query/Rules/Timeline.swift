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

  public init(_ vocabulary: Vocabulary, app: String) {
    let records = vocabulary.releases.filter { $0.app == app }
    self.records = records
    places = Dictionary(uniqueKeysWithValues: records.enumerated().map { ($1.id, $0) })
  }

  public var releases: [ReleaseRecord] { records }
  public func record(_ label: ReleaseLabel) -> ReleaseRecord? { records.first { $0.label == label } }
  var labels: [Int64: ReleaseLabel] { places.mapValues { records[$0].label } }
  public func label(_ id: Int64) -> ReleaseLabel? { places[id].map { records[$0].label } }

  /// When a release came to a channel and platform; nil where it never did.
  ///
  /// A registered publication counts, the platform's own before one for all platforms. Only for a release of which no
  /// publication at all is registered, the first event about it on the channel stands in.
  public func start(_ id: Int64, channel: String, platform: String?) -> Start? {
    guard let record = places[id].map({ records[$0] }) else { return nil }
    guard record.publications.isEmpty else {
      let onChannel = record.publications.filter { $0.channel == channel }
      let own = onChannel.first { $0.platform == platform } ?? onChannel.first { $0.platform == nil }
      return (own ?? (platform == nil ? onChannel.min { $0.publishedAt < $1.publishedAt } : nil)).map(Start.init)
    }
    let first = record.sightings.filter { $0.channel == channel }.compactMap(\.firstSubjectAt).min()
    return first.map { Start(publishedAt: $0, rollout: [], mandatory: false, isInferred: true) }
  }

  /// When the next release after this one was published there: from then on this one is not the target any more.
  ///
  /// An unregistered release supersedes only an unregistered one: a straggler that speaks of an old release must not.
  public func supersededAt(_ id: Int64, channel: String, platform: String?) -> Timestamp? {
    guard let own = start(id, channel: channel, platform: platform) else { return nil }
    return records.compactMap { other -> Timestamp? in
      guard other.id != id, let start = start(other.id, channel: channel, platform: platform),
        start.publishedAt > own.publishedAt, own.isInferred || !start.isInferred,
        !start.isInferred || isUnseen(other, before: own.publishedAt)
      else { return nil }
      return start.publishedAt
    }.min()
  }

  /// The releases that count as newer than this one there, in order of id.
  public func newer(than id: Int64, channel: String, platform: String?) -> Set<Int64> {
    guard let own = start(id, channel: channel, platform: platform) else { return [] }
    return Set(
      records.filter { other in
        guard other.id != id, let start = start(other.id, channel: channel, platform: platform) else { return false }
        return start.publishedAt > own.publishedAt && (!start.isInferred || isUnseen(other, before: own.publishedAt))
      }.map(\.id))
  }

  /// Nothing spoke of the release before the instant.
  private func isUnseen(_ record: ReleaseRecord, before instant: Timestamp) -> Bool {
    record.sightings.allSatisfy { $0.firstAt >= instant }
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

  /// Whether some devices had to wait.
  public var isStaged: Bool { completeAt != publishedAt }
}
