import Lifecycle
import Statistics
import Store

/// How many devices crashed in a release for the first time later than a day after they launched it: on each day, of those that had launched
/// it before that day and had not crashed, been rolled back or taken a newer release.
///
/// Whether a device was heard of is not asked: what is known of a day would change with what comes later.
struct LateCrashTally: Tally {
  struct Day: Mergeable, Equatable {
    var devices = 0
    var crashed = 0

    mutating func add(_ other: Self, times: Int) {
      devices += times * other.devices
      crashed += times * other.crashed
    }

    var share: Proportion { Proportion(Int64(crashed), of: Int64(devices)) }
  }
  private let question: LateCrashCounting
  private(set) var days: [Day]
  /// Whether a random part of the devices was looked at.
  var isSample: Bool { question.isSample }

  init(_ question: LateCrashCounting) {
    self.question = question
    days = Array(repeating: Day(), count: question.days.count)
  }

  func interval(_ day: Int) -> (start: Timestamp, end: Timestamp) { question.days.interval(day) }
  /// From the publication.
  func number(_ day: Int) -> Int { question.days.first + day }

  mutating func count(_ page: borrowing ShardPage) throws {
    guard let channel = question.channel, let journeys = page.journeys(question.target, channel) else { return }
    var (launches, crashes) = (Takings(journeys, Self.launches), Takings(journeys, [.crashed]))
    var rollbacks = Takings(journeys, [.rolledBack])
    var newer = question.newer.map { Takings(page.journeys($0, channel), Self.launches) }
    for (index, device) in page.devices.devices.enumerated() where question.includes(index, page) {
      guard let launch = launches.first(device) else { continue }
      let left = newer.indices.compactMap { newer[$0].first(device) }.min() ?? .max
      watch(launch, crash: crashes.first(device) ?? .max, until: min(rollbacks.first(device) ?? .max, left))
    }
  }

  static let launches: [Milestone] = [.applied, .confirmed, .running]

  /// - Parameter end: it does not run the release any more.
  private mutating func watch(_ launch: Int64, crash: Int64, until end: Int64) {
    let (start, length) = (question.days.start, LateDays.length)
    // The first day that begins after the launch, and the last that begins before all is over.
    let first = launch < start ? 0 : Int((launch - start) / length) + 1
    let over = min(crash, end, question.days.now)
    guard over >= start else { return }
    let last = min(Int((over - start) / length), days.count - 1)
    guard first <= last else { return }
    for day in first...last { days[day].devices += 1 }
    if crash <= end, crash < question.days.now, crash - launch >= LaunchCounts.watched.rawValue {
      days[last].crashed += 1
    }
  }

  mutating func add(_ other: LateCrashTally, times: Int) {
    for day in days.indices { days[day].add(other.days[day], times: times) }
  }
}

/// What is asked about late crashes in one release on one channel, the same for every shard.
final class LateCrashCounting: Counting {
  let selection: Selection
  let target: Int64
  let days: LateDays
  /// Those that came after the target.
  let newer: [Int64]
  private let part: ChannelPart
  private var shards = Need.allShards
  var isSample: Bool { shards.count < Need.allShards.count }

  /// - Parameter chosen: on one channel.
  init(_ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ channel: String, _ days: LateDays) {
    (selection, target, self.days) = (chosen.selection, chosen.target.id, days)
    newer = chosen.timeline.newer(than: chosen.target.id, channel: channel, platform: nil).sorted()
    part = ChannelPart(vocabulary, chosen.selection, channel)
  }

  var channel: Int64? { part.channel }
  func includes(_ index: Int, _ page: borrowing ShardPage) -> Bool { part.includes(index, page, at: selection.now) }

  var need: Need {
    let columns = JourneyColumns(LateCrashTally.launches)
    var need = Need(
      app: selection.app, selection.population,
      journeys: Dictionary(uniqueKeysWithValues: newer.map { ($0, columns) }), devices: part.needs)
    need.journeys[target] = columns.union(JourneyColumns([.crashed, .rolledBack]))
    need.shards = shards
    return need
  }
  var start: LateCrashTally { LateCrashTally(self) }

  /// Of many devices those of some shards, as many whoever took the release: else a part of those that crashed would be looked at no more as
  /// others take it.
  func stored(_ snapshot: borrowing Snapshot) throws -> LateCrashTally? {
    let part = try AppSize.shards(selection, snapshot)
    guard part.count < shards.count else { return nil }
    shards = part
    return sum(try snapshot.count(need) { start })
  }

  func sum(stored: LateCrashTally, of wider: LateCrashCounting) -> LateCrashTally? { stored }

  func covers(_ other: LateCrashCounting) -> Bool {
    (target, channel, days) == (other.target, other.channel, other.days) && selection == other.selection
  }
}
