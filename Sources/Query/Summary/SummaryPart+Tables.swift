import Lifecycle
import Statistics
import Store

/// What the numbers of a summary's columns mean. Frozen: files that hold them are in the world.
extension SummaryPart {
  /// A channel and platform that some device was seen at.
  static let place: Int64 = 1
  /// Devices, exclusions and remarks of a release, in the order of `exclusions` and `remarks`.
  static let sums: Int64 = 2
  // 3 to 7 and 20 to 59 were the columns of a layout before this one; 59 is used again.
  /// What is known of the life table whatever the cutoff, as its runs.
  static let runs: Int64 = 8
  /// Intervals that only the cutoff ends: the origins of their clocks, how many have each, and when each falls silent.
  static let origins: Int64 = 9
  static let sharers: Int64 = 10
  static let silences: Int64 = 11
  /// The last contacts of devices that had any after the summary's own cutoff, ascending.
  static let beyond: Int64 = 12
  /// How many of those that share an origin fall silent as long as the summary holds, and are listed; all, where this is not stored.
  static let listed: Int64 = 13
  /// Where others than those listed fall silent later: from when on, and when each does. Who asks about an earlier cutoff does not read it.
  static let laterFrom: Int64 = 14
  static let later: Int64 = 59
  /// From here on counts of a release on a channel, whatever the platform.
  static let counted: Int64 = 60
  static let young: Int64 = 61
  static let contacts: Int64 = 62
  /// What `releases` tells of its table, where no cutoff changes that.
  static let figures: Int64 = 63

  static let ofTables = sums..<counted
  static let ofCounts = counted..<unsettled
  static let ofCountsAlone = counted..<steady + 1

  var group: Group { Group(channel: channel, platform: platform.isEmpty ? nil : platform) }

  private static let exclusions: [Exclusion] = [
    .bornOn, .firstSeenAtUpdate, .skewExcluded, .beforeEligibility, .neverReachable, .notEligible, .emulator,
  ]
  private static let remarks: [Remark] = [.skewClamped, .future, .impliedByCheck, .fromFirstOffer]

  /// Of a release on a channel and platform.
  init(_ release: Int64, _ group: Group, _ number: Int64, _ values: [Int64]) {
    self.init(
      release: release, channel: group.channel ?? "", platform: group.platform ?? "", number: number, values: values)
  }

  /// The columns of one cell.
  ///
  /// - Parameters:
  ///   - until: the latest cutoff that is answered; silences from then on are left out.
  ///   - laterFrom: silences from then on go into a column of their own. Not where columns are kept by arm, which have fewer numbers.
  static func parts(
    _ table: RiskTable, waiting: [Interval.Waiting], beyond: [Int64] = [], release: Int64, _ group: Group,
    until: Timestamp? = nil, laterFrom: Timestamp? = nil
  ) -> [SummaryPart] {
    func part(_ number: Int64, _ values: [Int64]) -> SummaryPart { SummaryPart(release, group, number, values) }
    // What columns hold must not depend on which thread met which device.
    let waiting = waiting.sorted()
    let bound = until ?? laterFrom
    let soon = bound.map { bound in waiting.filter { $0.silentAt < bound.rawValue } } ?? waiting
    let (origins, sharers) = (waiting.origins, waiting.sharers)
    var parts = [
      part(Self.sums, sums(table)), part(runs, table.table.compactRuns), part(Self.origins, origins),
      part(Self.sharers, sharers), part(silences, soon.map(\.silentAt)),
    ]
    if bound != nil {
      let counts = Dictionary(soon.map { ($0.origin, 1) }, uniquingKeysWith: +)
      parts.append(part(listed, origins.map { Int64(counts[$0] ?? 0) }))
    }
    if let laterFrom {
      let later = waiting.filter { $0.silentAt >= laterFrom.rawValue }
      parts += [part(Self.laterFrom, [laterFrom.rawValue]), part(Self.later, later.map(\.silentAt))]
    }
    return beyond.isEmpty ? parts : parts + [part(Self.beyond, beyond.sorted())]
  }

  static func sums(_ table: RiskTable) -> [Int64] {
    let counts = exclusions.map { table.excluded[$0] ?? 0 } + remarks.map { table.remarks[$0] ?? 0 }
    return ([table.devices] + counts).map(Int64.init)
  }

  /// Whether sums are of a cell of which nothing is said.
  static func isEmpty(sums: [Int64]) -> Bool { sums.prefix(1 + exclusions.count).allSatisfy { $0 == 0 } }

  /// Whether a cutoff is one at which those may be silent that are not listed.
  static func isLater(_ parts: some Sequence<SummaryPart>, _ cutOff: Timestamp) -> Bool {
    parts.contains { $0.number == laterFrom && $0.values.contains { $0 <= cutOff.rawValue } }
  }

  /// A cell as it is at a cutoff.
  static func cell(_ parts: [SummaryPart], cutOff: Timestamp) -> RiskCell {
    let stored = StoredIntervals(parts, cutOff: cutOff)
    let sums = stored.column(Self.sums).map(Int.init)
    var cell = RiskCell()
    cell.stored = stored
    cell.sums.devices = sums.first ?? 0
    for (exclusion, count) in zip(exclusions, sums.dropFirst()) where count > 0 {
      cell.sums.excluded[exclusion] = count
    }
    for (remark, count) in zip(remarks, sums.dropFirst(1 + exclusions.count)) where count > 0 {
      cell.sums.remarks[remark] = count
    }
    cell.sums.note(
      beyond: stored.column(Self.beyond).count { $0 > cutOff.rawValue + RiskRules.tolerance.rawValue })
    return cell
  }
}

/// The time at risk of a cell as it lies in the file, unpacked where it is used.
struct StoredIntervals: Sendable {
  private let parts: [Int64: SummaryPart]
  private let cutOff: Timestamp

  init(_ parts: [SummaryPart], cutOff: Timestamp) {
    self.parts = Dictionary(uniqueKeysWithValues: parts.map { ($0.number, $0) })
    self.cutOff = cutOff
  }

  func column(_ number: Int64) -> [Int64] { parts[number]?.values ?? [] }

  var builder: LifeTable.Builder {
    var builder = waiting
    builder.add(runs: column(SummaryPart.runs))
    return builder
  }

  /// The ends of intervals that only the cutoff ends.
  var waiting: LifeTable.Builder {
    var builder = LifeTable.Builder()
    var (first, firstLater) = (0, 0)
    let sharers = column(SummaryPart.sharers)
    let listed = parts[SummaryPart.listed]?.values ?? sharers
    let looksLater = SummaryPart.isLater(parts.values, cutOff)
    for (index, origin) in column(SummaryPart.origins).enumerated() {
      let (soon, later) = (Int(listed[index]), looksLater ? Int(sharers[index] - listed[index]) : 0)
      let silences =
        silent(SummaryPart.silences, first..<first + soon)
        + silent(SummaryPart.later, firstLater..<firstLater + later)
      add(silences, of: sharers[index], origin: origin, to: &builder)
      (first, firstLater) = (first + soon, firstLater + later)
    }
    return builder
  }

  /// When those at some places, who share an origin, fell silent before the cutoff; nobody looks at when all others will.
  private func silent(_ column: Int64, _ places: Range<Int>) -> [Int64] {
    if places.isEmpty { return [] }
    guard let part = parts[column] else { preconditionFailure("column \(column) was not read") }
    return part.leading(places) { $0 < cutOff.rawValue }
  }

  /// - Parameter silences: before the cutoff; all others end there together.
  private func add(_ silences: [Int64], of all: Int64, origin: Int64, to builder: inout LifeTable.Builder) {
    for silentAt in silences {
      let (exit, reason) = Interval.Waiting(origin: origin, silentAt: silentAt).ended(at: cutOff.rawValue)
      builder.add(exit: exit, .censored(reason))
    }
    let left = all - Int64(silences.count)
    if left == 0 { return }
    let (exit, reason) = Interval.Waiting(origin: origin, silentAt: .max).ended(at: cutOff.rawValue)
    builder.add(left, .censored(reason), at: exit)
  }
}

extension [Interval.Waiting] {
  /// Where they are in order: each origin once, and how many have it.
  fileprivate var origins: [Int64] { chunks.map(\.origin) }
  fileprivate var sharers: [Int64] { chunks.map(\.count) }

  private var chunks: [(origin: Int64, count: Int64)] {
    reduce(into: []) { chunks, one in
      if chunks.last?.origin != one.origin { chunks.append((one.origin, 0)) }
      chunks[chunks.count - 1].count += 1
    }
  }
}
