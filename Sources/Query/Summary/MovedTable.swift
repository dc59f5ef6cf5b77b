import Lifecycle
import Statistics
import Store

/// The table of a release on a segment with its cutoff left open, moved on to a later one.
struct MovedTable {
  private var sums: [Int64]
  private var builder = LifeTable.Builder()
  private var waiting = WaitingColumns()
  private let beyond: [Int64]

  /// nil where what was kept is not what its devices say.
  ///
  /// - Parameters:
  ///   - kept: the columns before.
  ///   - left: the devices that may count otherwise, as they were kept; `came` as they count now.
  ///   - others: those that do not, but spoke beyond the cutoff.
  init?(
    _ kept: [SummaryPart], left: RiskCounter?, came: RiskCounter?, _ others: [MovedContacts.Beyond],
    _ moment: OpenMoment
  ) {
    let (left, came) = (left ?? RiskCounter(keepsWaiting: true), came ?? RiskCounter(keepsWaiting: true))
    let (gone, new) = (left.cell, came.cell)
    let columns = Dictionary(uniqueKeysWithValues: kept.map { ($0.number, $0.values) })
    let (less, more) = (SummaryPart.sums(gone.sums), SummaryPart.sums(new.sums))
    let before = columns[SummaryPart.sums] ?? less.map { _ in 0 }
    sums = before.indices.map { before[$0] + more[$0] - less[$0] }
    let limit = (moment.cutOff + RiskRules.tolerance).rawValue
    var last = (columns[SummaryPart.beyond] ?? []).filter { $0 > limit }
    last.add(bag: (left.beyond + others.map(\.before)).filter { $0 > limit }, times: -1)
    last.add(bag: came.beyond + others.map(\.now), times: 1)
    beyond = last
    builder.add(runs: columns[SummaryPart.runs] ?? [])
    builder.add(new.intervals)
    builder.subtract(gone.intervals)
    let changes = OpenWaits(left: left.waiting ?? [], came: came.waiting ?? [], until: moment.until)
    let waits = OpenWaits(columns).adding(changes)
    for one in waits.list where !take(one, moment) { return nil }
    if sums.contains(where: { $0 < 0 }) { return nil }
  }

  private mutating func take(_ one: OpenWaits.Some, _ moment: OpenMoment) -> Bool {
    if one.waiting.silentAt >= moment.cutOff.rawValue {
      waiting.add(one)
    } else {
      let (exit, reason) = one.waiting.ended(at: moment.cutOff.rawValue)
      builder.add(one.count, .censored(reason), at: exit)
    }
    return one.count > 0
  }

  /// None where nothing is said.
  func parts(_ release: Int64, _ group: Group) -> [SummaryPart] {
    if SummaryPart.isEmpty(sums: sums) { return [] }
    let columns: [(Int64, [Int64])] = [
      (SummaryPart.sums, sums), (SummaryPart.runs, builder.build().compactRuns), (SummaryPart.origins, waiting.origins),
      (SummaryPart.sharers, waiting.sharers), (SummaryPart.silences, waiting.silences),
      (SummaryPart.listed, waiting.listed),
    ]
    let last = beyond.isEmpty ? [] : [(SummaryPart.beyond, beyond.sorted())]
    return (columns + last).map { SummaryPart(release, group, $0, $1) }
  }
}

/// As `SummaryPart.origins` and the columns beside it.
private struct WaitingColumns {
  private(set) var origins: [Int64] = []
  private(set) var sharers: [Int64] = []
  private(set) var silences: [Int64] = []
  private(set) var listed: [Int64] = []

  /// - Parameter some: no earlier in order than those before.
  mutating func add(_ some: OpenWaits.Some) {
    if origins.last != some.waiting.origin {
      origins.append(some.waiting.origin)
      sharers.append(0)
      listed.append(0)
    }
    sharers[sharers.count - 1] += some.count
    if some.waiting.silentAt == OpenWaits.late { return }
    listed[listed.count - 1] += some.count
    silences += repeatElement(some.waiting.silentAt, count: Int(some.count))
  }
}
