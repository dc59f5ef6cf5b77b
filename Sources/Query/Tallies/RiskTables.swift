public import Lifecycle
public import Statistics
public import Store

/// What answers can be split by: the parts that the selection did not ask for are nil.
public struct Group: Hashable, Sendable {
  public var channel: String?
  public var platform: String?
  /// Of what devices say of themselves, in order of the fields' names.
  public var slices: [Slice]
  /// The arm of a random experiment.
  public var arm: String?
  /// Of devices that named theirs too late to be in it; no device can name it.
  static let lateArm = "\0"

  public init(
    channel: String? = nil, platform: String? = nil, slices: [Slice] = [], arm: String? = nil
  ) {
    self.channel = channel
    self.platform = platform
    self.slices = slices
    self.arm = arm
  }

  public struct Slice: Hashable, Sendable {
    public var field: ProfileField
    /// nil where the device never said.
    public var value: String?

    public init(_ field: ProfileField, _ value: String?) { (self.field, self.value) = (field, value) }
  }
}

/// The life table of one group with everything that did not get into it.
public struct RiskTable: Sendable {
  public var table = LifeTable()
  /// Spells with time at risk; a device that moved to another channel has one in each.
  public var devices = 0
  public var excluded: [Exclusion: Int] = [:]
  public var remarks: [Remark: Int] = [:]
  /// Devices of which nobody knows when the rollout would have let them, where it is not complete.
  var hidden = 0
  /// Time at risk begins at the publication, and who may have the release later enters then.
  var isSinceRelease = false
  /// How many devices were followed for so many seconds, from the publication where they are to where the data, or its turn, end.
  var followed: [Int64: Int] = [:]
  /// The longest of these, and of parts whose turn is over: nothing more will come of those, and nothing waits for it.
  var longest: Int64 = 0
}

/// What was collected of one cell. Time at risk is laid out as a table once it is known which cells make a group.
public struct RiskCell: Sendable {
  /// The counts alone.
  var sums = RiskTable()
  var intervals = LifeTable.Builder()
  /// Where it comes from a summary.
  var stored: StoredIntervals?

  public var devices: Int { sums.devices }
}

/// The time at risk of all devices for one release, by channel, platform and the other groupings asked for.
public struct RiskTables: Sendable {
  /// Cells are always apart by channel and platform, so that tests can be stratified by platform.
  public private(set) var cells: [Group: RiskCell] = [:]
  /// When the release came to each channel and platform that has a cell.
  public private(set) var starts: [Group: Timeline.Start] = [:]
  public private(set) var supersededAt: [Group: Timestamp] = [:]
  /// When the next release or a halt ended the chance to update.
  private(set) var endedAt: [Group: Timestamp] = [:]
  /// The newest contact that was looked at.
  public private(set) var dataThrough: Timestamp?
  public let cutOff: CutOff

  /// - Parameter places: every channel and platform that any device was seen at.
  init(
    _ cells: [Group: RiskCell], _ places: [(group: Group, rules: RiskRules?)], dataThrough: Timestamp?,
    _ cutOff: CutOff
  ) {
    self.cells = cells
    for place in places {
      starts[place.group] = place.rules?.start
      supersededAt[place.group] = place.rules?.supersession
      endedAt[place.group] = place.rules?.end
    }
    let incomplete = Set(places.filter { $0.rules?.isIncomplete ?? false }.map(\.group))
    for group in cells.keys where incomplete.contains(Group(channel: group.channel, platform: group.platform)) {
      self.cells[group]?.sums.hidden = cells[group]?.sums.remarks[.fromFirstOffer] ?? 0
    }
    if places.contains(where: { $0.rules.map { !$0.isFromOwnStart } ?? false }) {
      for group in cells.keys { self.cells[group]?.sums.isSinceRelease = true }
    }
    let rules = Dictionary(places.map { ($0.group, $0.rules) }) { first, _ in first }
    for group in cells.keys {
      guard let rules = rules[Group(channel: group.channel, platform: group.platform)] ?? nil else { continue }
      self.cells[group]?.sums.follow(rules)
    }
    self.dataThrough = dataThrough
    self.cutOff = cutOff
  }
}

extension RiskCell {
  /// With what comes from a summary laid out.
  var unpacked: RiskCell {
    guard let stored else { return self }
    var copy = self
    copy.stored = nil
    copy.intervals.add(stored.builder)
    return copy
  }

  mutating func add(_ other: RiskCell) {
    sums = RiskTable.counts([sums, other.sums])
    intervals.add(other.intervals)
  }
}

extension RiskCell {
  /// Takes out what was put in before.
  mutating func subtract(_ other: RiskCell) {
    sums.devices -= other.sums.devices
    sums.excluded.merge(other.sums.excluded.mapValues { -$0 }, uniquingKeysWith: +)
    sums.remarks.merge(other.sums.remarks.mapValues { -$0 }, uniquingKeysWith: +)
    intervals.subtract(other.intervals)
  }
}

extension RiskTable {
  /// Several cells as one.
  public static func merged(_ cells: [RiskCell]) -> RiskTable {
    var intervals = LifeTable.Builder()
    for cell in [cells].unpacked()[0] { intervals.add(cell.intervals) }
    var sum = counts(cells.map(\.sums))
    sum.table = intervals.build()
    sum.judgeTable()
    return sum
  }

  public static func merged(_ tables: [RiskTable]) -> RiskTable {
    var sum = counts(tables)
    sum.table = LifeTable.merged(tables.map(\.table).filter { !$0.isEmpty })
    sum.judgeTable()
    return sum
  }

  /// What estimates of the table are to mind.
  private mutating func judgeTable() {
    (table.doubt, table.refusesLateEntrants, table.followedTo) = (doubt, isSinceRelease, followedTo)
    table.followedAtMost = longest > 0 ? longest : nil
  }

  mutating func follow(_ rules: RiskRules) {
    if devices > 0 { longest = rules.followed }
    followed = rules.isOver ? [:] : [rules.followed: devices]
  }

  /// Up to where every part was followed so far that goes on, and has a hundredth of the devices or more: fewer bend no curve.
  private var followedTo: Tick? {
    let shortest = followed.filter { $1 > 0 && $1 * 100 >= devices }.keys.min()
    return shortest.flatMap { $0 < longest ? $0 : nil }
  }

  /// Who was never offered the release waited, too, and is in no table: above one device in a hundred that is more than chance.
  private var doubt: Unestimable? {
    hidden * 100 > devices + (excluded[.notEligible] ?? 0) ? .clockFromOffer : nil
  }

  /// The sums alone, which cost nothing.
  static func counts(_ tables: [RiskTable]) -> RiskTable {
    var sum = RiskTable()
    for table in tables {
      sum.devices += table.devices
      sum.excluded.merge(table.excluded, uniquingKeysWith: +)
      sum.remarks.merge(table.remarks, uniquingKeysWith: +)
      sum.hidden += table.hidden
      sum.isSinceRelease = sum.isSinceRelease || table.isSinceRelease
      sum.followed.merge(table.followed, uniquingKeysWith: +)
      sum.longest = max(sum.longest, table.longest)
    }
    return sum
  }
}

extension [[RiskCell]] {
  /// The same with what comes from a summary laid out: all cells side by side, the largest first, as one group alone would keep one
  /// core busy.
  func unpacked() -> Self {
    if allSatisfy({ $0.allSatisfy { $0.stored == nil } }) { return self }
    let places = indices.flatMap { group in self[group].indices.map { (group: group, cell: $0) } }
      .sorted { self[$0.group][$0.cell].devices > self[$1.group][$1.cell].devices }
    var copy = self
    for (place, cell) in zip(places, onAllCores(places) { self[$0.group][$0.cell].unpacked }) {
      copy[place.group][place.cell] = cell
    }
    return copy
  }
}

extension RiskTables {
  /// With the arms of an experiment together.
  var withoutArms: RiskTables {
    if cells.keys.allSatisfy({ $0.arm == nil }) { return self }
    var copy = self
    copy.cells = [:]
    for (group, cell) in cells {
      var group = group
      group.arm = nil
      copy.cells[group, default: RiskCell()].add(cell)
    }
    return copy
  }

  /// Only the channels and platforms that a selection looks at.
  func part(_ selection: Selection) -> RiskTables {
    var copy = self
    copy.cells = cells.filter { selection.includes($0.key) }
    copy.starts = starts.filter { selection.includes($0.key) }
    copy.supersededAt = supersededAt.filter { selection.includes($0.key) }
    copy.endedAt = endedAt.filter { selection.includes($0.key) }
    return copy
  }
}

extension Selection {
  func includes(_ place: Group) -> Bool {
    (channels.isEmpty || place.channel.map(channels.contains) ?? false)
      && platforms.include(place.platform)
  }
}
