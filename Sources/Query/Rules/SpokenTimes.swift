public import Lifecycle
public import Store

/// When each device first spoke of a release in a place, other than by running it: it may have that from a store.
///
/// Some clocks are days slow, so a single device tells no time: many have to agree.
public struct SpokenTimes: Equatable, Sendable {
  /// With fewer devices it may be a developer's build.
  public static let fewest = 5
  /// Nobody speaks of a rollout for so long, and then most do.
  private static let longestGap = Milliseconds.days(7)
  /// Ascending.
  private let times: [Timestamp]
  /// Those that tell a time: without fewer than half who spoke long before all others, as clocks do that are years slow.
  private let trusted: ArraySlice<Timestamp>

  public init(_ times: [Timestamp] = []) {
    let times = times.sorted()
    let gap = (0..<(times.count - 1) / 2).last { times[$0 + 1] - times[$0] > Self.longestGap }
    (self.times, trusted) = (times, times.dropFirst(gap.map { $0 + 1 } ?? 0))
  }

  public var devices: Int { times.count }
  public var first: Timestamp? { times.first }
  public func before(_ instant: Timestamp) -> Int { times.count { $0 < instant } }

  /// Whether some spoke so long before all others that their clocks, not the release, tell why.
  public var haveSlowClocks: Bool { trusted.count < times.count }

  /// Whether so many did before an instant that it is not their clocks: a tenth, and 5 at least.
  public func areMany(before instant: Timestamp) -> Bool {
    let early = trusted.count { $0 < instant }
    return early >= Self.fewest && early * 10 >= trusted.count
  }

  /// When a twentieth had spoken, and two devices at least; nil with fewer than 5 of them.
  public var begin: Timestamp? {
    trusted.count < Self.fewest ? nil : trusted[trusted.startIndex + max(1, trusted.count / 20)]
  }
}

extension Snapshot {
  /// In the place of a publication.
  public func spokenTimes(of publication: Publication, until now: Timestamp) throws -> SpokenTimes {
    guard
      let record = vocabulary.releases.first(where: { $0.app == publication.app && $0.label == publication.release })
    else { return SpokenTimes() }
    let counting = SpokenCounting(
      vocabulary, record, on: publication.channel, platform: publication.platform, until: now)
    return counting.sum(try count(counting.need) { counting.start })
  }
}

/// Looks at the journeys of one release.
final class SpokenCounting: Counting {
  private static let stages: [Milestone] = [
    .available, .downloadStarted, .downloadCompleted, .verified, .ready, .applied,
  ]
  private let record: ReleaseRecord
  private let channel: String
  /// nil for all.
  private let platform: String?
  /// Who was ever on one of these is left out, as are emulators then, and who was only offered the release.
  private let others: Set<String>
  private let now: Timestamp
  private let names: GroupNames

  init(
    _ vocabulary: Vocabulary, _ record: ReleaseRecord, on channel: String, platform: String? = nil,
    neverOn others: [String] = [], until now: Timestamp
  ) {
    (self.record, self.channel, self.platform, self.now) = (record, channel, platform, now)
    self.others = Set(others)
    names = GroupNames(vocabulary)
  }

  private var stages: [Milestone] { others.isEmpty ? Self.stages : Self.stages.filter { $0 != .available } }
  var need: Need { Need(app: record.app, .everybody, journeys: [record.id: JourneyColumns(stages)]) }
  var start: SpokenTally { SpokenTally(asked: self) }
  func sum(_ tally: SpokenTally) -> SpokenTimes { SpokenTimes(tally.times) }

  fileprivate func includes(_ journeys: Snapshot.Journeys) -> Bool {
    journeys.release == record.id && names.vocabulary.name(journeys.channel) == channel
  }

  fileprivate func includes(platform number: Int32) -> Bool {
    platform.map { names.platform(GroupKey(platform: Int(number))) == $0 } ?? true
  }

  /// Runs are read of devices alone that changed their channel.
  fileprivate func includes(_ index: Int, _ page: borrowing ShardPage) throws -> Bool {
    if others.isEmpty { return true }
    if page.emulators[index] { return false }
    guard page.devices.channels[index] == 0 else { return true }
    let runs = try page.runs(of: index)
    return !runs.range(index).contains { others.contains(names.vocabulary.name(runs.kind($0).channel)) }
  }

  /// nil where the device did not until now.
  fileprivate func first(_ shard: JourneyShard, _ index: Int) -> Timestamp? {
    let first = stages.map { shard.first($0, index) }.filter(\.happened).map(\.at).min()
    return first.flatMap { $0 <= now ? $0 : nil }
  }
}

struct SpokenTally: Tally {
  fileprivate let asked: SpokenCounting
  fileprivate(set) var times: [Timestamp] = []

  mutating func count(_ page: borrowing ShardPage) throws {
    for journeys in page.journeys where asked.includes(journeys) {
      var join = SortedJoin(page.devices.devices)
      for (index, hash) in journeys.shard.devices.enumerated() {
        guard let device = join.index(of: hash), asked.includes(platform: page.platforms[device]),
          let time = asked.first(journeys.shard, index), try asked.includes(device, page)
        else { continue }
        times.append(time)
      }
    }
  }

  mutating func add(_ other: SpokenTally, times count: Int) { times.add(bag: other.times, times: count) }
}
