public import Lifecycle
public import Statistics
import Store

/// What answers can be split by: the parts that the selection did not ask for are nil.
public struct Group: Hashable, Sendable {
  public var channel: String?
  public var platform: String?
  public var appVersion: String?
  /// The arm of a random experiment.
  public var arm: String?

  public init(
    channel: String? = nil, platform: String? = nil, appVersion: String? = nil, arm: String? = nil
  ) {
    self.channel = channel
    self.platform = platform
    self.appVersion = appVersion
    self.arm = arm
  }
}

/// The life table of one group with everything that did not get into it.
public struct RiskTable: Sendable {
  public var table = LifeTable()
  /// Spells with time at risk; a device that moved to another channel has one in each.
  public var devices = 0
  public var excluded: [Exclusion: Int] = [:]
  public var remarks: [Remark: Int] = [:]
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
  /// The newest contact that was looked at.
  public private(set) var dataThrough: Timestamp?
  public let cutOff: CutOff

  init(_ snapshot: borrowing Snapshot, _ selection: Selection, timeline: Timeline, target: ReleaseRecord) throws {
    self = try Self.each(snapshot, selection, timeline: timeline, targets: [target])[0]
  }

  /// The tables of several releases from one walk over the devices, in the order of the targets.
  static func each(
    _ snapshot: borrowing Snapshot, _ selection: Selection, timeline: Timeline, targets: [ReleaseRecord],
    splits: Splits? = nil
  ) throws -> [RiskTables] {
    let splits = splits ?? Splits(selection)
    if splits.isEmpty, let summary = try Summary(snapshot, selection, timeline) {
      return try summary.tables(snapshot, targets)
    }
    return try eachWalked(snapshot, selection, timeline: timeline, targets: targets, splits: splits)
  }

  /// From the devices themselves, whatever is summarised.
  static func eachWalked(
    _ snapshot: borrowing Snapshot, _ selection: Selection, timeline: Timeline, targets: [ReleaseRecord],
    splits: Splits
  ) throws -> [RiskTables] {
    if OutlineQuestion.isEnough(selection, splits) {
      let question = OutlineQuestion(snapshot.vocabulary, selection, timeline, targets, splits)
      return try OutlineWalk.tables(of: question, snapshot)
    }
    return try eachFromRuns(snapshot, selection, timeline: timeline, targets: targets, splits: splits)
  }

  /// By the contact runs of every device: for every rule, and to hold the outlines against.
  static func eachFromRuns(
    _ snapshot: borrowing Snapshot, _ selection: Selection, timeline: Timeline, targets: [ReleaseRecord],
    splits: Splits
  ) throws -> [RiskTables] {
    var walk = RiskWalk(snapshot.vocabulary, selection, timeline, targets)
    let parts = try walk.run(snapshot, start: { RiskCells(splits, targets: targets.count) }) { $0.add($1) }
    var cells = RiskCells(splits, targets: targets.count)
    for part in parts { cells.add(part) }
    return cells.tables(walk)
  }

  /// - Parameter places: every channel and platform that any device was seen at.
  init(
    _ cells: [Group: RiskCell], _ places: [(group: Group, rules: AtRiskRules?)], dataThrough: Timestamp?,
    _ cutOff: CutOff
  ) {
    self.cells = cells
    for place in places {
      starts[place.group] = place.rules?.start
      supersededAt[place.group] = place.rules?.supersededAt
    }
    self.dataThrough = dataThrough
    self.cutOff = cutOff
  }

  init(_ cells: [Group: RiskCell], _ walks: [OutlineWalk], _ question: OutlineQuestion, target: Int) {
    self.cells = cells
    for place in walks.flatMap(\.places) where place.isIncluded {
      starts[place.group] = place.rules[target]?.start
      supersededAt[place.group] = place.rules[target]?.supersededAt
    }
    dataThrough = walks.compactMap(\.dataThrough).max()
    cutOff = question.cutOff
  }

  fileprivate init(_ cells: [Group: RiskCell], _ walk: RiskWalk, target: Int) {
    self.cells = cells
    for (place, rules) in walk.rules {
      starts[place] = rules[target]?.start
      supersededAt[place] = rules[target]?.supersededAt
    }
    dataThrough = walk.dataThrough
    cutOff = walk.cutOff
  }
}

/// Collects judgements into cells, release by release.
struct RiskCells {
  let splits: Splits
  private var cells: [[Group: RiskCell]]

  init(_ splits: Splits, targets: Int) {
    self.splits = splits
    cells = Array(repeating: [:], count: targets)
  }

  mutating func add(_ judgement: Judgement) {
    cells[judgement.target][judgement.group(splits), default: RiskCell()]
      .add(judgement.found, hasFuture: judgement.view.history.hasFuture)
  }

  mutating func add(_ other: RiskCells) {
    for target in cells.indices {
      for (group, cell) in other.cells[target] { cells[target][group, default: RiskCell()].add(cell) }
    }
  }

  func tables(_ walk: RiskWalk) -> [RiskTables] {
    cells.indices.map { RiskTables(cells[$0], walk, target: $0) }
  }
}

extension RiskCell {
  fileprivate mutating func add(_ judged: AtRisk, hasFuture: Bool) {
    for remark in judged.remarks { sums.remarks[remark, default: 0] += 1 }
    if hasFuture { sums.remarks[.future, default: 0] += 1 }
    if let exclusion = judged.exclusion {
      sums.excluded[exclusion, default: 0] += 1
      return
    }
    sums.devices += 1
    for interval in judged.intervals {
      intervals.add(entry: interval.entry, exit: interval.exit, ending: interval.ending)
    }
  }

  fileprivate mutating func add(_ other: RiskCell) {
    sums = RiskTable.counts([sums, other.sums])
    intervals.add(other.intervals)
  }
}

extension RiskTable {
  /// Several cells as one.
  public static func merged(_ cells: [RiskCell]) -> RiskTable {
    var intervals = LifeTable.Builder()
    for builder in onAllCores(cells.compactMap(\.stored), \.builder) { intervals.add(builder) }
    for cell in cells { intervals.add(cell.intervals) }
    var sum = counts(cells.map(\.sums))
    sum.table = intervals.build()
    return sum
  }

  public static func merged(_ tables: [RiskTable]) -> RiskTable {
    var sum = counts(tables)
    sum.table = LifeTable.merged(tables.map(\.table).filter { !$0.isEmpty })
    return sum
  }

  /// The sums alone, which cost nothing.
  static func counts(_ tables: [RiskTable]) -> RiskTable {
    var sum = RiskTable()
    for table in tables {
      sum.devices += table.devices
      sum.excluded.merge(table.excluded, uniquingKeysWith: +)
      sum.remarks.merge(table.remarks, uniquingKeysWith: +)
    }
    return sum
  }
}

extension RiskTables {
  /// Only the channels and platforms that a selection looks at.
  func part(_ selection: Selection) -> RiskTables {
    var copy = self
    copy.cells = cells.filter { selection.includes($0.key) }
    copy.starts = starts.filter { selection.includes($0.key) }
    copy.supersededAt = supersededAt.filter { selection.includes($0.key) }
    return copy
  }
}

extension AtRiskRules {
  init?(_ selection: Selection, _ cutOff: Timestamp, _ timeline: Timeline, _ target: Int64, _ place: Group) {
    guard let channel = place.channel, let start = timeline.start(target, channel: channel, platform: place.platform)
    else { return nil }
    self.init(
      selection: selection, cutOff: cutOff, target: target, start: start,
      supersededAt: timeline.supersededAt(target, channel: channel, platform: place.platform),
      newer: timeline.newer(than: target, channel: channel, platform: place.platform))
  }
}

extension Selection {
  func includes(_ place: Group) -> Bool {
    (channels.isEmpty || place.channel.map(channels.contains) ?? false)
      && (platforms.isEmpty || place.platform.map(platforms.contains) ?? false)
  }
}
