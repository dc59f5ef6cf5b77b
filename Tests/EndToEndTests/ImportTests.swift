import Foundation
import Testing

/// Files of events into a database, as a person does it.
@Suite struct ImportTests {
  let directory: String
  var database: String { directory + "/uptake.db" }

  init() throws {
    directory = NSTemporaryDirectory() + "uptake-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  private func line(_ number: Int) -> String {
    #"{"id":"e\#(number)","device":"d\#(number % 7)","app":"a","stage":"check","release":"1.0","at":"2024-03-04T08:00:00Z"}"#
  }

  private func file(_ name: String, _ text: String) throws -> String {
    let path = directory + "/" + name
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  private func run(_ arguments: [String], input: String = "") throws -> Binary.Result {
    try Binary.start(Binary.path, ["import", "--db", database] + arguments, input: input)
  }

  private func counts(_ result: Binary.Result) -> [String: Int] {
    let pairs = result.output.split(separator: "\n").map { $0.split(separator: "\t") }
    return Dictionary(
      pairs.compactMap { $0.count == 2 ? (String($0[0]).trimmingCharacters(in: .whitespaces), Int($0[1]) ?? -1) : nil }
    ) { $1 }
  }

  /// Nothing told of them: all but one device were missing.
  @Test func idsThatStartAnewOnEachDeviceAreToldOf() throws {
    let lines = (0..<40).map { line($0 % 8).replacing(/"d[0-9]+"/, with: "\"d\($0 / 8)\"") }
    let result = try run([file("events.ndjson", lines.joined(separator: "\n"))])
    #expect(counts(result)["duplicate"] == 32 && counts(result)["clashing"] == 32, "\(result.output)")
    #expect(result.errors.contains("32 events have the id of another device's event"), "\(result.errors)")
  }

  @Test func importingTwiceAddsNothing() throws {
    let path = try file("events.ndjson", (0..<1000).map(line).joined(separator: "\n"))
    let first = try run([path])
    #expect(first.status == 0 && counts(first)["accepted"] == 1000)
    let again = try run([path])
    #expect(again.status == 0 && counts(again) == ["events": -1, "accepted": 0, "duplicate": 1000, "rejected": 0])
    #expect(try sqlite(database, "SELECT count(*) FROM event") == "1000")
  }

  @Test func aSummaryThatCannotBeWrittenIsTold() throws {
    #expect(try run([file("first", line(1))]).status == 0)
    let full = "CREATE TRIGGER full BEFORE INSERT ON summary_state BEGIN SELECT RAISE(ABORT, 'no room'); END"
    try change(database, full)
    let second = try run([file("second", line(2))])
    #expect(second.status == 0 && counts(second)["accepted"] == 1)
    #expect(second.errors.contains("no summary was made") && second.errors.contains("no room"), "\(second.errors)")
  }

  @Test func gzipCSVAndStandardInputGiveTheSame() throws {
    let lines = (0..<50).map(line).joined(separator: "\n")
    #expect(counts(try run(["-"], input: lines))["accepted"] == 50)
    let plain = try file("plain", lines)
    #expect(try Binary.start("/bin/sh", ["-c", "gzip -k \(plain)"]).status == 0)
    #expect(counts(try run([plain + ".gz"]))["duplicate"] == 50)
    let rows = (0..<50).map { "e\($0),d\($0 % 7),a,check,1.0,2024-03-04T08:00:00Z" }
    let csv = try file("events.csv", "id,device,app,stage,release,at\n" + rows.joined(separator: "\n") + "\n")
    #expect(counts(try run([csv]))["duplicate"] == 50)
  }

  @Test func refusedLinesAreToldAndKeptToBeMended() throws {
    let bad = #"{"device":"d","app":"a","stage":"instaled"}"#
    let path = try file("mixed.ndjson", [line(1), bad, "nonsense", line(2)].joined(separator: "\n"))
    let result = try run([path, "--rejects", directory + "/refused"])
    #expect(result.status == 6)
    #expect(counts(result)["accepted"] == 2 && counts(result)["rejected"] == 2 && counts(result)["unknown_stage"] == 1)
    #expect(result.errors.contains("\(path):2: unknown stage \"instaled\"; did you mean"))
    #expect(result.errors.contains("\(path):3: "))
    #expect(try String(contentsOfFile: directory + "/refused", encoding: .utf8) == "\(bad)\nnonsense\n")
    #expect(try run([path, "--strict"]).status == 1)
    #expect(try run([try file("bad", bad)]).status == 1)
  }

  /// Rows of CSV say nothing without the one that names their columns.
  @Test func refusedRowsCanBeImportedOnceTheyAreMended() throws {
    let header = "device,app,stage,release,at"
    let (good, bad) = ("d,a,check,1.0,2024-03-04T08:00:00Z", "e,a,chek,1.0,2024-03-04T08:00:00Z")
    let first = try file("first.csv", [header, good, bad].joined(separator: "\r\n"))
    let second = try file("second.csv", [header, good, bad].joined(separator: "\n") + "\n")
    let refused = directory + "/refused.csv"
    #expect(try run([first, second, "--rejects", refused]).status == 6)
    let kept = try String(contentsOfFile: refused, encoding: .utf8)
    #expect(kept == "\(header)\n\(bad)\n\(bad)\n")
    let mended = try file("mended.csv", kept.replacing("chek", with: "check"))
    let counted = counts(try run([mended]))
    #expect(counted["accepted"] == 1 && counted["duplicate"] == 1 && counted["rejected"] == 0, "\(counted)")
  }

  @Test func fieldsThatAreNotReadAreNamed() throws {
    let path = try file(
      "slips.ndjson", #"{"device":"d","app":"a","stage":"check","triger":"silentPush","screen":"home"}"#)
    let result = try run([path])
    #expect(result.status == 0 && counts(result)["accepted"] == 1)
    let told = #"fields that are not read: "triger" (did you mean "trigger"?), "screen""#
    #expect(result.errors.contains(told), "\(result.errors)")
    let csv = try file("slips.csv", "device,app,stage,Chanel\nd,a,check,beta\n")
    #expect(try run([csv]).errors.contains(#""Chanel" (did you mean "channel"?)"#))
  }

  @Test func aDryRunStoresNothing() throws {
    let path = try file("events.ndjson", (0..<10).map(line).joined(separator: "\n"))
    let result = try run([path, "--dry-run"])
    #expect(result.status == 0 && counts(result)["accepted"] == 10)
    #expect(!FileManager.default.fileExists(atPath: database))
  }

  @Test func aDryRunSaysWhatTheImportWill() throws {
    let known = try file("known.ndjson", (0..<10).map(line).joined(separator: "\n"))
    #expect(try run([known]).status == 0)
    let clash = (0..<3).map { #"{"id":"1","device":"d\#($0)","app":"a","stage":"check"}"# }
    let path = try file("events.ndjson", ((5..<15).map(line) + clash).joined(separator: "\n"))
    let stored = try sqlite(database, "SELECT count(*), max(seq) FROM event")
    let dry = try run([path, "--dry-run"])
    let empty = try Binary.run("import", path, "--dry-run", "--db", database + "2")
    #expect(try sqlite(database, "SELECT count(*), max(seq) FROM event") == stored)
    let real = try run([path])
    let expected = counts(real)
    #expect(counts(dry) == expected && expected["duplicate"] == 7 && expected["accepted"] == 6, "\(expected)")
    #expect(expected["clashing"] == 2 && dry.errors.contains("and would be taken for a resend and lost"))
    #expect(counts(empty)["accepted"] == 11 && counts(empty)["duplicate"] == 2, "\(counts(empty))")
  }

  /// A file that breaks off: what came before the break is stored, and the import goes on where it stopped.
  @Test func anInterruptedImportGoesOn() throws {
    let text = (0..<5000).map(line).joined(separator: "\n")
    let path = try file("events", text)
    #expect(try Binary.start("/bin/sh", ["-c", "gzip -c \(path) | head -c 8000 > \(path).gz"]).status == 0)
    let broken = try run([path + ".gz"])
    #expect(broken.status == 6 && broken.errors.contains("end too early") && broken.errors.contains("--resume"))
    let stored = try #require(Int(try sqlite(database, "SELECT count(*) FROM event")))
    #expect(stored > 0 && stored < 5000)
    let whole = try run([path])
    #expect(whole.status == 0 && counts(whole)["duplicate"] == stored && counts(whole)["accepted"] == 5000 - stored)
  }

  @Test func aDatabaseIsNoFileOfEvents() throws {
    #expect(try run([file("events.ndjson", line(1))]).status == 0)
    let own = try Binary.run("import", database, "--db", directory + "/other.db")
    #expect(
      own.status == 1 && own.errors.contains("uptake.db is a database of SQLite, not a file of events"), "\(own.errors)"
    )
    #expect(own.errors.contains("to ask it: uptake status --db \(database)\n"), "\(own.errors)")
    #expect(own.errors.contains("uptake restore \(database) --db FILE") && own.output.isEmpty, "\(own.errors)")
    let foreign = directory + "/foreign.db"
    _ = try Binary.start("/usr/bin/sqlite3", [foreign, "CREATE TABLE t (x)"])
    let other = try run([foreign])
    #expect(
      other.status == 1 && other.errors.contains("--map FILE") && !other.errors.contains("restore"), "\(other.errors)")
  }

  @Test func aMissingFileIsSaid() throws {
    let result = try run(["/nowhere/events.ndjson"])
    #expect(result.status == 1 && result.errors.contains("cannot open /nowhere/events.ndjson"))
  }
}
