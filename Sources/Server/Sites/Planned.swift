internal import Query
internal import Store

/// What is to be answered together with other questions: what they need counted, and what is made of that.
struct Planned<Value> {
  let counts: [Counts]
  private let make: (Ledger, borrowing Snapshot) throws -> Value

  init(_ counts: [Counts], _ make: @escaping (Ledger, borrowing Snapshot) throws -> Value) {
    (self.counts, self.make) = (counts, make)
  }

  /// - Parameter ledger: what is not in it costs a scan.
  func value(_ ledger: Ledger, _ snapshot: borrowing Snapshot) throws -> Value { try make(ledger, snapshot) }
}

extension Snapshot {
  /// All of them for one scan, as far as what they need goes together.
  func values<Value>(_ planned: [Planned<Value>], after ledger: Ledger) throws -> [Value] {
    let ledger = Ledger(after: ledger)
    try count(planned.flatMap(\.counts), into: ledger)
    return try planned.map { try $0.value(ledger, self) }
  }
}
