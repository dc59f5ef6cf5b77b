import Lifecycle
import Statistics
import Store

/// What the numbers of a summary's columns mean. Frozen: files that hold them are in the world.
extension SummaryPart {
  /// A channel and platform that some device was seen at.
  static let place: Int64 = 1
  /// Devices, exclusions and remarks of a release, in the order of `figures`.
  static let sums: Int64 = 2
  static let ticks: Int64 = 3
  static let entered: Int64 = 4
  /// Intervals that only the cut-off ends, in pieces.
  static let waitingOrigins: Int64 = 5
  static let waitingStarts: Int64 = 6
  static let waitingEnds: Int64 = 7
  /// And so many columns after them: a cause's events, a reason's censorings.
  static let events: Int64 = 20
  static let censored: Int64 = 40
  /// From here on counts of a release on a channel, whatever the platform.
  static let counted: Int64 = 60
  static let young: Int64 = 61
  static let contacts: Int64 = 62

  var group: Group { Group(channel: channel, platform: platform.isEmpty ? nil : platform) }

  private static let causes = (1...Cause.highest).compactMap(Cause.init(rawValue:))
  private static let exclusions: [Exclusion] = [
    .bornOn, .firstSeenAtUpdate, .skewExcluded, .beforeEligibility, .neverReachable, .notEligible, .emulator,
  ]
  private static let remarks: [Remark] = [.skewClamped, .future, .impliedByCheck, .fromFirstOffer]

  /// The columns of one cell.
  static func parts(
    _ table: RiskTable, waiting: [Interval.Waiting], release: Int64, _ group: Group
  ) -> [SummaryPart] {
    func part(_ number: Int64, _ values: [Int64]) -> SummaryPart {
      SummaryPart(
        release: release, channel: group.channel ?? "", platform: group.platform ?? "", number: number, values: values)
    }
    let sums =
      [table.devices] + exclusions.map { table.excluded[$0] ?? 0 } + remarks.map { table.remarks[$0] ?? 0 }
    var parts = [part(Self.sums, sums.map(Int64.init))]
    if !table.table.isEmpty {
      parts += [part(ticks, table.table.ticks), part(entered, table.table.entered.absentWhereZero)]
      for cause in causes where !table.table.column(cause).isEmpty {
        parts.append(part(events + Int64(cause.rawValue), table.table.column(cause).absentWhereZero))
      }
      for (number, reason) in Censoring.allCases.enumerated() where !table.table.column(reason).isEmpty {
        parts.append(part(censored + Int64(number), table.table.column(reason).absentWhereZero))
      }
    }
    guard !waiting.isEmpty else { return parts }
    // What columns hold must not depend on which thread met which device.
    let waiting = waiting.sorted { ($0.start, $0.silentAt, $0.origin) < ($1.start, $1.silentAt, $1.origin) }
    return parts + [
      part(waitingOrigins, waiting.map(\.origin)), part(waitingStarts, waiting.map(\.start)),
      part(waitingEnds, waiting.map(\.silentAt)),
    ]
  }

  /// A cell as it is at a cut-off.
  static func cell(_ parts: [SummaryPart], cutOff: Timestamp) -> RiskCell {
    let columns = Dictionary(uniqueKeysWithValues: parts.map { ($0.number, $0.values) })
    func column(_ number: Int64) -> [Int64] { columns[number] ?? [] }
    var table = RiskTable()
    let sums = column(Self.sums).map(Int.init)
    table.devices = sums.first ?? 0
    for (exclusion, count) in zip(exclusions, sums.dropFirst()) where count > 0 { table.excluded[exclusion] = count }
    for (remark, count) in zip(remarks, sums.dropFirst(1 + exclusions.count)) where count > 0 {
      table.remarks[remark] = count
    }
    table.table = LifeTable(
      ticks: column(ticks), entered: column(entered).zeroWhereAbsent,
      events: causes.compactMap { cause in
        columns[events + Int64(cause.rawValue)].map { (cause, $0.zeroWhereAbsent) }
      },
      censored: Censoring.allCases.enumerated().compactMap { number, reason in
        columns[censored + Int64(number)].map { (reason, $0.zeroWhereAbsent) }
      })
    let (origins, starts, ends) = (column(waitingOrigins), column(waitingStarts), column(waitingEnds))
    var cell = RiskCell(sums: table)
    for index in origins.indices {
      let interval = Interval.Waiting(origin: origins[index], start: starts[index], silentAt: ends[index])
        .ended(at: cutOff.rawValue)
      cell.intervals.add(entry: interval.entry, exit: interval.exit, ending: interval.ending)
    }
    return cell
  }
}

extension [Int64] {
  /// Packed columns pass over what is absent.
  fileprivate var absentWhereZero: [Int64] { map { $0 == 0 ? .max : $0 } }
  fileprivate var zeroWhereAbsent: [Int64] {
    var copy = self
    for index in copy.indices where copy[index] == .max { copy[index] = 0 }
    return copy
  }
}
