import Lifecycle
import Store

/// Offers and first attempts of every release, and what reachable devices run. Adds up in any order.
struct ReleaseCounts: Equatable {
  struct Place: Hashable {
    var release: Int64
    var channel: String
    init(_ release: Int64, _ channel: String) { (self.release, self.channel) = (release, channel) }
  }
  let cutOff: Timestamp
  private(set) var offered: [Place: Int] = [:]
  private(set) var attempts: [Place: AttemptWalk.Tally] = [:]
  /// Reachable devices by what they run; release 0 where they never said.
  private(set) var running: [Place: Int] = [:]
  private(set) var reachable: [String: Int] = [:]
  /// Of releases that nobody waits for any more, where it was summarised.
  private(set) var settled: [Place: ReleaseFigures] = [:]
  /// What another cut-off would count otherwise, where that is to be kept.
  private(set) var pending: PendingCounts?

  init(cutOff: Timestamp, keepsPending: Bool = false) {
    self.cutOff = cutOff
    pending = keepsPending ? PendingCounts() : nil
  }

  mutating func add(_ other: ReleaseCounts) {
    offered.merge(other.offered, uniquingKeysWith: +)
    attempts.merge(other.attempts) { $0.adding($1) }
    running.merge(other.running, uniquingKeysWith: +)
    reachable.merge(other.reachable, uniquingKeysWith: +)
    if let more = other.pending { pending?.add(more) }
  }
}

// MARK: by what was counted before

extension ReleaseCounts {
  mutating func note(
    _ place: Place, offered count: Int, _ tally: AttemptWalk.Tally, reachable devices: Int, _ figures: ReleaseFigures?
  ) {
    settled[place] = figures
    offered[place] = count
    attempts[place] = tally
    running[place] = devices
    reachable[place.channel, default: 0] += devices
  }
}

// MARK: by contact runs

extension ReleaseCounts {
  /// - Parameter sweep: used for one device after another.
  mutating func add(
    _ view: DeviceView, _ sweep: inout ReachSweep, _ selection: Selection, _ timeline: Timeline,
    _ vocabulary: Vocabulary
  ) {
    guard selection.includesEmulators || !view.history.isEmulator else { return }
    let platform = view.history.platform
    for journey in view.journeys {
      let channel = vocabulary.name(journey.channel)
      guard selection.includes(Group(channel: channel, platform: platform)) else { continue }
      let place = Place(journey.release, channel)
      let since = timeline.changesSince(journey.release, channel: channel, platform: platform)
      let attempt = view.history.attempt(journey, since: since)
      guard let start = attempt?.start ?? journey.offer, start.at <= cutOff else { continue }
      offered[place, default: 0] += 1
      guard let attempt else { continue }
      attempts[place, default: .init()].add(attempt, cutOff, Failures.Options(), vocabulary)
      pending?.note(attempt, cutOff, place)
    }
    addRunning(view.history, &sweep, selection, vocabulary)
  }

  private mutating func addRunning(
    _ history: DeviceHistory, _ sweep: inout ReachSweep, _ selection: Selection, _ vocabulary: Vocabulary
  ) {
    sweep.load(history.uncutRuns, until: cutOff)
    guard let contact = sweep.contact(at: cutOff.rawValue), contact > (cutOff - selection.reachWindow).rawValue else {
      return
    }
    let channel = vocabulary.name(sweep.channel)
    guard selection.includes(Group(channel: channel, platform: history.platform)) else { return }
    let place = Place(sweep.release(at: cutOff.rawValue), channel)
    reachable[channel, default: 0] += 1
    running[place, default: 0] += 1
    pending?.contacts[place, default: []].append(contact)
  }
}

extension JourneyView {
  fileprivate var offer: FirstTime? {
    let available = first(.available)
    return available.happened ? available : nil
  }
}

// MARK: by outlines

extension ReleaseCounts {
  /// - Parameter walk: has been over the page.
  mutating func add(_ page: OutlinePage, _ walk: inout OutlineWalk, _ read: () throws -> DeviceShard) throws {
    for journeys in page.journeys { try add(journeys, page.outlines, &walk, read) }
    var tallies = walk.places.map { _ in [Int]() }
    var sweep = ReachSweep()
    let shortest = (cutOff - walk.question.selection.reachWindow).rawValue
    for index in page.outlines.devices.indices {
      if walk.emulators[index], !walk.question.selection.includesEmulators { continue }
      let place = walk.placeOf[index]
      if place == OutlineWalk.absent { continue }
      let spans = page.outlines.spanOffsets[index]..<page.outlines.spanOffsets[index + 1]
      guard place >= 0, let last = spans.last, page.outlines.spanEnds[last] <= cutOff.rawValue else {
        let question = walk.question
        let history = DeviceHistory(try walk.shard(read), index, until: cutOff, question.vocabulary.profiles)
        addRunning(history, &sweep, question.selection, question.vocabulary)
        continue
      }
      guard page.outlines.spanEnds[last] > shortest else { continue }
      let running = Int(page.outlines.running[index])
      if running >= tallies[place].count {
        tallies[place] += repeatElement(0, count: running + 1 - tallies[place].count)
      }
      tallies[place][running] += 1
      if pending != nil {
        pending?.contacts[
          Place(page.outlines.running[index], walk.places[place].group.channel ?? ""), default: []
        ].append(page.outlines.spanEnds[last])
      }
    }
    for (place, releases) in tallies.enumerated() { add(releases, walk.places[place].group.channel ?? "") }
  }

  /// - Parameter releases: devices by the release that they run.
  private mutating func add(_ releases: [Int], _ channel: String) {
    for (release, count) in releases.enumerated() where count > 0 {
      reachable[channel, default: 0] += count
      running[Place(Int64(release), channel), default: 0] += count
    }
  }

  private mutating func add(
    _ journeys: Snapshot.Journeys, _ outlines: DeviceOutlines, _ walk: inout OutlineWalk,
    _ read: () throws -> DeviceShard
  ) throws {
    let channel = walk.question.vocabulary.name(journeys.channel)
    let selection = walk.question.selection
    let (platforms, timeline) = (walk.question.profiles.platforms, walk.question.timeline)
    let isIncluded = platforms.map { selection.includes(Group(channel: channel, platform: $0)) }
    let since = platforms.map { timeline.changesSince(journeys.release, channel: channel, platform: $0) }
    let (columns, cutOff, vocabulary) = (AttemptColumns(journeys.shard), cutOff, walk.question.vocabulary)
    let (platformOf, emulators, options) = (walk.platformOf, walk.emulators, Failures.Options())
    var (index, offers, tally) = (0, 0, AttemptWalk.Tally())
    for (place, device) in journeys.shard.devices.enumerated() {
      while index < outlines.devices.count, outlines.devices[index] < device { index += 1 }
      guard index < outlines.devices.count, outlines.devices[index] == device,
        selection.includesEmulators || !emulators[index], isIncluded[platformOf[index]]
      else { continue }
      let found = try columns.attempt(place) {
        try walk.isChange(index, to: journeys, since: since[platformOf[index]], before: $0, outlines, read)
      }
      guard let start = found?.start ?? columns.offer(place), start.at <= cutOff else { continue }
      offers += 1
      guard let attempt = found else { continue }
      tally.add(attempt, cutOff, options, vocabulary)
      pending?.note(attempt, cutOff, Place(journeys.release, channel))
    }
    if offers > 0 { offered[Place(journeys.release, channel), default: 0] += offers }
    if tally != AttemptWalk.Tally() {
      let key = Place(journeys.release, channel)
      attempts[key] = (attempts[key] ?? .init()).adding(tally)
    }
  }
}
