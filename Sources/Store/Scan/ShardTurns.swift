import Dispatch

/// Lets threads read from one connection in turn.
final class ReadingTurn {
  private let free = DispatchSemaphore(value: 1)

  func take<T, Failure>(_ read: () throws(Failure) -> T) throws(Failure) -> T {
    free.wait()
    defer { free.signal() }
    return try read()
  }
}

extension Snapshot {
  /// Goes through shards on all cores: reading is done in turn, `body` goes side by side.
  func eachShard<State>(
    _ shards: Range<Int>, _ turn: ReadingTurn, start: () -> State, read: (inout State, Int) throws -> Void,
    _ body: (inout State, Int) throws -> Void
  ) throws -> [State] {
    var states = (0..<coreCount).map { _ in start() }
    var failures = states.map { _ -> (any Error)? in nil }
    let patience = Patience.end
    var next = shards.lowerBound
    func readNext(_ state: inout State) throws -> Int? {
      try turn.take {
        guard next < shards.upperBound else { return nil }
        try Patience.check(connection.path)
        defer { next += 1 }
        try read(&state, next)
        return next
      }
    }
    states.withUnsafeMutableBufferPointer { states in
      failures.withUnsafeMutableBufferPointer { failures in
        sideBySide(states.count) { worker in
          // Threads that are lent do not inherit it.
          Patience.$end.withValue(patience) {
            do { while let shard = try readNext(&states[worker]) { try body(&states[worker], shard) } } catch {
              failures[worker] = error
            }
          }
        }
      }
    }
    if let failure = failures.lazy.compactMap(\.self).first { throw failure }
    return states
  }
}
