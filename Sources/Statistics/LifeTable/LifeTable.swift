/// A point or a length of time in the caller's unit (seconds, unless the caller says otherwise).
public typealias Tick = Int64

/// The grouped life table: per tick how many entered, had an event by cause, or were censored by reason.
///
/// Rows are sorted by tick and hold at least one entry or exit. At risk at tick t: entered before t and not gone
/// before t, so events come before censorings, and who enters at t is not at risk at t. Every estimator of this
/// module is a function of one or more such tables.
public struct LifeTable: Equatable, Sendable {
  public internal(set) var ticks: [Tick] = []
  public internal(set) var entered: [Int64] = []
  public internal(set) var atRisk: [Int64] = []
  /// One column per cause and per censoring reason; an empty column is all zero.
  var eventColumns = [[Int64]](repeating: [], count: Int(Cause.highest))
  var censoredColumns = [[Int64]](repeating: [], count: Censoring.allCases.count)

  public init() {}

  public var isEmpty: Bool { ticks.isEmpty }
  public var rowCount: Int { ticks.count }
  /// Where the last interval ends; nil when there is none.
  public var lastTick: Tick? { ticks.last }
}

extension LifeTable {
  /// One line of the table.
  public struct Row: Sendable {
    let table: LifeTable
    let index: Int

    public var tick: Tick { table.ticks[index] }
    public var entered: Int64 { table.entered[index] }
    public var atRisk: Int64 { table.atRisk[index] }
    public func events(_ cause: Cause) -> Int64 { table.events(cause, row: index) }
    public func censored(_ reason: Censoring) -> Int64 { table.censored(reason, row: index) }
  }

  public var rows: LazyMapSequence<Range<Int>, Row> { ticks.indices.lazy.map { Row(table: self, index: $0) } }

  public func events(_ cause: Cause, row: Int) -> Int64 {
    eventColumns[cause.column].isEmpty ? 0 : eventColumns[cause.column][row]
  }

  public func censored(_ reason: Censoring, row: Int) -> Int64 {
    censoredColumns[reason.column].isEmpty ? 0 : censoredColumns[reason.column][row]
  }
}
