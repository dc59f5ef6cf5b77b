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
  /// Goes through the shards on all cores, each core collecting into a state of its own.
  ///
  /// Which shards come to which state is chance: states must add up to the same in any case. Reading is done in turn,
  /// since one transaction belongs to one connection; `body` goes side by side.
  func eachShard<State, Raw>(
    start: () -> State, read: (inout State, Int) throws -> Raw, _ body: (inout State, Raw, ReadingTurn) throws -> Void
  ) throws -> [State] {
    var states = (0..<coreCount).map { _ in start() }
    var failures = states.map { _ -> (any Error)? in nil }
    let (turn, patience) = (ReadingTurn(), Patience.end)
    var next = 0
    func nextRaw(_ state: inout State) throws -> Raw? {
      try turn.take {
        guard next < Shards.count else { return nil }
        try Patience.check(connection.path)
        defer { next += 1 }
        return try read(&state, next)
      }
    }
    states.withUnsafeMutableBufferPointer { states in
      failures.withUnsafeMutableBufferPointer { failures in
        sideBySide(states.count) { worker in
          // Threads that are lent do not inherit it.
          Patience.$end.withValue(patience) {
            do { while let raw = try nextRaw(&states[worker]) { try body(&states[worker], raw, turn) } } catch {
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
