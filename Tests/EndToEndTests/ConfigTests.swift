import Foundation
import Testing

/// `uptake config`, with real files.
struct ConfigTests {
  private static func inFile<Result>(_ text: String, _ body: (String) throws -> Result) throws -> Result {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".toml")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try body(file.path)
  }

  @Test func showsWhereEachValueComesFrom() throws {
    try Self.inFile("[output]\nformat = \"csv\"\n") { path in
      let file = try Binary.run("config", "show", "--origin", "--config", path)
      #expect(file.output.hasPrefix("key,value,origin\r\n"))
      #expect(file.output.contains("\r\noutput.format,csv,\(path):2\r\n"))
      let variables = ["UPTAKE_CONFIG": path, "UPTAKE_FORMAT": "tsv"]
      let environment = try Binary.run("config", "show", "--origin", environment: variables)
      #expect(environment.output.contains("\noutput.format\ttsv\tUPTAKE_FORMAT\n"))
      #expect(environment.output.contains("\nUPTAKE_CONFIG\t\(path)\tUPTAKE_CONFIG\n"))
      let flag = try Binary.run("config", "show", "--origin", "--config", path, "-o", "tsv")
      #expect(flag.output.contains("\noutput.format\ttsv\t--format\n"))
    }
  }

  @Test func reportsEverythingThatIsWrong() throws {
    try Self.inFile("[output]\nformat = \"cvs\"\nfromat = 1\n[nothing]\n") { path in
      let check = try Binary.run("config", "check", "--config", path)
      #expect(
        check.errors == """
          error: \(path):2: output.format: "cvs" is not one of table, json, ndjson, csv, tsv, md or plot
            did you mean csv?
          error: \(path):3: unknown key "output.fromat"
            did you mean output.format?
          error: \(path):4: unknown table [nothing]

          """)
      #expect(check.status == 2)
    }
  }

  @Test func isContentWithAGoodFile() throws {
    try Self.inFile("# nothing\n") { path in
      let check = try Binary.run("config", "check", "--config", path)
      #expect(check == .init(output: "ok  \(path)  0 keys\n", errors: "", status: 0))
    }
  }
}
