import Dispatch
import Glibc
import Synchronization

/// How many threads can work at once.
var coreCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

/// Calls `body` with 0, 1, … at once, and returns when all are done.
///
/// The compiler cannot see that the calls keep out of each other's way: whoever uses this must.
func sideBySide(_ count: Int, _ body: (Int) -> Void) {
  withoutActuallyEscaping(body) { body in
    nonisolated(unsafe) let body = body
    DispatchQueue.concurrentPerform(iterations: count) { body($0) }
  }
}

/// The outcome of `body` for each item, in the order of the items, made side by side.
public func onAllCores<Item, Outcome>(_ items: [Item], _ body: (Item) -> Outcome) -> [Outcome] {
  var outcomes = items.map { _ -> Outcome? in nil }
  let next = Atomic(0)
  outcomes.withUnsafeMutableBufferPointer { outcomes in
    sideBySide(min(coreCount, items.count)) { _ in
      while case let index = next.wrappingAdd(1, ordering: .relaxed).oldValue, index < items.count {
        outcomes[index] = body(items[index])
      }
    }
  }
  return outcomes.compactMap(\.self)
}

/// Works on pieces side by side, on each core with a state of its own.
///
/// - Parameter next: gives the pieces out, one call at a time; nil after the last.
func collectedSideBySide<State, Piece>(
  start: () -> State, next: () throws -> Piece?, _ body: (inout State, Piece) throws -> Void
) throws -> [State] {
  var states = (0..<coreCount).map { _ in start() }
  var failures = states.map { _ -> (any Error)? in nil }
  let turn = DispatchSemaphore(value: 1)
  func nextInTurn() throws -> Piece? {
    turn.wait()
    defer { turn.signal() }
    return try next()
  }
  states.withUnsafeMutableBufferPointer { states in
    failures.withUnsafeMutableBufferPointer { failures in
      sideBySide(states.count) { worker in
        do { while let piece = try nextInTurn() { try body(&states[worker], piece) } } catch {
          failures[worker] = error
        }
      }
    }
  }
  if let failure = failures.lazy.compactMap(\.self).first { throw failure }
  return states
}
