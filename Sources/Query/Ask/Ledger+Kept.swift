import Store

extension Ledger {
  private enum Found {
    case known, nowhere
    case waiting(any Waiting)
  }

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
    }
    try snapshot.scan(waiting.map(\.ask))
    for one in waiting where try !one.settle(self, snapshot) { missing.append(one.asked) }
    return covered.isEmpty ? missing : try missing + lookUp(covered, snapshot)
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
