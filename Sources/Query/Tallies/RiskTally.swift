import Lifecycle
import Statistics
import Store

/// The time at risk for some releases, by channel, platform and what else is asked for.
///
/// Most devices are judged by the spans of their contacts; those that were on several channels, or of which spans tell too
/// little, by their contact runs. Tested against an object for each step in Tests/QueryTests/Oracle.
struct RiskTally: Tally {
  let question: RiskCounting
  let numbers: CellNumbers
  private(set) var segments: [RiskSegment] = []
  private var indexes: [Int: Int] = [:]
  var newest: NewestContact
  private var stays = Stays()
  /// Of the page at hand: devices that have no span to go by.
  private var apart: [Int] = []
  private var matches: [Int32] = []
  private var newer: [NewerUpdates] = []
  /// With the places of the two among the targets.
  let pairs: [(releases: ReleasePair, first: Int, second: Int)]
  /// Of the page at hand, by target in a pair and segment.
  private var marked: [Place: PageMarks] = [:]

  private struct Place: Hashable {
    var target: Int
    var segment: Int
  }

  init(_ question: RiskCounting) {
    self.question = question
    func place(_ release: Int64) -> Int? { question.targets.firstIndex { $0.id == release } }
    pairs = question.pairs.compactMap { pair in
      place(pair.first).flatMap { first in place(pair.second).map { (pair, first, $0) } }
    }
    numbers = CellNumbers(question)
    newest = NewestContact(until: question.cutOff.at)
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    try newest.note(page)
    sortDevices(page)
    for (target, record) in question.targets.enumerated() {
      for segment in segments.indices where segments[segment].isIncluded {
        if let rules = segments[segment].rules[target] {
          try judgeMembers(page, segment, target, record.id, rules)
        }
      }
    }
    shareMembers()
    for index in apart { try judgeStays(page, index) }
  }

  private func isPaired(_ target: Int) -> Bool { pairs.contains { $0.first == target || $0.second == target } }

  private mutating func shareMembers() {
    for (number, pair) in pairs.enumerated() {
      for segment in segments.indices {
        guard let first = marked[Place(target: pair.first, segment: segment)],
          let second = marked[Place(target: pair.second, segment: segment)]
        else { continue }
        segments[segment].shared.add(pair: number, first, second)
      }
    }
    marked.removeAll(keepingCapacity: true)
  }

  private mutating func segment(_ channel: Int64, _ platform: Int) -> Int {
    let key = Int(channel) << 16 | platform
    if let known = indexes[key] { return known }
    indexes[key] = segments.count
    segments.append(
      RiskSegment(channel, question.profiles.platforms[platform], question, cells: numbers.count))
    return segments.count - 1
  }

  /// Finds the segment of every device that has one for all its life.
  private mutating func sortDevices(_ page: borrowing ShardPage) {
    let (devices, cutOff) = (page.devices, question.cutOff.at.rawValue)
    for segment in segments.indices { segments[segment].members.removeAll(keepingCapacity: true) }
    apart.removeAll(keepingCapacity: true)
    if question.asksForRuns { return apart.append(contentsOf: devices.devices.indices) }
    // The segments of the channel at hand by platform: devices of several platforms take turns.
    var (recent, known) = (Int64(-1), question.profiles.platforms.map { _ in -1 })
    for index in devices.devices.indices {
      let channel = devices.channels[index]
      if channel == 0 {
        apart.append(index)
        continue
      }
      guard devices.spanStarts[devices.spanOffsets[index]] <= cutOff else { continue }
      if recent != channel {
        recent = channel
        for platform in known.indices { known[platform] = -1 }
      }
      let platform = Int(page.platforms[index])
      if known[platform] < 0 { known[platform] = segment(channel, platform) }
      let segment = known[platform]
      if segments[segment].isIncluded { segments[segment].members.append(Int32(truncatingIfNeeded: index)) }
    }
    for segment in segments.indices { segments[segment].stays += segments[segment].members.count }
  }
}

// MARK: by spans

extension RiskTally {
  private mutating func judgeMembers(
    _ page: borrowing ShardPage, _ segment: Int, _ target: Int, _ release: Int64, _ rules: RiskRules
  ) throws {
    let channel = segments[segment].channel
    let journeys = page.journeys(release, channel).map { JourneyTable($0, until: rules.cutOff) }
    if let journeys { SortedJoin.indexes(of: page.devices.devices, in: journeys.shard.devices, into: &matches) }
    loadNewer(page, channel, rules)
    // Cells are taken out while they grow, or they would be copied.
    var cells: [RiskCounter] = []
    swap(&cells, &segments[segment].cells)
    defer { swap(&cells, &segments[segment].cells) }
    var marks: PageMarks? = isPaired(target) ? PageMarks(keepsOpen: question.keepsWaiting) : nil
    try judge(segments[segment].members, page, journeys, rules, target, segment, &cells, &marks)
    if let marks { marked[Place(target: target, segment: segment)] = marks }
  }

  private mutating func loadNewer(_ page: borrowing ShardPage, _ channel: Int64, _ rules: RiskRules) {
    newer.removeAll(keepingCapacity: true)
    guard rules.looksAtNewer else { return }
    for journeys in page.journeys where journeys.channel == channel && rules.isNewer(journeys.release) {
      newer.append(NewerUpdates(journeys.shard, until: rules.cutOff))
    }
  }

  private mutating func judge(
    _ members: [Int32], _ page: borrowing ShardPage, _ journeys: JourneyTable?, _ rules: RiskRules, _ target: Int,
    _ segment: Int, _ cells: inout [RiskCounter], _ marked: inout PageMarks?
  ) throws {
    let channel = segments[segment].channel
    var marks = marked == nil ? nil : DeviceMarks()
    let (devices, emulators, profiles) = (page.devices, page.emulators, question.profiles)
    let (cutOff, numbers, isStaged) = (rules.cutOff, numbers, rules.isStaged)
    let (asksLastContact, looksAtNewer) = (rules.censor == .lastSeen, rules.looksAtNewer)
    for member in members {
      let index = Int(member)
      let match = journeys == nil ? SortedJoin.none : matches[index]
      let journey = match == SortedJoin.none ? nil : journeys?.row(Int(match), isStaged: isStaged)
      let spans = devices.spanOffsets[index]..<devices.spanOffsets[index + 1]
      let stay = Stay(channel: channel, start: devices.spanStarts[spans.lowerBound], contacts: spans)
      let device = DeviceRow(
        firstContact: stay.start, isEmulator: emulators[index],
        bucket: isStaged ? devices.bucket(index, until: cutOff) : nil)
      let isBornOn =
        try rules.isBornOn(devices, index, stay, journey) ?? rules.isBornOn(page.runs(of: index), index, stay)
      var found = rules.judge(device, stay, journey, isBornOn: isBornOn)
      if looksAtNewer, found.exclusion == nil,
        let update = newerUpdate(devices.devices[index], rules, stay)
      {
        rules.note(newer: update, &found)
      }
      let lastContact = asksLastContact ? try NewestContact.of(index, page, until: cutOff) ?? stay.start : 0
      let sign = !numbers.splitsArms || match == SortedJoin.none ? nil : journeys?.sign(Int(match))
      let number = numbers.number(
        profiles, devices, index, at: found.eligibleAt, before: sign ?? .max, until: cutOff)
      marks?.removeAll()
      if number >= 0 {
        cells[segments[segment].cell(number, target, &cells)].add(
          found, rules, stay, devices.spanStarts, devices.spanEnds, lastContact: lastContact,
          end: devices.spanEnds[spans.upperBound - 1], journey, &marks)
      }
      if let marks { marked?.append(cell: number, marks) }
    }
  }

  /// The first of all updates to newer releases; of equals the one with the lower cause.
  private mutating func newerUpdate(
    _ device: UInt64, _ rules: RiskRules, _ stay: Stay
  ) -> RiskRules.Update? {
    var first: RiskRules.Update?
    for index in newer.indices {
      guard let row = newer[index].row(of: device),
        let update = rules.newerUpdate(row, stay)
      else { continue }
      if first.map({ update < $0 }) ?? true { first = update }
    }
    return first
  }
}

/// The journeys on one newer release, looked up in device order.
private struct NewerUpdates {
  private let table: JourneyTable
  private var join: SortedJoin

  init(_ shard: JourneyShard, until cutOff: Int64) {
    (table, join) = (JourneyTable(shard, until: cutOff), SortedJoin(shard.devices))
  }

  mutating func row(of device: UInt64) -> JourneyRow? {
    join.index(of: device).map { table.row($0, isStaged: false) }
  }
}

// MARK: by contact runs

extension RiskTally {
  private mutating func judgeStays(_ page: borrowing ShardPage, _ index: Int) throws {
    let (runs, cutOff) = (try page.runs(of: index), question.cutOff.at.rawValue)
    stays.load(runs, index, until: cutOff)
    guard let first = stays.list.first else { return }
    let device = DeviceRow(
      firstContact: first.start, isEmulator: page.emulators[index], bucket: page.devices.bucket(index, until: cutOff))
    let end = runs.range(index).reduce(Int64.min) { max($0, runs.ends[$1]) }
    for stay in stays.list {
      let segment = segment(stay.channel, Int(page.platforms[index]))
      guard segments[segment].isIncluded else { continue }
      segments[segment].stays += 1
      var marks: [Int: Marked] = [:]
      for (target, rules) in segments[segment].rules.enumerated() {
        guard let rules, rules.concerns(stay) else { continue }
        marks[target] = judge(page, runs, index, device, stay, rules, segment, target, end: end)
      }
      for (number, pair) in pairs.enumerated() {
        guard let first = marks[pair.first], let second = marks[pair.second] else { continue }
        segments[segment].shared.add(pair: number, cells: [first.cell, second.cell], first.marks, second.marks)
      }
    }
  }

  private typealias Marked = (cell: Int, marks: DeviceMarks)

  /// What the stay was marked with, where that is asked for.
  private mutating func judge(
    _ page: borrowing ShardPage, _ runs: RunColumns, _ index: Int, _ device: DeviceRow, _ stay: Stay,
    _ rules: RiskRules, _ segment: Int, _ target: Int, end: Int64
  ) -> Marked? {
    let journey = page.journeys(rules.target, stay.channel).flatMap {
      rules.returned($0, rules.target, page, runs, index, stay, isStaged: rules.isStaged)
    }
    let bornOn = rules.isBornOn(runs, index, stay)
    var found = rules.judge(device, stay, journey, page, runs, index, isBornOn: bornOn)
    if question.countsBounds {
      // It updated between two contacts, though its first word since the publication is that it has.
      if found.exclusion == .bornOn, rules.ranAnother(runs, index, stay) {
        found = rules.judge(device, stay, journey, page, runs, index, isBornOn: false)
      }
      countBounds(page, runs, index, stay, rules, (segment, target), journey, found)
    }
    let number = number(page, index, stay, rules, found)
    return number < 0 ? nil : addToCell(number, segment, target, found, rules, stay, journey, end: end)
  }

  private func number(
    _ page: borrowing ShardPage, _ index: Int, _ stay: Stay, _ rules: RiskRules, _ found: Judgement
  ) -> Int {
    var sign = Int64.max
    // In whichever of its stays on the channel.
    if numbers.splitsArms, let shard = page.journeys(rules.target, stay.channel),
      let row = shard.devices.index(ofDevice: page.devices.devices[index])
    {
      sign = JourneyTable(shard, until: rules.cutOff).sign(row)
    }
    return numbers.number(
      question.profiles, page.devices, index, at: found.eligibleAt, before: sign, until: rules.cutOff)
  }

  private mutating func addToCell(
    _ number: Int, _ segment: Int, _ target: Int, _ found: Judgement, _ rules: RiskRules, _ stay: Stay,
    _ journey: JourneyRow?, end: Int64
  ) -> Marked? {
    var marks = isPaired(target) ? DeviceMarks() : nil
    var cells: [RiskCounter] = []
    swap(&cells, &segments[segment].cells)
    defer { swap(&cells, &segments[segment].cells) }
    cells[segments[segment].cell(number, target, &cells)].add(
      found, rules, stay, stays.starts, stays.ends, lastContact: stays.lastContact(stay), end: end, journey, &marks)
    return marks.map { (number, $0) }
  }
}

extension RiskTally {
  private mutating func countBounds(
    _ page: borrowing ShardPage, _ runs: RunColumns, _ index: Int, _ stay: Stay, _ rules: RiskRules,
    _ place: (segment: Int, target: Int), _ journey: JourneyRow?, _ known: Judgement
  ) {
    let number = number(page, index, stay, rules, known)
    if known.exclusion != nil || number < 0 { return }
    var cells: [RiskCounter] = []
    swap(&cells, &segments[place.segment].cells)
    defer { swap(&cells, &segments[place.segment].cells) }
    let cell = segments[place.segment].cell(number, place.target, &cells)
    let stays = stays
    cells[cell].countBounds { rules.addBounds(of: known, stay, stays, runs, index, journey, to: &$0) }
  }
}

// MARK: sums

extension RiskTally {
  struct Key: Hashable {
    var target: Int
    var group: Group
  }

  mutating func add(_ other: RiskTally, times: Int) {
    newest.add(other.newest, times: times)
    for theirs in other.segments {
      let index = segment(theirs.channel, question.profiles.platforms.firstIndex(of: theirs.group.platform) ?? 0)
      segments[index].stays += times * theirs.stays
      segments[index].shared.add(theirs.shared, times: times)
      segments[index].add(theirs, times: times)
    }
  }

  /// Cell by cell, without those of which nothing was said.
  var counters: [(key: Key, counter: RiskCounter)] {
    segments.filter(\.isIncluded).flatMap { segment in
      segment.met.all.flatMap { number, first in
        let (group, cells) = (numbers.name(number, segment.group), segment.cells[first...].prefix(segment.rules.count))
        return cells.enumerated().filter { !$0.element.isEmpty }.map { (Key(target: $0, group: group), $1) }
      }
    }
  }

  /// - Parameter targets: places among those of the question.
  func tables(at targets: [Int]) -> [RiskTables] {
    let counters = counters
    return targets.map { target in
      let cells = counters.filter { $0.key.target == target }.map { ($0.key.group, $0.counter.cell) }
      let places = segments.filter { $0.isIncluded && $0.stays > 0 }.map { (group: $0.group, rules: $0.rules[target]) }
      return RiskTables(Dictionary(uniqueKeysWithValues: cells), places, dataThrough: newest.at, question.cutOff)
    }
  }
}
