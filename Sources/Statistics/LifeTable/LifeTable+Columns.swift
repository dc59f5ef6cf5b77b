/// The table as columns, for those who keep it.
extension LifeTable {
  /// - Parameters:
  ///   - ticks: ascending, each once.
  ///   - events: a column as long as `ticks` per cause that occurs.
  ///   - censored: likewise per reason.
  public init(
    ticks: [Tick], entered: [Int64], events: [(cause: Cause, column: [Int64])],
    censored: [(reason: Censoring, column: [Int64])]
  ) {
    self.init()
    self.ticks = ticks
    self.entered = entered
    for (cause, column) in events { eventColumns[cause.column] = column }
    for (reason, column) in censored { censoredColumns[reason.column] = column }
    countAtRisk()
  }

  /// Events per row; empty where there was none.
  public func column(_ cause: Cause) -> [Int64] { eventColumns[cause.column] }
  public func column(_ reason: Censoring) -> [Int64] { censoredColumns[reason.column] }
}
