import Store

extension Ledger {
  private enum Found {
    case known, nowhere
    case waiting(any Waiting)
  }

  /// What is kept of all channels is in memory for each of them.
  private static let mostAtOnce = 8

  /// Takes what was stored of some, and answers what must be counted of all devices.
  func lookUp(_ asked: [any Counting], _ snapshot: borrowing Snapshot) throws -> [any Counting] {
    var (missing, waiting, covered) = ([any Counting](), [any Waiting](), [any Counting]())
    for counting in asked {
      if waiting.contains(where: { $0.covers(counting) }) {
        covered.append(counting)
        continue
      }
      switch try find(counting, snapshot) {
      case .known: break
      case .nowhere: missing.append(counting)
      case .waiting(let one): waiting.append(one)
      }
      if waiting.count == Self.mostAtOnce { missing += try settle(&waiting, snapshot) }
    }
    missing += try settle(&waiting, snapshot)
    return covered.isEmpty ? missing : try missing + lookUp(covered, snapshot)
  }

  private func settle(_ waiting: inout [any Waiting], _ snapshot: borrowing Snapshot) throws -> [any Counting] {
    defer { waiting = [] }
    try snapshot.scan(waiting.map(\.ask))
    return try waiting.filter { try !$0.settle(self, snapshot) }.map(\.asked)
  }

  private func find<Asked: Counting>(_ counting: Asked, _ snapshot: borrowing Snapshot) throws -> Found {
    if knows(counting) { return .known }
    switch try counting.kept(snapshot) {
    case .known(let sum):
      add(counting, stored: sum)
      return .known
    case .beside(let ask, let sum): return .waiting(WaitingSum(counting: counting, ask: ask, sum: sum))
    case nil: return .nowhere
    }
  }
}
