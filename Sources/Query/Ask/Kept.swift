import Store

/// What was counted before.
enum Kept<Sum> {
  case known(Sum)
  /// Of all devices but those that were heard of since: these are looked at, for several questions at once, and then it is told; nil where it
  /// must be counted from all devices.
  case beside(any HeardAsking, sum: (borrowing Snapshot) throws -> Sum?)
}

/// What is told once the devices were looked at that were heard of.
protocol Waiting {
  var ask: any HeardAsking { get }
  var asked: any Counting { get }
  /// Whether what is told of this tells of another.
  func covers(_ other: any Counting) -> Bool
  /// False where it must be counted from all devices.
  func settle(_ ledger: Ledger, _ snapshot: borrowing Snapshot) throws -> Bool
}

struct WaitingSum<Asked: Counting>: Waiting {
  let counting: Asked
  let ask: any HeardAsking
  let sum: (borrowing Snapshot) throws -> Asked.Sum?

  var asked: any Counting { counting }
  func covers(_ other: any Counting) -> Bool { (other as? Asked).map(counting.covers) ?? false }

  func settle(_ ledger: Ledger, _ snapshot: borrowing Snapshot) throws -> Bool {
    guard let sum = try sum(snapshot) else { return false }
    ledger.add(counting, stored: sum)
    return true
  }
}
