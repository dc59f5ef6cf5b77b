import Lifecycle
import Store

/// Offers and first attempts of every release, and what reachable devices run. Adds up in any order.
struct ReleaseCounts: Mergeable, Equatable {
  struct Place: Hashable {
    var release: Int64
    var channel: String
    init(_ release: Int64, _ channel: String) { (self.release, self.channel) = (release, channel) }
  }
  let cutOff: Timestamp
  private(set) var offered: [Place: Int] = [:]
  private(set) var attempts: [Place: AttemptCounts] = [:]
  /// Up to the instant that the answer is made for, as in a verdict.
  private(set) var launches: [Place: LaunchSums] = [:]
  /// Reachable devices by what they run; release 0 where they never said.
  private(set) var running: [Place: Int] = [:]
  private(set) var reachable: [String: Int] = [:]
  /// Of releases that nobody waits for any more, where it was summarised.
  private(set) var settled: [Place: ReleaseFigures] = [:]
  /// What another cutoff would count otherwise, where that is to be kept.
  private(set) var pending: PendingCounts?

  init(cutOff: Timestamp, keepsPending: Bool = false) {
    self.cutOff = cutOff
    pending = keepsPending ? PendingCounts() : nil
  }

  mutating func add(_ other: ReleaseCounts, times: Int) {
    offered.add(other.offered, times: times)
    for (place, more) in other.attempts {
      attempts[place, default: .init()].add(more, times: times)
      if attempts[place] == AttemptCounts() { attempts[place] = nil }
    }
    for (place, more) in other.launches {
      launches[place, default: .init()].add(more, times: times)
      if launches[place] == LaunchSums() { launches[place] = nil }
    }
    running.add(other.running, times: times)
    reachable.add(other.reachable, times: times)
    if let more = other.pending { pending?.add(more, times: times) }
  }
}

// MARK: by what was counted before

extension ReleaseCounts {
  mutating func note(
    _ place: Place, _ counted: CountedRelease, _ tally: AttemptCounts, reachable devices: Int
  ) {
    settled[place] = counted.figures
    offered[place] = counted.offered
    attempts[place] = tally
    launches[place] = counted.launches
    running[place] = devices
    reachable[place.channel, default: 0] += devices
  }
}

extension ReleaseCounts {
  /// Of a release that ended all but who runs it; who was still young then only where that is kept.
  mutating func note(_ place: Place, ended counted: CountedRelease) {
    var tally = AttemptCounts()
    (tally.attempts, tally.failed) = (counted.attempts, counted.failed)
    (offered[place], attempts[place], launches[place]) = (counted.offered, tally, counted.launches)
    if !counted.young.isEmpty { pending?.young[place] = counted.young }
  }
}

// MARK: from devices

extension ReleaseCounts {
  /// - Parameter releases: whose offers and attempts are counted.
  mutating func count(_ page: borrowing ShardPage, _ question: RiskCounting, of releases: Set<Int64>) throws {
    for journeys in page.journeys where releases.contains(journeys.release) { try count(journeys, page, question) }
  }

  private mutating func count(
    _ journeys: Snapshot.Journeys, _ page: borrowing ShardPage, _ question: RiskCounting
  ) throws {
    let (selection, vocabulary) = (question.selection, question.vocabulary)
    let segments = Segments(journeys, selection, question.timeline, question.profiles, vocabulary)
    let (columns, options, slices) = (AttemptColumns(journeys.shard), Failures.Options(), question.slices)
    let place = Place(journeys.release, segments.channel)
    var (offers, counts, join) = (0, AttemptCounts(), SortedJoin(page.devices.devices))
    var launched = LaunchCounts()
    for (journey, device) in journeys.shard.devices.enumerated() {
      guard let index = join.index(of: device), selection.includesEmulators || !page.emulators[index],
        case let platform = Int(page.platforms[index]), segments.isIncluded[platform]
      else { continue }
      let found = try columns.attempt(journey) {
        try page.isChange(index, to: journeys, since: segments.since[platform], before: $0)
      }
      if let found, found.start.at <= selection.now,
        slices.number(page.devices, index, at: found.start.at.rawValue) >= 0
      {
        launched.add(found, now: selection.now)
      }
      let begun = min(found?.start ?? .never, columns.offer(journey) ?? .never).at
      guard begun <= cutOff, slices.number(page.devices, index, at: begun.rawValue) >= 0 else { continue }
      offers += 1
      guard let attempt = found, attempt.start.at <= cutOff else { continue }
      counts.add(attempt, cutOff, options, vocabulary)
      pending?.note(attempt, cutOff, place, vocabulary)
    }
    if launched.launched > 0 { launches[place, default: .init()].add(LaunchSums(launched)) }
    if offers > 0 { offered[place, default: 0] += offers }
    if counts != AttemptCounts() { attempts[place, default: .init()].add(counts) }
  }

  /// What reachable devices run: those of one channel by their outline, unless they have contacts after the cutoff.
  ///
  /// - Parameter apart: devices that are left out.
  mutating func countRunning(
    _ page: borrowing ShardPage, _ question: RiskCounting, without apart: Set<UInt64> = []
  ) throws {
    let (devices, selection) = (page.devices, question.selection)
    let shortest = (cutOff - selection.reachWindow).rawValue
    var (sweep, running) = (ReachSweep(), RunningCounts(question))
    for index in devices.devices.indices where selection.includesEmulators || !page.emulators[index] {
      if !apart.isEmpty, apart.contains(devices.devices[index]) { continue }
      let spans = devices.spanOffsets[index]..<devices.spanOffsets[index + 1]
      let channel = devices.channels[index]
      guard channel != 0, let last = spans.last, devices.spanEnds[last] <= cutOff.rawValue else {
        if channel == 0 || devices.spanStarts[spans.lowerBound] <= cutOff.rawValue {
          try countRunning(page, index, &sweep, question)
        }
        continue
      }
      guard devices.spanEnds[last] > shortest, running.includes(channel, Int(page.platforms[index])),
        question.slices.number(devices, index, at: cutOff.rawValue) >= 0
      else { continue }
      running.add(devices.running[index])
      if pending != nil {
        pending?.contacts[Place(devices.running[index], running.channel), default: []].append(devices.spanEnds[last])
      }
    }
    for (channel, releases) in running.finished { add(releases, channel) }
  }

  private mutating func countRunning(
    _ page: borrowing ShardPage, _ index: Int, _ sweep: inout ReachSweep, _ question: RiskCounting
  ) throws {
    let runs = try page.runs(of: index)
    sweep.begin(runs)
    sweep.load(index, until: cutOff.rawValue)
    let contact = sweep.contact(at: cutOff.rawValue)
    guard contact > (cutOff - question.selection.reachWindow).rawValue,
      question.slices.number(page.devices, index, at: cutOff.rawValue) >= 0
    else { return }
    let channel = question.vocabulary.name(sweep.channel)
    let platform = question.profiles.platforms[Int(page.platforms[index])]
    guard question.selection.includes(Group(channel: channel, platform: platform)) else { return }
    let place = Place(sweep.release(at: cutOff.rawValue), channel)
    reachable[channel, default: 0] += 1
    running[place, default: 0] += 1
    pending?.contacts[place, default: []].append(contact)
  }

  /// - Parameter releases: devices by the release that they run.
  private mutating func add(_ releases: [Int], _ channel: String) {
    for (release, count) in releases.enumerated() where count > 0 {
      reachable[channel, default: 0] += count
      running[Place(Int64(release), channel), default: 0] += count
    }
  }
}

/// Devices of a page by channel and by what they run, without hashing for each.
private struct RunningCounts {
  private let question: RiskCounting
  private(set) var channel = ""
  private var number = Int64(-1)
  private var isIncluded: [Bool] = []
  private var counts: [Int] = []
  private var lists: [String: [Int]] = [:]

  init(_ question: RiskCounting) { self.question = question }

  var finished: [String: [Int]] {
    var copy = self
    copy.store()
    return copy.lists
  }

  /// Whether the question looks at a channel, by its number, and platform.
  @inline(__always)
  mutating func includes(_ channel: Int64, _ platform: Int) -> Bool {
    if channel != number { turn(to: channel) }
    return isIncluded[platform]
  }

  mutating func add(_ release: Int64) {
    let release = Int(release)
    if release >= counts.count { counts += repeatElement(0, count: release + 1 - counts.count) }
    counts[release] += 1
  }

  private mutating func turn(to channel: Int64) {
    store()
    number = channel
    self.channel = question.vocabulary.name(channel)
    counts = lists.removeValue(forKey: self.channel) ?? []
    isIncluded = question.profiles.platforms.map {
      question.selection.includes(Group(channel: self.channel, platform: $0))
    }
  }

  private mutating func store() { if number >= 0 { lists[channel] = counts } }
}
