public import Lifecycle

/// What decides which devices of a shard may count otherwise for releases that ended than they did when these were summarised.
///
/// Such a device is shown twice, as it was known then and as it is now: what it counted before is taken out, what it counts now is put
/// in. Of all others nothing that was heard since, or after the cutoff, bears on these releases; see `ChangedDevices`.
public struct ChangeSpan: Sendable {
  /// A release on a channel, by their numbers.
  public struct Place: Hashable, Sendable {
    public var release: Int64
    public var channel: Int64
    public init(release: Int64, channel: Int64) { (self.release, self.channel) = (release, channel) }
  }

  /// The number of the last event that the summary knows; see `Snapshot.earlierSummaryState`.
  public var last: Int64
  /// The earlier of the cutoffs: of the summary and of the question.
  public var limit: Int64
  /// What happened on an ended release after this counts otherwise at one of the cutoffs, or may: so long are attempts and launches
  /// watched for.
  public var late: Int64
  /// When the last of the releases ended.
  public var ended: Int64
  public var releases: Set<Int64>
  /// Whether nothing spoke of what counts as newer than one of them before that one was published. Then outlines and journeys tell
  /// what a device first said since; else that takes a contact between the end and the limit.
  public var areNewerLate = true
  /// Who claimed a release before this instant may say so again: its first word since a publication is then one about the past.
  public var early: [Place: Int64]
  /// What the summary knows of the journeys on these releases.
  public var watches: [Place: JourneyWatch] = [:]

  public init(last: Int64, limit: Int64, watched: Milliseconds) {
    self.last = last
    (self.limit, late, ended) = (limit, limit - watched.rawValue, .min)
    (releases, early) = ([], [:])
  }

  /// Whether the journeys of a shard on a release that ended tell nothing late or early: they are read only for devices that changed
  /// otherwise.
  func leavesOut(_ place: JourneyPlace) -> Bool {
    guard releases.contains(place.release),
      let watch = watches[Place(release: place.release, channel: place.channel)]
    else { return false }
    return watch.news[place.shard] <= late && !watch.early.contains(place.shard)
  }

  /// Whoever was heard of this long before the limit, and of whom nothing is told but in which span that lies, spoke in between.
  public static let margin = DeviceOutlines.longestSilence
}
