import Lifecycle
import Statistics
import Store

/// How many devices fell silent: of those that took a release lately, and of those that did not, at each of several cutoffs. Contacts are
/// known for weeks, so what was known at an earlier one is known still.
///
/// Kept apart by platform and by how long they are silent at times: a holiday silences one kind of device, and not another.
struct SilenceTally: Tally {
  struct Kind: Hashable {
    var platform: Int
    var habit: Int
  }
  struct Sides: Mergeable {
    /// Affected is who fell silent.
    var taken = AffectedDevices()
    var others = AffectedDevices()

    mutating func add(_ other: Self, times: Int) {
      taken.add(other.taken, times: times)
      others.add(other.others, times: times)
    }
  }
  /// At each of the cutoffs, the newest last.
  private(set) var looks: [[Kind: Sides]]
  private let question: SilenceCounting
  /// Whether a random part of the devices was looked at.
  var isSample: Bool { question.isSample }
  private var room: [ClosedRange<Int64>] = []

  init(_ question: SilenceCounting) {
    self.question = question
    looks = Array(repeating: [:], count: question.cutOffs.count)
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    guard let channel = question.channel else { return }
    let runs = try page.runs()
    var takings = Takings(page.journeys(question.target, channel))
    var newer = question.newer.map { Takings(page.journeys($0, channel)) }
    for (index, device) in page.devices.devices.enumerated() {
      let taken = takings.first(device)
      let left = newer.indices.compactMap { newer[$0].first(device) }.min() ?? .max
      for (look, cutOff) in question.cutOffs.enumerated()
      where question.includes(index, page, at: cutOff) && left > SilenceCounting.dayBefore(cutOff).rawValue {
        note(look, cutOff, index, taken: taken, runs, platform: Int(page.platforms[index]))
      }
    }
  }

  private mutating func note(
    _ look: Int, _ cutOff: Timestamp, _ index: Int, taken: Int64?, _ runs: RunColumns, platform: Int
  ) {
    let dayBefore = SilenceCounting.dayBefore(cutOff)
    guard let habit = ContactHabit(runs, index, until: dayBefore.rawValue, &room),
      let isTaken = SilenceCounting.isTaken(at: taken, cutOff)
    else { return }
    let isSilent =
      habit.isOverdue(at: cutOff.rawValue) && !runs.spoke(index, after: dayBefore.rawValue, until: cutOff.rawValue)
    let one = AffectedDevices(devices: 1, affected: isSilent ? 1 : 0)
    let kind = Kind(platform: platform, habit: habit.kind)
    if isTaken {
      looks[look][kind, default: Sides()].taken.add(one)
    } else {
      looks[look][kind, default: Sides()].others.add(one)
    }
  }

  mutating func add(_ other: Self, times: Int) {
    for look in looks.indices {
      for (kind, sides) in other.looks[look] { looks[look][kind, default: Sides()].add(sides, times: times) }
    }
  }
}

/// What is held against what. Of each kind by itself, and then of those together in which more fell silent for certain.
extension SilenceTally {
  /// So much larger the share of those that fell silent is.
  private static let margin = 0.1

  /// Those that took it, beside others like them, at a cutoff.
  func beyondOthers(_ look: Int, atLeast fewest: Int) -> Sides? {
    sum(kindsBeyondOthers(look, atLeast: fewest).values)
  }

  private func kindsBeyondOthers(_ look: Int, atLeast fewest: Int) -> [Kind: Sides] {
    looks[look].filter { $0.value.taken.devices >= fewest && Self.isBeyond($0.value, atLeast: fewest) }
  }

  /// The first of the earlier cutoffs at which more fell silent than of others, and of these kinds more still are than usually.
  func stillBeyondUsual(atLeast fewest: Int) -> (cutOff: Timestamp, then: Sides, now: Sides)? {
    for look in looks.indices.dropFirst().dropLast() {
      let kinds = kindsBeyondOthers(look, atLeast: fewest)
      let now = kindsBeyondUsual(atLeast: fewest).filter { kinds[$0.key] != nil }
      guard let then = sum(now.keys.compactMap { kinds[$0] }), let now = sum(now.values) else { continue }
      return (question.cutOffs[look], then, now)
    }
    return nil
  }

  /// Those that took it, of kinds of which too few others are left, at the newest cutoff, beside devices of their kind before the publication;
  /// beside none where too few of these are known.
  func aloneBeyondUsual(atLeast fewest: Int) -> Sides? {
    let newest = looks.last ?? [:]
    return sum(
      kindsBeyondUsual(atLeast: fewest).filter { (newest[$0.key]?.others.devices ?? 0) < fewest }.values)
  }

  private func kindsBeyondUsual(atLeast fewest: Int) -> [Kind: Sides] {
    var found: [Kind: Sides] = [:]
    for (kind, sides) in looks.last ?? [:] where sides.taken.devices >= fewest {
      var usual = looks[0][kind]?.taken ?? AffectedDevices()
      usual.add(looks[0][kind]?.others ?? AffectedDevices(), times: 1)
      let pair = Sides(taken: sides.taken, others: usual.devices >= fewest ? usual : AffectedDevices())
      if Self.isBeyond(pair, atLeast: fewest) || pair.others.devices == 0 && Self.isMuch(pair.taken) {
        found[kind] = pair
      }
    }
    return found
  }

  /// As of when it is known what is usual.
  var usualAt: Timestamp { question.cutOffs[0] }

  private static func isBeyond(_ sides: Sides, atLeast fewest: Int) -> Bool {
    guard sides.others.devices >= fewest else { return false }
    return ProportionPair(sides.taken.share, sides.others.share).difference(level: Diagnosis.confidence).lo ?? 0
      > margin
  }

  /// Where nobody knows what is usual: of devices that were heard of every other day a third is silent for longer than in all of ten days.
  private static func isMuch(_ taken: AffectedDevices) -> Bool {
    taken.share.wilson(level: Diagnosis.confidence).lo ?? 0 > 0.5
  }

  private func sum(_ parts: some Collection<Sides>) -> Sides? {
    parts.isEmpty ? nil : parts.reduce(into: Sides()) { $0.add($1, times: 1) }
  }
}
