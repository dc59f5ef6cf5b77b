import Lifecycle
import Statistics
import Store

/// The days since a publication, the newest last, in which crashes of long launched devices are counted.
struct LateDays: Equatable {
  static let most = 28
  /// When the first of them begins, and when the last one ends.
  let start, end: Int64

  /// nil where there is no such day yet.
  ///
  /// - Parameter publishedAt: days are counted from then.
  init?(from publishedAt: Timestamp, until now: Timestamp) {
    guard publishedAt < now else { return nil }
    let passed = (now - publishedAt).rawValue / Self.length
    start = publishedAt.rawValue + max(passed + 1 - Int64(Self.most), 0) * Self.length
    end = now.rawValue
  }

  static let length = Milliseconds.days(1).rawValue
  var count: Int { Int((end - start - 1) / Self.length) + 1 }

  func interval(_ day: Int) -> (start: Timestamp, end: Timestamp) {
    let begin = start + Int64(day) * Self.length
    return (Timestamp(rawValue: begin), Timestamp(rawValue: min(begin + Self.length, end)))
  }
}

/// How many devices crashed in a release for the first time later than a day after they launched it: on each day, of those that had not
/// before, were heard of since the day began, and had taken no newer release.
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
  private let question: AftermathCounting
  private(set) var days: [Day]

  init(_ question: AftermathCounting) {
    self.question = question
    days = Array(repeating: Day(), count: question.days.count)
  }

  func interval(_ day: Int) -> (start: Timestamp, end: Timestamp) { question.days.interval(day) }

  mutating func count(_ page: borrowing ShardPage) throws {
    guard let channel = question.channel, let journeys = page.journeys(question.target, channel) else { return }
    var (launches, crashes) = (Takings(journeys, Self.launches), Takings(journeys, [.crashed]))
    var newer = question.newer.map { Takings(page.journeys($0, channel)) }
    for (index, device) in page.devices.devices.enumerated() where question.includes(index, page) {
      guard let launch = launches.first(device) else { continue }
      let crash = crashes.first(device) ?? .max
      let left = newer.indices.compactMap { newer[$0].first(device) }.min() ?? .max
      let last = try NewestContact.of(index, page, until: question.days.end) ?? .min
      watch(from: launch + LaunchCounts.watched.rawValue, until: min(crash, left, last), crash: crash)
    }
  }

  private static let launches: [Milestone] = [.applied, .confirmed, .running]

  /// - Parameter end: nothing is known of it afterwards, or another release's.
  private mutating func watch(from start: Int64, until end: Int64, crash: Int64) {
    guard end >= max(start, question.days.start) else { return }
    let length = LateDays.length
    let first = Int((max(start, question.days.start) - question.days.start) / length)
    let last = min(Int((end - question.days.start) / length), days.count - 1)
    guard first <= last else { return }
    for day in first...last { days[day].devices += 1 }
    if crash == end { days[last].crashed += 1 }
  }

  mutating func add(_ other: LateCrashTally, times: Int) {
    for day in days.indices { days[day].add(other.days[day], times: times) }
  }
}
