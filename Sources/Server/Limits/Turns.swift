/// What waits, a line for each client; the clients come one after the other, however long their lines are.
struct Turns {
  struct Work: Sendable {
    var client: UInt64
    var bytes: Int
    var run: @Sendable () -> Void
    /// Instead of `run`, where it gave way.
    var orElse: @Sendable () -> Void
  }
  private struct Line {
    var works: [Work] = []
    var bytes = 0
  }
  private var lines: [UInt64: Line] = [:]
  /// Clients with a line, the next one first.
  private var order: [UInt64] = []
  private(set) var bytes = 0
  private(set) var count = 0

  mutating func add(_ work: Work) {
    if lines[work.client] == nil { order.append(work.client) }
    lines[work.client, default: Line()].works.append(work)
    note(work, 1)
  }

  /// The first of the client whose turn it is.
  mutating func next() -> Work? {
    guard !order.isEmpty else { return nil }
    let client = order.removeFirst()
    guard let work = lines[client]?.works.removeFirst() else { return nil }
    note(work, -1)
    if lines[client] != nil { order.append(client) }
    return work
  }

  /// The newest of the client that has the most bytes here.
  mutating func giveWay() -> Work? {
    guard let client = order.max(by: { (lines[$0]?.bytes ?? 0) < (lines[$1]?.bytes ?? 0) }),
      let work = lines[client]?.works.popLast()
    else { return nil }
    note(work, -1)
    if lines[client] == nil { order.removeAll { $0 == client } }
    return work
  }

  /// - Parameter sign: 1 as it comes, -1 as it goes.
  private mutating func note(_ work: Work, _ sign: Int) {
    bytes += sign * work.bytes
    count += sign
    lines[work.client]?.bytes += sign * work.bytes
    if lines[work.client]?.works.isEmpty == true { lines[work.client] = nil }
  }
}
