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

  /// The file of the package: with the defaults switched on it says what is so without it.
  @Test func printsAFileThatHasEveryKeyAndSetsNothing() throws {
    let example = try Binary.run("config", "example").output
    try Self.inFile(example) { path in
      let check = try Binary.run("config", "check", "--config", path)
      #expect(check == .init(output: "ok  \(path)  0 keys\n", errors: "", status: 0))
    }
    let shown = try Binary.run("config", "show", "--format", "tsv").output.split(separator: "\n").dropFirst()
    let keys = shown.compactMap { $0.split(separator: "\t").first }.filter { !$0.hasPrefix("UPTAKE_") }.map(String.init)
    #expect(Set(Self.keys(example)) == Set(keys))
    try Self.inFile(Self.withDefaults(example)) { path in
      let check = try Binary.run("config", "check", "--config", path)
      #expect(check.errors == "" && check.status == 0)
      let service = try Binary.run("config", "show", "--origin", "--format", "tsv", "--config", path).output
      #expect(service.contains("\nlisten\t127.0.0.1:8787\t\(path):"))
      #expect(service.contains("\nobjective.harm-limit\t5%\t\(path):"))
    }
  }

  /// Every key that stands behind `#`, with its table; those of `[[export]]` aside, which no option reads.
  private static func keys(_ file: String) -> [String] {
    var (table, keys) = ("", [String]())
    for line in file.split(separator: "\n") {
      if line.hasPrefix("#[[") { break }
      if line.hasPrefix("[") { table = line.dropFirst().dropLast() + "." }
      if line.hasPrefix("#"), !line.hasPrefix("# "), let name = line.dropFirst().split(separator: " ").first {
        keys.append(table + name)
      }
    }
    return keys
  }

  /// Takes the `#` off each key whose comment names a default that is a value; a path below `~` is none.
  private static func withDefaults(_ file: String) -> String {
    file.split(separator: "\n\n").map(String.init).map { block in
      guard block.contains("Default: "), !block.contains("Default: ~") else { return block }
      return block.replacing("\n#", with: "\n").replacing("\n ", with: "\n# ")
    }.joined(separator: "\n\n")
  }
}
