import Lifecycle
import Store

/// What every device ran at the moments of a `ReachHistoryCounting`, and runs at its cutoff.
struct ReachHistoryTally: Tally {
  let question: ReachHistoryCounting
  private(set) var segments: [ReachHistorySegment] = []
  /// By channel and then by platform: -1 where none was met yet.
  private var indexes: [Int64: [Int]] = [:]
  private var sweep = ReachSweep()
  private let instants: [Int64]
  private let window: Int64

  init(_ question: ReachHistoryCounting) {
    self.question = question
    (instants, window) = (question.instants, question.window.rawValue)
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    sweep.begin(try page.runs())
    try count(page, oneByOne: false)
  }

  /// - Parameter oneByOne: of a page of few devices, whose runs are read one by one.
  mutating func count(_ page: borrowing ShardPage, oneByOne: Bool) throws {
    defer { sweep.end() }
    var offers = StagedOffers(page, until: question.since.rawValue)
    for index in page.devices.devices.indices where !page.emulators[index] {
      if oneByOne { sweep.begin(try page.runs(of: index)) }
      load(page.devices, index)
      count(page, &offers, index)
    }
  }

  private mutating func load(_ devices: DeviceOutlines, _ index: Int) {
    let (first, since) = (instants.first ?? question.since.rawValue, question.since.rawValue)
    if devices.channels[index] != 0 {
      sweep.load(spans: devices, index, from: first, until: since)
    } else {
      sweep.load(index, from: first, until: since)
    }
  }

  private mutating func count(_ page: borrowing ShardPage, _ offers: inout StagedOffers, _ index: Int) {
    let platform = Int(page.platforms[index])
    var moment = 0
    while moment < instants.count {
      let instant = instants[moment]
      let isReachable = sweep.contact(at: instant) > instant - window
      let release = isReachable ? release(at: instant) : 0
      let end = end(
        of: moment, isReachable ? min(sweep.reachableUntil(window), sweep.runsItUntil(after: instant)) : sweep.nextAt)
      if isReachable { add(release, moment..<end, platform, page, &offers, index) }
      moment = end
    }
    let since = question.since.rawValue
    let contact = sweep.contact(at: since)
    guard contact > since - window else { return }
    // Those that go on are kept as they go on.
    note(release(at: since), page.devices.lastContact(index) ?? contact, platform, page, &offers, index)
  }

  /// The first moment at or after an instant, and after another one.
  private func end(of moment: Int, _ instant: Int64) -> Int {
    var end = moment + 1
    while end < instants.count, instants[end] < instant { end += 1 }
    return end
  }

  /// A release that the database does not know is as if nothing were said.
  private mutating func release(at instant: Int64) -> Int {
    let said = Int(sweep.release(at: instant))
    return said <= question.releases ? said : 0
  }

  private mutating func add(
    _ release: Int, _ span: Range<Int>, _ platform: Int, _ page: borrowing ShardPage, _ offers: inout StagedOffers,
    _ index: Int
  ) {
    let segment = segment(sweep.channel, platform)
    segments[segment].add(release, span)
    for place in segments[segment].staged.indices {
      let staged = segments[segment].staged[place]
      let own = span.clamped(to: staged.moments)
      if own.isEmpty { continue }
      let standing = staged.rules.standing(Int64(release))
      let offer = standing == .exactly ? nil : offers.offer(staged, sweep.channel, page, index)
      let eligible = offer.map { min(max(question.moment(notBefore: $0.at), own.lowerBound), own.upperBound) }
      let turn = eligible ?? own.lowerBound
      if let offer, turn > own.lowerBound {
        segments[segment].add(ReachState.kind(standing, offer.before), own.lowerBound..<turn, staged: place)
      }
      if turn < own.upperBound {
        segments[segment].add(ReachState.kind(standing, .yes), turn..<own.upperBound, staged: place)
      }
    }
  }

  /// Who is reachable at the cutoff.
  private mutating func note(
    _ release: Int, _ contact: Int64, _ platform: Int, _ page: borrowing ShardPage, _ offers: inout StagedOffers,
    _ index: Int
  ) {
    let segment = segment(sweep.channel, platform)
    segments[segment].note(release, heardOf: contact)
    for place in segments[segment].staged.indices where segments[segment].staged[place].isOpen {
      let staged = segments[segment].staged[place]
      let standing = staged.rules.standing(Int64(release))
      if standing == .exactly { continue }
      let eligibility = offers.offer(staged, sweep.channel, page, index).eligibility(at: question.since.rawValue)
      if eligibility == .yes { continue }
      segments[segment].note(ReachState.kind(standing, eligibility), heardOf: contact, staged: place)
    }
  }

  private mutating func segment(_ channel: Int64, _ platform: Int) -> Int {
    if let known = indexes[channel]?[platform], known >= 0 { return known }
    let platforms = question.profiles.platforms
    let group = Group(channel: question.vocabulary.name(channel), platform: platforms[platform])
    indexes[channel, default: Array(repeating: -1, count: platforms.count)][platform] = segments.count
    segments.append(ReachHistorySegment(group, question))
    return segments.count - 1
  }

  mutating func add(_ other: ReachHistoryTally, times: Int) {
    for (channel, platforms) in other.indexes {
      for (platform, theirs) in platforms.enumerated() where theirs >= 0 {
        segments[segment(channel, platform)].add(other.segments[theirs], times: times)
      }
    }
  }
}

/// What the journeys of one shard say of the rollouts of releases.
private struct StagedOffers {
  private struct Place: Hashable {
    var release: Int64
    var channel: Int64
  }
  private struct Journeys {
    var table: JourneyTable
    /// Of each device of the page its journey, or `SortedJoin.none`.
    var rows: [Int32]
  }
  private var journeys: [Place: Journeys] = [:]
  private let cutOff: Int64

  init(_ page: borrowing ShardPage, until cutOff: Int64) {
    self.cutOff = cutOff
    for one in page.journeys {
      var found = Journeys(table: JourneyTable(one.shard, until: cutOff), rows: [])
      SortedJoin.indexes(of: page.devices.devices, in: one.shard.devices, into: &found.rows)
      journeys[Place(release: one.release, channel: one.channel)] = found
    }
  }

  func offer(_ staged: StagedRules, _ channel: Int64, _ page: borrowing ShardPage, _ index: Int) -> ReachOffer {
    let known = journeys[Place(release: staged.release, channel: channel)]
    let row = known.flatMap { known in
      known.rows[index] == SortedJoin.none ? nil : known.table.row(Int(known.rows[index]), isStaged: true)
    }
    return staged.rules.offer(
      bucket: row?.bucket ?? page.devices.bucket(index, until: cutOff), offeredAt: row?.offeredAt ?? .max)
  }
}
