import Lifecycle
import Statistics
import Store

/// How many devices crashed in a release, or were rolled back from it, for the first time later than a day after they launched it: on each
/// day, of those that had launched it before that day and to which it could still happen.
///
/// Kept apart by platform. Whether a device was heard of is not asked: what is known of a day would change with what comes later.
struct LateHarmTally: Tally {
  /// Of one kind of harm.
  struct Course: Mergeable, Equatable {
    /// Of those that launched it, whenever it happened.
    var all = AffectedDevices()
    var days: [AffectedDevices]

    mutating func add(_ other: Self, times: Int) {
      all.add(other.all, times: times)
      for day in days.indices { days[day].add(other.days[day], times: times) }
    }
  }

  /// Of the devices of one platform.
  struct Part: Mergeable, Equatable {
    var crashes: Course
    var rollbacks: Course

    init(days: Int) {
      crashes = Course(days: Array(repeating: AffectedDevices(), count: days))
      rollbacks = crashes
    }

    mutating func add(_ other: Self, times: Int) {
      crashes.add(other.crashes, times: times)
      rollbacks.add(other.rollbacks, times: times)
    }
  }

  private let question: LateHarmCounting
  /// By the number of the platform.
  private var parts: [Int: Part] = [:]
  /// Whether a random part of the devices was looked at.
  var isSample: Bool { question.isSample }

  init(_ question: LateHarmCounting) { self.question = question }

  func interval(_ day: Int) -> (start: Timestamp, end: Timestamp) { question.days.interval(day) }
  /// From the publication.
  func number(_ day: Int) -> Int { question.days.first + day }

  func whole(_ kind: KeyPath<Part, Course>) -> Course {
    parts.values.reduce(into: Part(days: question.days.count)) { $0.add($1, times: 1) }[keyPath: kind]
  }

  /// By name, which is empty for devices that name none.
  func platforms(_ kind: KeyPath<Part, Course>) -> [(platform: String, course: Course)] {
    parts.map { (platform: question.platforms[$0.key] ?? "", course: $0.value[keyPath: kind]) }
      .sorted { $0.platform < $1.platform }
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    guard let channel = question.channel, let journeys = page.journeys(question.target, channel) else { return }
    var (launches, crashes) = (Takings(journeys, Self.launches), Takings(journeys, [.crashed]))
    var rollbacks = Takings(journeys, [.rolledBack])
    var newer = question.newer.map { Takings(page.journeys($0, channel), Self.launches) }
    for (index, device) in page.devices.devices.enumerated() where question.includes(index, page) {
      let (crash, rollback) = (crashes.first(device) ?? .max, rollbacks.first(device) ?? .max)
      let launch = min(launches.first(device) ?? .max, crash, rollback)
      guard launch < question.days.now else { continue }
      let left = newer.indices.compactMap { newer[$0].first(device) }.min() ?? .max
      let platform = Int(page.platforms[index])
      var part = parts.removeValue(forKey: platform) ?? Part(days: question.days.count)
      part.crashes.watch(launch, crash, until: min(rollback, left), question.days)
      let lowered = question.lowered.first { $0 >= launch } ?? .max
      part.rollbacks.watch(launch, rollback, until: min(left, lowered), question.days)
      parts[platform] = part
    }
  }

  static let launches: [Milestone] = [.applied, .confirmed, .running]

  mutating func add(_ other: LateHarmTally, times: Int) {
    for (platform, part) in other.parts {
      parts[platform, default: Part(days: question.days.count)].add(part, times: times)
    }
  }
}

extension LateHarmTally.Course {
  /// - Parameters:
  ///   - harm: when it happened.
  ///   - end: what happens later is none of the release's.
  fileprivate mutating func watch(_ launch: Int64, _ harm: Int64, until end: Int64, _ asked: LateDays) {
    let (start, length, happened) = (asked.start, LateDays.length, harm <= end && harm < asked.now)
    all.add(.init(devices: 1, affected: happened ? 1 : 0), times: 1)
    // The first day that begins after the launch, and the last that begins before all is over.
    let first = launch < start ? 0 : Int((launch - start) / length) + 1
    let over = min(harm, end, asked.now)
    guard over >= start else { return }
    let last = min(Int((over - start) / length), days.count - 1)
    guard first <= last else { return }
    for day in first...last { days[day].devices += 1 }
    if happened, harm - launch >= LaunchCounts.watched.rawValue { days[last].affected += 1 }
  }
}
