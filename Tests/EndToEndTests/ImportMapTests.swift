import Foundation
import Testing

/// What another program exports, by a map, as a person imports it.
@Suite struct ImportMapTests {
  let directory: String
  var database: String { directory + "/uptake.db" }

  init() throws {
    directory = NSTemporaryDirectory() + "uptake-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  private func file(_ name: String, _ text: String) throws -> String {
    let path = directory + "/" + name
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  private func run(_ arguments: [String], input: String = "") throws -> Binary.Result {
    try Binary.start(Binary.path, ["import", "--db", database] + arguments, input: input)
  }

  private static let map = """
    format = "csv"
    [event]
    device = "id"
    release = "version"
    [event.stage]
    path = "what"
    values = [["opened", "check"], ["updated", "applied"]]
    [event.at]
    path = "when"
    time = "s"
    """

  private func rows(_ count: Int) -> String {
    let lines = (0..<count).map { row in
      "d\(row),\(row % 5 == 4 ? "bought" : row % 5 == 0 ? "updated" : "opened"),2.0,\(1_709_539_200 + row)"
    }
    return (["id,what,version,when"] + lines).joined(separator: "\n")
  }

  /// From a file, from gzip and from standard input; again, it is known.
  @Test func anExportIsRead() throws {
    let map = try file("map.toml", Self.map)
    let csv = try file("export.csv", rows(1000))
    let first = try run([csv, "--map", map, "--app", "a", "--format", "json"])
    #expect(first.status == 0 && first.errors == "")
    for count in [#""accepted":800"#, #""skipped":200"#, #""rejected":0"#] {
      #expect(first.output.contains(count), "\(first.output)")
    }
    #expect(try Binary.start("/bin/sh", ["-c", "gzip -k \(csv)"]).status == 0)
    #expect(try run([csv + ".gz", "--map", map, "--app", "a"]).output.contains("duplicate\t800\n"))
    #expect(try run(["-", "--map", map, "--app", "a"], input: rows(1000)).output.contains("skipped\t200\n"))
    #expect(try sqlite(database, "SELECT count(*) FROM v1_event WHERE stage = 'applied'") == "200")
  }

  /// A refusal names file, line, field, path and value; the row is kept to be mended.
  @Test func aRefusalSaysWhereItComesFrom() throws {
    let csv = try file("export.csv", "id,what,version,when\nd,opened,2.0,yesterday\nd,opened,2.0,1709539200\n")
    let result = try run([csv, "--map", try file("map.toml", Self.map), "--app", "a", "--rejects", directory + "/no"])
    #expect(result.status == 6)
    #expect(
      result.errors.contains(
        "\(csv):2: \"at\" is \"yesterday\", which is not seconds since 1970; say how the export writes it"))
    let kept = try String(contentsOfFile: directory + "/no", encoding: .utf8)
    #expect(kept == "id,what,version,when\nd,opened,2.0,yesterday\n")
  }

  @Test(arguments: [
    (["--map", "gs4"], "did you mean ga4?"), (["--map", "/nowhere/a.toml"], "there is no file /nowhere/a.toml"),
    (["--map", "ga4", "--input-format", "csv"], "--map says how the files are written, and so does csv"),
  ]) func whatCannotBe(_ options: [String], _ words: String) throws {
    let result = try run(["-"] + options)
    #expect(result.status == 2 && result.errors.contains(words), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: database))
  }

  @Test func aMapIsHeldAgainstItself() throws {
    let map = try file("map.toml", Self.map.replacing("path = \"what\"", with: "pth = \"what\""))
    let result = try run(["-", "--map", map])
    #expect(result.status == 2 && result.errors.contains("\(map):6: unknown key \"pth\""), "\(result.errors)")
    #expect(result.errors.contains("did you mean path?"))
  }

  /// A file of which nothing is meant is no silent success.
  @Test func nothingButSkippedRowsIsSaid() throws {
    let csv = try file("export.csv", "id,what,version,when\nd,bought,,\n")
    let result = try run([csv, "--map", try file("map.toml", Self.map), "--app", "a"])
    #expect(result.errors.contains("every row was skipped"), "\(result.errors)")
  }

  @Test func mapsAreListedAndPrinted() throws {
    let list = try run(["--maps"])
    #expect(list.status == 0 && list.output.contains("\nga4\t") && list.output.contains("\nsparkle-caddy\t"))
    let printed = try run(["--maps", "posthog"])
    #expect(printed.status == 0 && printed.output.contains("[event.stage]\n"))
    let own = try file("own.toml", printed.output)
    #expect(try run(["-", "--map", own, "--dry-run"]).status == 0)
    #expect(try run([]).errors.contains("import needs FILE"))
  }
}
