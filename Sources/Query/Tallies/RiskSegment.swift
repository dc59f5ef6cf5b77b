import Lifecycle
import Statistics
import Store

/// A channel and platform with what is counted there.
struct RiskSegment {
  /// A number of `name`.
  let channel: Int64
  let group: Group
  /// As targets; nil where the release never came here.
  let rules: [RiskRules?]
  let isIncluded: Bool
  private let empty: RiskCounter
  /// By `met` and then by target.
  var cells: [RiskCounter] = []
  /// Of `CellNumbers`.
  private(set) var met: MetNumbers
  /// What the same devices did with two releases.
  var shared = SharedCounts()
  /// How many stays were looked at.
  var stays = 0
  /// The devices of the page at hand that are always here, by index.
  var members: [Int32] = []

  init(_ channel: Int64, _ platform: String?, _ question: RiskCounting, cells: Int) {
    let group = Group(channel: question.vocabulary.name(channel), platform: platform)
    (self.channel, self.group) = (channel, group)
    isIncluded = question.selection.includes(group)
    rules = question.targets.map {
      RiskRules(question.selection, question.cutOff.at, question.timeline, $0.id, group)
    }
    met = MetNumbers(count: cells)
    empty = RiskCounter(
      keepsWaiting: question.keepsWaiting, countsLegs: question.countsLegs, countsBounds: question.countsBounds)
  }

  /// - Parameter cells: its own, which may be elsewhere while they grow.
  @inline(__always)
  mutating func cell(_ number: Int, _ target: Int, _ cells: inout [RiskCounter]) -> Int {
    if let known = met.index(of: number) { return known + target }
    met.add(number, at: cells.count)
    cells += Array(repeating: empty, count: rules.count)
    return cells.count - rules.count + target
  }
}

extension RiskSegment {
  mutating func add(_ other: RiskSegment, times: Int) {
    var own: [RiskCounter] = []
    swap(&own, &cells)
    defer { swap(&own, &cells) }
    for (number, theirs) in other.met.all {
      for target in rules.indices {
        let index = cell(number, target, &own)
        own[index].add(other.cells[theirs + target], times: times)
      }
    }
  }
}

/// What is counted of one cell; adds up in any order.
struct RiskCounter: Mergeable {
  private var builder = LifeTable.Builder()
  /// Ends of intervals that only the cutoff ended, where they are kept apart from the entries.
  private(set) var waiting: [Interval.Waiting]?
  /// Likewise the last contacts of those that have any after the cutoff.
  private(set) var beyond: [Int64] = []
  private(set) var legs: Legs?
  /// Where it is asked for between which contacts devices updated.
  private(set) var bounds: UpdateBounds?
  private var devices = 0
  private var excluded = [Int](repeating: 0, count: Exclusion.allCases.count)
  private var clamped = 0
  private var implied = 0
  private var fromFirstOffer = 0
  private var future = 0

  /// - Parameter keepsWaiting: whether another cutoff is to be put in later.
  init(keepsWaiting: Bool = false, countsLegs: Bool = false, countsBounds: Bool = false) {
    if keepsWaiting { waiting = [] }
    if countsBounds { bounds = UpdateBounds() }
    if countsLegs { legs = Legs(keepsWaiting: keepsWaiting) }
  }

  /// - Parameters:
  ///   - starts: of contacts, the stay's own at its `contacts`.
  ///   - end: the last contact; nobody may look at those after the cutoff.
  ///   - marks: of its intervals, where they are asked for.
  @inline(__always)
  mutating func add(
    _ found: Judgement, _ rules: RiskRules, _ stay: Stay, _ starts: [Int64], _ ends: [Int64], lastContact: Int64,
    end: Int64, _ journey: JourneyRow?, _ marks: inout DeviceMarks?
  ) {
    if found.isFromFirstOffer { fromFirstOffer += 1 }
    if end > rules.cutOff + RiskRules.tolerance.rawValue { noteBeyond(end) }
    if let exclusion = found.exclusion {
      excluded[exclusion.number] += 1
      return
    }
    let origin = rules.origin(eligibleAt: found.eligibleAt)
    let isAtRisk = rules.timeAtRisk(
      eligibleAt: found.eligibleAt, updatedAt: found.updatedAt, found.cause, stay, starts, ends,
      lastContact: lastContact
    ) { from, to, ending, silentAt in
      if waiting != nil, ending == .censored(.cutOff) {
        let (entry, open) = (
          Milliseconds(rawValue: from - origin).secondsRoundedDown,
          Interval.Waiting(origin: origin, silentAt: silentAt)
        )
        builder.add(entry: entry)
        waiting?.append(open)
        marks?.add(entry: entry, open)
      } else {
        builder.add(from: from, to: to, origin: origin, ending)
        marks?.add(from: from, to: to, origin: origin, ending)
      }
    }
    guard isAtRisk else {
      excluded[Exclusion.neverReachable.number] += 1
      return
    }
    devices += 1
    if found.isClamped { clamped += 1 }
    if found.isImplied { implied += 1 }
    if legs != nil { legs?.add(found, rules, stay, starts, ends, lastContact: lastContact, journey) }
  }

  private mutating func noteBeyond(_ end: Int64) { if waiting == nil { future += 1 } else { beyond.append(end) } }

  mutating func countBounds(_ add: (inout UpdateBounds) -> Void) {
    // Taken out while they grow, or they would be copied.
    var own = bounds ?? UpdateBounds()
    bounds = nil
    add(&own)
    bounds = own
  }

  mutating func add(_ other: RiskCounter, times: Int) {
    builder.add(other.builder, times: times)
    if let more = other.waiting { waiting = waiting ?? []; waiting?.add(bag: more, times: times) }
    if !other.beyond.isEmpty { beyond.add(bag: other.beyond, times: times) }
    if let more = other.legs {
      if legs == nil { legs = Legs() }
      legs?.add(more, times: times)
    }
    if let more = other.bounds {
      if bounds == nil { bounds = UpdateBounds() }
      bounds?.add(more, times: times)
    }
    devices += times * other.devices
    for index in excluded.indices { excluded[index] += times * other.excluded[index] }
    clamped += times * other.clamped
    implied += times * other.implied
    fromFirstOffer += times * other.fromFirstOffer
    future += times * other.future
  }

  /// Of which nothing was said: as if it had never been made.
  var isEmpty: Bool { devices == 0 && excluded.allSatisfy { $0 == 0 } }

  var cell: RiskCell {
    var table = RiskTable()
    table.devices = devices
    for exclusion in Exclusion.allCases where excluded[exclusion.number] > 0 {
      table.excluded[exclusion] = excluded[exclusion.number]
    }
    let remarks: [(Remark, Int)] = [
      (.skewClamped, clamped), (.impliedByCheck, implied), (.fromFirstOffer, fromFirstOffer), (.future, future),
    ]
    for (remark, count) in remarks where count > 0 { table.remarks[remark] = count }
    return RiskCell(sums: table, intervals: builder)
  }

  /// With another cutoff put in.
  func cell(cutOff: Timestamp) -> RiskCell {
    var whole = cell
    for one in waiting ?? [] {
      let (exit, reason) = one.ended(at: cutOff.rawValue)
      whole.intervals.add(exit: exit, .censored(reason))
    }
    whole.sums.note(beyond: beyond.count { $0 > cutOff.rawValue + RiskRules.tolerance.rawValue })
    return whole
  }
}

extension RiskTable {
  /// Devices with contacts after the cutoff.
  mutating func note(beyond count: Int) { if count > 0 { remarks[.future, default: 0] += count } }
}

extension LifeTable.Builder {
  /// An interval in milliseconds, on a clock that starts at `origin`.
  @inline(__always)
  mutating func add(from: Int64, to: Int64, origin: Int64, _ ending: Ending) {
    let interval = Interval(
      from: Timestamp(rawValue: from), to: Timestamp(rawValue: to), origin: Timestamp(rawValue: origin),
      ending: ending)
    add(entry: interval.entry, exit: interval.exit, ending: ending)
  }
}

extension Exclusion {
  /// A small number for counting.
  fileprivate var number: Int {
    switch self {
    case .bornOn: 0
    case .firstSeenAtUpdate: 1
    case .skewExcluded: 2
    case .beforeEligibility: 3
    case .neverReachable: 4
    case .notEligible: 5
    case .emulator: 6
    }
  }
}
