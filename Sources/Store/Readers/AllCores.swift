import Dispatch
import Glibc
import Synchronization

/// How many threads can work at once.
var coreCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

/// Calls `body` with 0, 1, … at once, and returns when all are done.
///
/// The compiler cannot see that the calls keep out of each other's way: whoever uses this must.
func sideBySide(_ count: Int, _ body: (Int) -> Void) {
  // What goes on inside a call of Dispatch's is not spread any more, so a single call must be none of them.
  if count == 1 { return body(0) }
  withoutActuallyEscaping(body) { body in
    nonisolated(unsafe) let body = body
    DispatchQueue.concurrentPerform(iterations: count) {
      Memory.useLargePagesInThread()
      body($0)
    }
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
