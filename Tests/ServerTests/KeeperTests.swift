import Console
import Foundation
import HTTP
import Ingest
import Store
import Lifecycle
import Testing

@testable import Server

struct KeeperTests {
  private let written = Written()
  private var journal: ServiceLog { ServiceLog(written.sink, clock: { Instant(rawValue: 0) }) }

  /// A summary that cannot be made is told, once in a while, and tried again later though nothing comes in.
  @Test func aSummaryThatFailsIsToldAndTriedAgain() throws {
    let folder = try TemporaryFolder()
    try folder.write("x.db", "this is no database")
    let standing = SummaryPace.Standing(known: 1, announced: 0, isUsable: true)
    let keeper = SummaryKeeper(
      path: folder.path + "/x.db", journal: journal, runner: ChoreRunner(nil, clock: ServedDatabase.clock))
    keeper.look(standing) { nil }
    usleep(50_000)
    #expect(written.text.isEmpty, "it waits until nothing comes in")
    keeper.look(standing) { nil }
    #expect(eventually { written.text.contains(#""event":"summary_failed""#) && written.text.contains("not a") })
    let before = written.text
    keeper.look(standing) { nil }
    keeper.stop()
    #expect(written.text == before, "it rests after a failure")
  }

  /// A summary of everything may take minutes: one of the newest releases is made beside it, and stretches end where they were begun.
  @Test func bothKindsAreMadeSideBySide() {
    let hanging = ChoreRunner(
      ProcessStart(program: "/bin/sleep", arguments: ["60"]), clock: ServedDatabase.clock)
    let keeper = SummaryKeeper(
      path: "/nowhere/x.db", journal: journal, runner: hanging, pace: SummaryPace(now: .now - .seconds(20)))
    let busy = SummaryPace.Standing(known: nil, stored: 1, announced: 0, isUsable: false, isOpenUsable: false)
    var sorted = 0
    func look() {
      keeper.look(busy) {
        sorted += 1
        return 7
      }
    }
    look()
    #expect(sorted == 2 && keeper.kept == [7...7, 7...7])
    look()
    #expect(sorted == 2, "both are at work")
    #expect(keeper.comesBeforeMerge(announced: 0) { nil })
    keeper.stop()
    #expect(keeper.kept.isEmpty && written.text.isEmpty)
  }

  @Test func whatGoesOnGoingWrongIsWrittenSparingly() {
    let journal = journal
    for _ in 0..<100 { journal.writeSparingly(.error, "broken") }
    for _ in 0..<2 { journal.writeSparingly(.warning, "other") }
    #expect(written.text.split(separator: "\n").count == 2)
  }

  /// A full disk, a closed pipe: what cannot be said is not said, and the service goes on.
  @Test func aLogThatCannotBeWrittenStopsNothing() throws {
    let sink = Sink(isTerminal: false, columns: 80) { (_) throws(Failure) in throw Failure("write_failed", "no space") }
    let journal = ServiceLog(sink, clock: { Instant(rawValue: 0) })
    journal.write(.error, "one")
    journal.writeSparingly(.error, "two")
  }

  /// A terminal acts on C1 controls and marks that reorder text; a line of the log stays one line of JSON.
  @Test func aLineIsOneObjectWithoutControls() throws {
    journal.write(.info, "said", ["text": .string("a\nb\u{9B}31m\u{202E}c"), "count": .integer(2)])
    let lines = written.text.split(separator: "\n")
    #expect(lines.count == 1)
    #expect(!written.text.unicodeScalars.contains { (0x7F...0x9F).contains($0.value) || $0.value == 0x202E })
    let object = try JSONSerialization.jsonObject(with: Data(written.text.utf8)) as? [String: Any]
    #expect(object?["text"] as? String == "a\nb\u{9B}31m\u{202E}c" && object?["level"] as? String == "info")
    #expect(object?["at"] as? String == "1970-01-01T00:00:00Z")
  }

  /// Housekeeping folds what an earlier process left, and what is left when it stops.
  @Test func foldsAtItsStartAndAtItsEnd() throws {
    let served = try ServedDatabase()
    let event = #"{"device":"d1","stage":"check","app":"a"}"#
    #expect(served.ask("POST", "/v1/events", event).status == 200)
    let housekeeping = Housekeeping(served.service, foldAfter: .seconds(3600))
    #expect(eventually { served.service.metrics.folds.total == 1 })
    #expect(served.ask("POST", "/v1/events", event.replacingOccurrences(of: "d1", with: "d2")).status == 200)
    housekeeping.stop()
    #expect(served.service.metrics.folds.total == 2)
  }
}
