import Console
import Foundation
import HTTP
import Lifecycle
import Store
import Testing

@testable import Server

/// What goes on beside the requests, whatever happens to the file below.
struct HousekeepingTests {
  private func event(_ device: String) -> String { #"{"device":"\#(device)","stage":"check","app":"a","release":"1"}"# }

  private func isSummarised(_ served: ServedDatabase) -> Bool {
    (try? Snapshot(path: served.path).summaryState(app: "a")) != nil
  }

  /// Summaries are made once everything is folded, whoever folded it: an event that came before the housekeeping began,
  /// or that a retention folded, must not look as if it still waited, until the next start.
  @Test func summariesAreMadeWhoeverFolds() throws {
    let served = try ServedDatabase()
    #expect(served.ask("POST", "/v1/events", event("d1")).status == 200)
    let housekeeping = Housekeeping(served.service, foldAfter: .milliseconds(50))
    defer { housekeeping.stop() }
    #expect(eventually { isSummarised(served) }, "of what came before it began")
    #expect(served.ask("POST", "/v1/events", event("d2")).status == 200)
    try served.service.log.foldAll()
    #expect(eventually { isSummarised(served) }, "of what somebody else folded")
  }

  /// However long a shard takes, each turn of a merge brings one into the file.
  @Test func aMergeLetsOthersGoFirstAndComesToItsEnd() throws {
    let served = try ServedDatabase()
    for device in 0..<40 { #expect(served.ask("POST", "/v1/events", event("d\(device)")).status == 200) }
    var (folds, turns) = (FoldKeeper(served.service), 0)
    repeat {
      folds.run(goesOn: { true }, within: .zero)
      turns += 1
    } while folds.gaveWay && turns < 100
    #expect(turns > 20 && turns <= 65)
    #expect(try served.service.log.sortedEvents() == 0)
  }

  /// What was acknowledged must be found again: nothing is acknowledged into a file that nobody will ever open.
  @Test(arguments: [true, false]) func aDatabaseThatIsGoneIsNoticed(_ isReplaced: Bool) throws {
    let served = try ServedDatabase()
    let housekeeping = Housekeeping(served.service, foldAfter: .seconds(3600))
    defer { housekeeping.stop() }
    #expect(served.ask("POST", "/v1/events", event("d1")).status == 200)
    #expect(served.ask("GET", "/readyz").status == 200)
    let files = ["", "-wal", "-shm"]
    func move(_ from: String, _ to: String) throws {
      for file in files where access(served.path + from + file, F_OK) == 0 {
        try FileManager.default.moveItem(atPath: served.path + from + file, toPath: served.path + to + file)
      }
    }
    try move("", ".aside")
    if isReplaced { _ = try EventLog(path: served.path) }
    #expect(eventually { served.ask("GET", "/readyz").status == 503 }, "before anybody sends anything")
    #expect(served.ask("GET", "/readyz").code == "not_stored")
    #expect(served.service.metricsText(.init()).contains("uptake_storage_writable 0\n"))
    let refused = served.ask("POST", "/v1/events", event("d2"))
    #expect(refused.status == 503 && refused.code == "not_stored", "\(refused.text)")
    #expect(!refused.text.contains(served.path), "nobody learns where the database lies")
    #expect(isReplaced || access(served.path, F_OK) != 0, "no empty database in its place")
    if isReplaced { for file in files { unlink(served.path + file) } }
    try move(".aside", "")
    #expect(eventually { served.ask("GET", "/readyz").status == 200 }, "once it is back")
    #expect(served.ask("POST", "/v1/events", event("d2")).text.contains(#""accepted":1"#), "what was refused is new")
    #expect(served.log.text.contains(#""event":"database_moved""#))
  }

  /// What comes in faster than it is sorted is held back, never piled up; once the fold is through, all goes on.
  @Test func aFullTailIsToldAndEnds() throws {
    let served = try ServedDatabase(tail: 2 * 48)
    for device in ["d1", "d2"] { #expect(served.ask("POST", "/v1/events", event(device)).status == 200) }
    let refused = served.ask("POST", "/v1/events", event("d3"))
    #expect(refused.status == 503 && refused.code == "tail_full", "\(refused.text)")
    #expect(refused.headers.contains { $0.name == "Retry-After" })
    let metrics = served.service.metricsText(.init())
    #expect(
      metrics.contains("uptake_ingest_tail_bytes 96\n") && metrics.contains("uptake_ingest_tail_limit_bytes 96\n"))
    #expect(metrics.contains("uptake_ingest_tail_wait_seconds_count 3\n"))
    let housekeeping = Housekeeping(served.service, foldAfter: .milliseconds(50))
    defer { housekeeping.stop() }
    #expect(eventually { served.ask("POST", "/v1/events", event("d3")).status == 200 }, "it is sorted now")
    #expect(eventually { served.service.metricsText(.init()).contains("uptake_ingest_tail_bytes 0\n") })
  }

  /// Keys that cannot be read leave those in force in force, and say so.
  @Test func keysThatCannotBeReadStay() throws {
    let served = try ServedDatabase()
    let key = try served.key(.read)
    try FileManager.default.moveItem(atPath: served.path, toPath: served.path + ".aside")
    served.service.reloadKeys()
    #expect(served.service.keys.find(key) != nil && served.log.text.contains("keys_not_read"))
  }
}
