import Lifecycle
import Store

/// Goes over all devices for a diagnosis: who is there, who could have the newest release, and who has it.
struct FleetTally: Tally {
  var newest: NewestContact
  var cells: [FleetKey: FleetCounts] = [:]
  var channels: [Int64: ChannelContacts] = [:]
  /// Devices heard of within the last week that changed their channel: from which one they came to the one where they are.
  var moves: [ChannelTally.Move: Int] = [:]
  /// Devices of which nothing but one instant is known, by the hour of it; only hours that lie a day back.
  var onceSeen: [Int64: Int] = [:]
  private let question: FleetCounting
  private var background: [BackgroundReports] = []
  private var places: [Int64: Int?] = [:]
  private var stays = Stays()

  init(_ question: FleetCounting) {
    self.question = question
    newest = NewestContact(until: question.cutOff)
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    try newest.note(page)
    try noteBackground(page)
    var journeys = page.journeys.compactMap { TargetJourneys($0, place($0.channel).map { question.targets[$0] }) }
    for index in page.devices.devices.indices where question.extent.includesEmulators || !page.emulators[index] {
      // Who moved between channels is nobody's typical device.
      guard page.devices.channels[index] != 0 else {
        try noteMove(index, page)
        continue
      }
      guard question.includes(page, index, page.devices.channels[index]) else { continue }
      try count(index, page, &journeys)
    }
  }

  /// Runs are read of these devices alone.
  private mutating func noteMove(_ index: Int, _ page: borrowing ShardPage) throws {
    let cutOff = question.cutOff.rawValue
    stays.load(try page.runs(of: index), index, until: cutOff)
    guard let now = stays.list.last, let before = stays.list.dropLast().last,
      cutOff - stays.lastContact(now) <= FleetCounting.active.rawValue, question.includes(page, index, before.channel)
    else { return }
    moves[ChannelTally.Move(from: before.channel, to: now.channel), default: 0] += 1
  }

  /// Where the newest release of a channel is; nil where it has none. Each name is compared once.
  private mutating func place(_ channel: Int64) -> Int? {
    if let known = places[channel] { return known }
    let name = question.names.vocabulary.name(channel)
    let place = question.targets.firstIndex { $0.channel == name }
    places[channel] = .some(place)
    return place
  }

  private mutating func noteBackground(_ page: borrowing ShardPage) throws {
    let cutOff = question.cutOff
    var noted = Array(repeating: BackgroundReports(), count: page.devices.devices.count)
    try page.eachInBackground(includesEmulators: true) { _, index, facts in
      guard let index else { return }
      noted[index] = facts.reduce(into: noted[index]) { $0.note($1, until: cutOff) }
    }
    background = noted
  }

  private mutating func count(_ index: Int, _ page: borrowing ShardPage, _ journeys: inout [TargetJourneys]) throws {
    let (cutOff, devices) = (question.cutOff.rawValue, page.devices)
    let spans = devices.spanOffsets[index]..<devices.spanOffsets[index + 1]
    guard !spans.isEmpty, let last = try NewestContact.of(index, page, until: cutOff) else { return }
    let first = devices.spanStarts[spans.lowerBound]
    var counts = FleetCounts(known: 1)
    let heard = background[index].heard
    (counts.lately, counts.aDayBefore, counts.aWeekBefore) = (
      heard.lately ? 1 : 0, heard.aDayBefore ? 1 : 0, heard.aWeekBefore ? 1 : 0
    )
    if !question.isPast,
      devices.spanEnds[spans.upperBound - 1] > question.extent.now.rawValue + RiskRules.tolerance.rawValue
    {
      counts.ahead = 1
    }
    noteContact(devices.channels[index], first, last)
    if isVisitor(first, last) {
      counts.visitors = 1
      if last - first < Milliseconds.hours(1).rawValue { counts.brief = 1 }
    }
    if spans.count == 1, devices.spanEnds[spans.lowerBound] == first, cutOff - first > Milliseconds.days(1).rawValue {
      onceSeen[first / 3_600_000, default: 0] += 1
    }
    if cutOff - last <= FleetCounting.active.rawValue {
      counts.active = 1
      if last - first >= FleetCounting.settled.rawValue { counts.settled = 1 }
      if counts.settled == 1, background[index].isRefreshed { counts.refreshed = 1 }
      if counts.settled == 1, background[index].isReported { counts.reporting = 1 }
      try judge(index, page, last, &journeys, &counts)
    }
    cells[key(index, page), default: FleetCounts()].add(counts)
  }

  private mutating func noteContact(_ channel: Int64, _ first: Int64, _ last: Int64) {
    var contacts = channels[channel] ?? ChannelContacts()
    contacts.newest = max(contacts.newest, last)
    if last > question.cutOff.rawValue - Milliseconds.days(1).rawValue { contacts.lately += 1 }
    if isVisitor(first, last) { contacts.before += 1 }
    channels[channel] = contacts
  }

  /// Heard of in the week before the last day, or before and after it.
  private func isVisitor(_ first: Int64, _ last: Int64) -> Bool {
    let (cutOff, day) = (question.cutOff.rawValue, Milliseconds.days(1).rawValue)
    return last > cutOff - 8 * day && first <= cutOff - day
  }

  /// Whether it could have the newest release of its channel for days, and got it.
  private mutating func judge(
    _ index: Int, _ page: borrowing ShardPage, _ last: Int64, _ journeys: inout [TargetJourneys],
    _ counts: inout FleetCounts
  ) throws {
    let (devices, channel) = (page.devices, page.devices.channels[index])
    guard let target = place(channel).map({ question.targets[$0] }),
      let publishedAt = target.publishedAt[Int(page.platforms[index])]
    else { return }
    let bucket = devices.bucket(index)
    let own = journeys.firstIndex { $0.channel == channel }
    let journey = own.map { journeys[$0].journey(devices.devices[index]) } ?? UpdateJourney()
    try note(journey, index, page, target, since: publishedAt, &counts)
    if target.eligibility.isStaged, bucket == nil { return }
    let from = max(
      bucket.map { target.eligibility.at(bucket: $0) } ?? target.eligibility.publishedAt,
      devices.spanStarts[devices.spanOffsets[index]])
    guard from != .max, question.cutOff.rawValue - from >= FleetCounting.patience.rawValue,
      last - from >= FleetCounting.heard.rawValue
    else { return }
    counts.eligible = 1
    let isUpdated = journey.isApplied || target.current.contains(devices.running[index])
    if isUpdated { counts.updated = 1 }
    if isUpdated || journey.isTouched { counts.touched = 1 }
  }

  /// What an update to the newest release says of the client, however long the device could have it.
  private func note(
    _ journey: UpdateJourney, _ index: Int, _ page: borrowing ShardPage, _ target: FleetCounting.Target,
    since publishedAt: Timestamp, _ counts: inout FleetCounts
  ) throws {
    let devices = page.devices
    if counts.settled == 1, journey.cameByRefresh { counts.refreshed = 1 }
    if let pushedAt = journey.pushedAt, question.extent.since.map({ pushedAt >= $0 }) ?? true { counts.pushed = 1 }
    // What was applied before the release was published again, as the way back from a bad one, is no update to it.
    guard target.start.haltedAt == nil, let appliedAt = journey.appliedAt, appliedAt >= publishedAt else { return }
    counts.applied = 1
    if journey.begin == devices.spanStarts[devices.spanOffsets[index]] { counts.unheard = 1 }
    let running = devices.running[index]
    guard !journey.isRolledBack, target.older.contains(running) else { return }
    // Runs are read of these devices alone. Who ran another build before, and never that of the store, has an update of the app since.
    let isUpdateOfApp =
      try target.builds.contains(running)
      && page.runs(of: index).isNew(running, to: index, in: devices.channels[index], at: appliedAt.rawValue)
    if !isUpdateOfApp { counts.undone = 1 }
  }

  private func key(_ index: Int, _ page: borrowing ShardPage) -> FleetKey {
    let (profiles, devices, cutOff) = (question.names.profiles, page.devices, question.cutOff.rawValue)
    return FleetKey(
      channel: devices.channels[index], platform: Int(page.platforms[index]),
      osVersion: question.systems.number(devices, index, at: cutOff),
      sdkVersion: question.clients.number(devices, index, at: cutOff),
      appVersion: profiles.version(devices, index, at: cutOff), bucket: devices.bucket(index))
  }

  mutating func add(_ other: FleetTally, times: Int) {
    newest.add(other.newest, times: times)
    for (key, counts) in other.cells { cells[key, default: FleetCounts()].add(counts, times: times) }
    for (channel, contacts) in other.channels {
      channels[channel, default: ChannelContacts()].add(contacts, times: times)
    }
    moves.add(other.moves, times: times)
    onceSeen.add(other.onceSeen, times: times)
  }
}
