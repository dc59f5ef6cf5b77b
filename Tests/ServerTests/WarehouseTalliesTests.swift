import Ingest
import Synchronization
import Testing

@testable import Server

/// A warehouse's default questions are counted by a process of their own, once for each state; a file stands for it here.
struct WarehouseTalliesTests {
  private let served: ServedDatabase
  init() throws { served = try ServedDatabase() }

  @Test func eachStateIsCountedOnce() throws {
    let state = Mutex<Int64?>(nil)
    let asked = Atomic(0)
    let tallies = WarehouseTallies(address: served.path) {
      asked.add(1, ordering: .relaxed)
      return state.withLock { $0 }
    }
    let failing = ChoreRunner(
      ProcessStart(program: "/bin/sh", arguments: ["-c", "kill -SEGV $$"]), clock: ServedDatabase.clock)
    var counted: Int64?
    try tallies.refresh(failing, &counted) { false }
    #expect(counted == nil && failing.ended.total == 0, "nothing is begun while something is on its way")
    state.withLock { $0 = 7 }
    let failure = #expect(throws: ChoreFailure.self) { try tallies.refresh(failing, &counted) { false } }
    #expect(failure?.description.contains("signal 11") == true && counted == nil && failing.ended.total == 1)
    try tallies.refresh(ChoreRunner(nil, clock: ServedDatabase.clock), &counted) { false }
    #expect(counted == 7)
    try tallies.refresh(failing, &counted) { false }
    #expect(failing.ended.total == 1 && asked.load(ordering: .relaxed) == 4, "what is counted is not counted again")
  }
}
