import Console
import Foundation
import HTTP
import Ingest
import Lifecycle
import Query
import Testing

@testable import Server

/// Work of the service in a process of its own: whatever becomes of the process, the service is told in words.
struct ChoreTests {
  private func runner(_ program: String, _ arguments: [String] = [], patience: Swift.Duration = .seconds(20))
    -> ChoreRunner
  {
    ChoreRunner(
      ProcessStart(program: program, arguments: arguments), patience: patience, clock: ServedDatabase.clock)
  }

  private func failure(_ runner: ChoreRunner, isOver: () -> Bool = { false }) -> String? {
    let failure = #expect(throws: ChoreFailure.self) {
      try runner.result(of: SummaryChore(database: "/nowhere/x.db"), isOver: isOver)
    }
    return failure?.description
  }

  @Test func aProcessThatEndsIsToldOf() {
    let ended = runner("/bin/sh", ["-c", "kill -SEGV $$"])
    #expect(failure(ended)?.contains("ended with signal 11") == true)
    #expect(ended.ended.snapshot.map(\.labels) == [["summary"]] && ended.ended.total == 1)
    #expect(failure(runner("/bin/false"))?.contains("ended with exit status 1") == true)
  }

  @Test func aProcessThatHangsIsEnded() {
    let hanging = runner("/bin/sleep", ["60"], patience: .milliseconds(300))
    #expect(failure(hanging)?.contains("gave no answer within 0.3 seconds") == true)
    #expect(hanging.ended.total == 1)
  }

  /// A service that stops waits for nothing, and that is no fault.
  @Test func whoeverStopsWaitsForNothing() {
    let hanging = runner("/bin/sleep", ["60"])
    let begin = ContinuousClock.now
    #expect(failure(hanging, isOver: { true }) == "the service stops")
    #expect(.now - begin < .seconds(30) && hanging.ended.total == 0)
  }

  @Test func aProgramThatIsNotThereIsToldOf() {
    #expect(failure(runner("/nowhere/uptake"))?.contains("no process could be started") == true)
  }

  @Test func withoutAProcessItIsDoneHere() {
    #expect(failure(ChoreRunner(nil, clock: ServedDatabase.clock))?.contains("/nowhere/x.db") == true)
  }

  /// What is asked and answered survives the way through the socket.
  @Test func choresAreTheSameAfterTheirWay() throws {
    let chore = VerdictChore(database: "a\"b.db", app: "ä\u{202E}", judging: .init(), room: 7)
    let bytes = JSON.bytes(chore)
    let read = try JSON.decode(VerdictChore.self, from: bytes)
    #expect(read.database == chore.database && read.app == chore.app && read.room == 7)
    #expect(read.judging == chore.judging)
  }
}
