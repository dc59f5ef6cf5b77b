import Foundation
import Testing

@testable import Console

/// The same answer, as each option asks.
struct OutputTests {
  @Test(arguments: [
    (["--format", "csv"], "tea,drunk,drunk_lo,drunk_hi\r\ngreen,0.5,0.4,0.6\r\n'=black,,,\r\n"),
    (["-o", "csv", "--no-header"], "green,0.5,0.4,0.6\r\n'=black,,,\r\n"),
    ([], "tea\tdrunk\tdrunk_lo\tdrunk_hi\ngreen\t0.5\t0.4\t0.6\n=black\t\t\t\n"),
    (["--fields", "drunk"], "drunk\tdrunk_lo\tdrunk_hi\n0.5\t0.4\t0.6\n\t\t\n"),
    (
      ["--json"],
      "{\"data\":[{\"drunk\":0.5,\"tea\":\"green\"},{\"drunk\":null,\"tea\":\"=black\"}],\"schema\":\"brew.teas/1\"}\n"
    ),
    (
      ["--json", "--fields", "tea"],
      "{\"data\":[{\"tea\":\"green\"},{\"tea\":\"=black\"}],\"schema\":\"brew.teas/1\"}\n"
    ),
    (["-o", "ndjson"], "{\"drunk\":0.5,\"tea\":\"green\"}\n{\"drunk\":null,\"tea\":\"=black\"}\n"),
    (
      ["-o", "md"],
      "teas\n\n| TEA | DRUNK (95% CI) |\n| --- | ---: |\n| green | 50.0% (40.0–60.0) |\n| =black | — |\n\nnote: tea is hot\n"
    ),
    (
      ["-o", "table"],
      "teas\nTEA     DRUNK (95% CI)\ngreen   50.0% (40.0–60.0)\n=black      —\n— DRUNK (95% CI): too few cups\nnote: tea is hot\n"
    ),
    (
      ["-o", "table", "-q"],
      "teas\nTEA     DRUNK (95% CI)\ngreen   50.0% (40.0–60.0)\n=black      —\n— DRUNK (95% CI): too few cups\n"
    ),
  ]) func prints(_ options: [String], _ output: String) {
    let run = Run(["show"] + options)
    #expect(run.output == output)
    #expect(run.exit == .done)
  }

  @Test func keepsNotesApartFromData() {
    #expect(Run(["show"]).errors == "note: tea is hot\n")
    #expect(Run(["show", "-q"]).errors == "")
    #expect(Run(["show", "-o", "table"]).errors == "")
  }

  @Test func drawsAboveTheTable() {
    let output = Run(["show", "-o", "plot", "--ascii"]).output
    #expect(output.hasPrefix("teas\n50% +"))
    #expect(output.contains("\nTEA     DRUNK (95% CI)\n"))
    #expect(output.allSatisfy { $0.isASCII })
  }

  @Test func looksAtTheTerminal() {
    #expect(Run(["show"], isTerminal: true).output.contains("\u{1B}[1mTEA"))
    #expect(Run(["show", "--json"], isTerminal: true).output.contains("\n  \"data\": ["))
    #expect(!Run(["show", "--no-color"], isTerminal: true).output.contains("\u{1B}"))
  }

  @Test(arguments: [
    ("auto", [:], true, true), ("auto", [:], false, false), ("always", ["NO_COLOR": "1"], false, true),
    ("never", ["CLICOLOR_FORCE": "1"], true, false), ("auto", ["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], true, false),
    ("auto", ["NO_COLOR": ""], true, true), ("auto", ["CLICOLOR_FORCE": "1"], false, true),
    ("auto", ["CLICOLOR_FORCE": "0"], false, false), ("auto", ["CLICOLOR": "0"], true, false),
    ("auto", ["TERM": "dumb"], true, false),
  ]) func colours(_ choice: String, _ environment: [String: String], _ isTerminal: Bool, _ result: Bool) {
    #expect(usesColour(choice, environment: environment, isTerminal: isTerminal) == result)
  }

  @Test(arguments: [
    (["LANG": "en_US.UTF-8"], Glyphs.unicode), (["LANG": "C.utf8"], .unicode), (["LANG": "C"], .ascii), ([:], .ascii),
    (["LANG": "C.UTF-8", "LC_ALL": "C"], .ascii), (["LC_CTYPE": "C.UTF-8"], .unicode),
    (["LC_ALL": "", "LANG": "C.UTF-8"], .unicode),
  ]) func drawsWhatTheLocaleHas(_ environment: [String: String], _ glyphs: Glyphs) {
    #expect(Glyphs(environment: environment) == glyphs)
    #expect(Glyphs(environment: environment, ascii: true) == .ascii)
  }

  @Test func writesFilesWholeOrNotAtAll() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "teas.csv")
    try Data("old".utf8).write(to: file)
    do {
      let abandoned = try AtomicFile(file.path)
      try abandoned.write("half")
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == "old")
    let run = Run(["show", "--output", file.path, "-o", "csv", "--no-header"], isTerminal: true)
    #expect(run.output == "")
    #expect(try String(contentsOf: file, encoding: .utf8) == "green,0.5,0.4,0.6\r\n'=black,,,\r\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["teas.csv"])
    #expect(Run(["show", "--output", "/dev/null"]).exit == .done)
    let missing = Run(["show", "--output", folder.path + "/no/teas.csv"])
    #expect(missing.errors.hasSuffix("  why: No such file or directory\n"))
    #expect(missing.exit == .failed)
  }

  /// What a killed process left is in nobody's way, where its successor has its number; what is being written stays.
  @Test func onlyWhatIsAbandonedIsTakenAway() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "teas.csv").path
    try Data("left by another".utf8).write(to: URL(fileURLWithPath: "\(path).\(getpid()).tmp"))
    let first = try AtomicFile(path)
    try first.write("whole")
    #expect(throws: Failure.self) { _ = try AtomicFile(path) }
    try first.commit()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "whole")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["teas.csv"])
  }

  /// Whatever the user's mask says, and whatever was there before.
  @Test func aPrivateFileIsItsOwnersAlone() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "refused.ndjson").path
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    try AtomicFile(path, isPrivate: true).commit()
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode.map { $0 & 0o077 } == 0)
  }

  @Test func saysThatADiskIsFull() {
    let run = Run(["show", "--output", "/dev/full"])
    #expect(
      run.errors
        == "error: cannot write to /dev/full\n  why: No space left on device\n  hint: free some space, then run it again\n"
    )
  }

  @Test func showsProgress() {
    let screen = Buffer()
    var seconds = 0.0
    var progress = Progress("importing", unit: "events", on: screen.sink(true, 100), glyphs: .unicode) { seconds }
    progress.update(10, fraction: 0.1)
    #expect(screen.text == "")
    seconds = 2
    progress.update(2_000_000, fraction: 0.4)
    progress.update(2_000_001, fraction: 0.4)
    #expect(
      screen.text == "\r\u{1B}[Kimporting  ████████░░░░░░░░░░░░  40%  2,000,000 events  1,000,000 events/s  3.0s left")
    progress.finish()
    progress.finish()
    #expect(screen.text.hasSuffix("left\r\u{1B}[K"))
  }

  @Test func keepsProgressOffPipesAndInOneLine() {
    for (isTerminal, columns) in [(false, 80), (true, 30)] {
      let screen = Buffer()
      var seconds = 0.0
      var progress = Progress("importing", unit: "events", on: screen.sink(isTerminal, columns), glyphs: .ascii) {
        seconds
      }
      seconds = 9
      progress.update(1_000_000, fraction: 0.5)
      #expect(displayWidth(screen.text) - (isTerminal ? 3 : 0) < columns)
      #expect(screen.text.isEmpty == !isTerminal)
    }
  }
}
