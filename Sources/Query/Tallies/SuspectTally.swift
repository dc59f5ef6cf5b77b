import Lifecycle
import Store

/// Adds up by each thing by itself: of a million models and regions together hardly any would be met.
///
/// Of what devices say of themselves counts what they had said as the attempt began. What they say only afterwards may rest on how it
/// ended: where the new release alone names the model, all that fail to get it are of an unknown one.
struct SuspectTally: Tally {
  let question: SuspectCounting
  private(set) var emulators = 0
  private(set) var newest: NewestContact
  private(set) var all = SuspectCounts()
  /// Attempts at the release by the quarter of an hour of their start, failed as far as they did within `FaultHours.age`.
  private(set) var quarters: [Int64: WatchedAttempts] = [:]
  private(set) var channels: [Int64: SuspectCounts] = [:]
  private(set) var platforms, mechanisms: [SuspectCounts]
  /// By the index of what devices say of themselves, and the number of a value.
  private(set) var slices: [[SuspectCounts]]
  /// Likewise, attempts at the release of devices that said it first with an attempt's end.
  private(set) var late: [Int]

  init(_ question: SuspectCounting) {
    self.question = question
    newest = NewestContact(until: question.cutOff.at)
    platforms = Array(repeating: .init(), count: question.profiles.platforms.count)
    mechanisms = Array(repeating: .init(), count: 8)
    slices = question.slices.map { Array(repeating: .init(), count: $0.count) }
    late = question.slices.map { _ in 0 }
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    try newest.note(page)
    var areEmulators = Set<Int>()
    for journeys in page.journeys {
      guard let isBefore = question.releases[journeys.release],
        question.excluded != FleetTrait(by: .channel, number: Int(journeys.channel))
      else { continue }
      try count(journeys, isBefore: isBefore, page, &areEmulators)
    }
    emulators += areEmulators.count
  }

  mutating func add(_ other: SuspectTally, times: Int) {
    newest.add(other.newest, times: times)
    emulators += times * other.emulators
    all.add(other.all, times: times)
    for (quarter, attempts) in other.quarters { quarters[quarter, default: .init()].add(attempts, times: times) }
    for (channel, counts) in other.channels { channels[channel, default: .init()].add(counts, times: times) }
    platforms.add(other.platforms, times: times)
    mechanisms.add(other.mechanisms, times: times)
    for index in slices.indices {
      slices[index].add(other.slices[index], times: times)
      late[index] += times * other.late[index]
    }
  }

  private mutating func count(
    _ journeys: Snapshot.Journeys, isBefore: Bool, _ page: borrowing ShardPage, _ areEmulators: inout Set<Int>
  ) throws {
    let (asked, cutOff) = (question, question.cutOff.at)
    let segments = Segments(journeys, asked.selection, asked.timeline, asked.profiles, asked.vocabulary)
    var whole = WatchedAttempts()
    var numbers = Array(repeating: 0, count: slices.count)
    try page.forEachAttempt(
      at: journeys, segments, until: cutOff, leavesOutEmulators: !asked.selection.includesEmulators, &areEmulators
    ) { attempt, index, platform in
      let (instant, mechanism) = (attempt.start.at.rawValue, Int(attempt.start.rawValue & 7))
      guard asked.only.number(page.devices, index, at: instant) >= 0 else { return }
      for slice in asked.slices.indices {
        numbers[slice] = asked.slices[slice].number(page.devices, index, saidBy: instant)
      }
      if asked.excludes(platform: platform, mechanism: mechanism, numbers) || !asked.includes(instant) { return }
      func counts(by end: Timestamp) -> WatchedAttempts {
        let hasFailed = attempt.knownFailure(by: end, asked.options, asked.vocabulary) != nil
        return WatchedAttempts(attempts: 1, failures: hasFailed ? 1 : 0)
      }
      let early = counts(by: min(cutOff, attempt.start.at + FaultHours.age))
      let one = asked.side == nil ? counts(by: cutOff) : early
      whole.add(one)
      if !isBefore { quarters[FaultHours.quarter(instant), default: .init()].add(early) }
      platforms[platform].add(one, isBefore: isBefore)
      mechanisms[mechanism].add(one, isBefore: isBefore)
      let isOver = !isBefore && attempt.endsAsItStarts
      for slice in numbers.indices {
        slices[slice][numbers[slice]].add(one, isBefore: isBefore)
        if isOver, numbers[slice] != 0, asked.slices[slice].number(page.devices, index, saidBy: instant - 1) == 0 {
          late[slice] += 1
        }
      }
    }
    guard whole.attempts > 0 else { return }
    all.add(whole, isBefore: isBefore)
    channels[journeys.channel, default: .init()].add(whole, isBefore: isBefore)
  }
}

extension [SuspectCounts] {
  fileprivate mutating func add(_ other: Self, times: Int) {
    for index in indices { self[index].add(other[index], times: times) }
  }
}

extension SuspectTally {
  /// Each value that an attempt had, of each thing that devices differ in. Where those that got the release said it only then, that others
  /// did not tells nothing.
  var parts: [FleetTrait: SuspectCounts] {
    var parts: [FleetTrait: SuspectCounts] = [:]
    func add(_ by: Grouping, _ counts: [SuspectCounts]) {
      for (number, counts) in counts.enumerated() where counts != .init() {
        parts[FleetTrait(by: by, number: number)] = counts
      }
    }
    for (channel, counts) in channels where counts != .init() {
      parts[FleetTrait(by: .channel, number: Int(channel))] = counts
    }
    add(.platform, platforms)
    add(.mechanism, mechanisms)
    for (slice, counts) in zip(question.slices, slices) { add(.slice(slice.fields[0]), counts) }
    for (slice, late) in zip(question.slices, late) where areNotable(late, of: all.own.attempts) {
      parts[FleetTrait(by: .slice(slice.fields[0]), number: 0)] = nil
    }
    return parts
  }

  func name(_ trait: FleetTrait) -> String {
    let (vocabulary, profiles) = (question.vocabulary, question.profiles)
    let name: String? =
      switch trait.by {
      case .channel: vocabulary.name(Int64(trait.number))
      case .platform: profiles.platforms[trait.number]
      case .mechanism: FirstTime(rawValue: Int64(trait.number)).trigger.rawValue
      case .slice(let field): profiles.column(field).names[trait.number]
      }
    return name ?? Group.unnamed
  }
}
