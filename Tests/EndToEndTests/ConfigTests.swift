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

  /// What the file says of the service, and what a start with it would be refused for.
  private static let refused: [(text: String, message: String)] = [
    ("retain-raw = \"30d\"", "1: retain-raw: say where old events go\n"),
    ("retain-raw = \"0d\"\nretain-drop = true", "1: retain-raw: an age of 0 would take out every event once a day\n"),
    ("tls-cert = \"/nope\"", "1: tls-cert: a certificate and its key go together\n"),
    ("tls-cert = \"/nope\"\ntls-key = \"/nope\"", "there is no file /nope\n"),
    ("trusted-proxy = [\"banana\"]", "1: trusted-proxy: \"banana\" is not an address\n"),
    ("max-body = \"0\"", "1: max-body: with 0 every event would be refused\n"),
    ("question-timeout = \"0s\"", "1: question-timeout: with 0 no question would be answered\n"),
    ("ack = \"shipped\"", "1: ack: events cannot wait for a warehouse: none is named\n"),
    ("[[export]]\nevery = \"5m\"", "[[export]] 1: an export needs a target\n"),
    ("[[export]]\ntarget = \"slack\"\nsecret-file = \"/nope\"", "secret-file: there is no file /nope\n"),
  ]

  @Test(arguments: refused) func refusesWhatAServiceWould(_ refused: (text: String, message: String)) throws {
    try Self.inFile(refused.text + "\n") { path in
      let check = try Binary.run("config", "check", "--config", path)
      #expect(check.errors.contains(refused.message) && check.output == "", "\(check)")
      #expect(check.status == 2)
      let database = NSTemporaryDirectory() + "uptake-\(UUID().uuidString).db"
      let start = try Binary.run("serve", "--db", database, "--listen", "127.0.0.1:0", "--config", path)
      #expect([1, 2].contains(start.status), "\(start)")
      #expect(!FileManager.default.fileExists(atPath: database))
    }
  }

  @Test func tellsEachRefusalOfAService() throws {
    try Self.inFile("trusted-proxy = [\"banana\"]\nretain-raw = \"30d\"\n") { path in
      let check = try Binary.run("config", "check", "--config", path)
      #expect(check.errors.contains(":1: trusted-proxy: ") && check.errors.contains(":2: retain-raw: "))
    }
  }

  @Test func warnsOfWhatIsIgnored() throws {
    try Self.inFile("retain-drop = true\n") { path in
      let check = try Binary.run("config", "check", "--config", path)
      #expect(
        check.status == 0 && check.errors.hasPrefix("--retain-drop is ignored: nothing says which events are old"))
    }
  }

  /// Whether there are keys the database knows, which is another one for the service than for who checks its file.
  @Test(arguments: [
    ("0.0.0.0:8787", true), ("[::]:8787", true), ("127.0.0.1:8787", false), ("unix:/run/u.sock", false),
  ])
  func tellsThatOthersNeedKeys(_ address: String, _ isTold: Bool) throws {
    try Self.inFile("listen = \"\(address)\"\n") { path in
      let check = try Binary.run("config", "check", "--config", path)
      #expect(
        check.status == 0 && check.errors.contains("starts there only where its database has keys") == isTold,
        "\(check)")
    }
  }

  /// The service manager may give a service what a shell has not.
  @Test func aSecretMayBeInAnotherEnvironment() throws {
    try Self.inFile("[[export]]\ntarget = \"slack\"\n") { path in
      let check = try Binary.run("config", "check", "--config", path)
      #expect(
        check.status == 0
          && check.errors.contains("[[export]] 1: Slack needs a secret, and SLACK_WEBHOOK_URL is not set here"))
    }
  }

  /// A certificate that is not there yet may come: status 1, after which the service is started again.
  @Test func aCertificateThatIsNotThereMayCome() throws {
    let database = NSTemporaryDirectory() + "uptake-\(UUID().uuidString).db"
    let start = try Binary.run("serve", "--db", database, "--tls-cert", "/nope", "--tls-key", "/nope")
    #expect(start.status == 1 && start.errors.contains("there is no file /nope"), "\(start)")
  }

  /// As where half of a renewal is done: the next start would end, and the service in force would not.
  @Test func aKeyOfAnotherCertificateIsRefused() throws {
    let folder = try scratchFolder()
    for name in ["old", "new"] {
      let made = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
      let files = ["-keyout", "\(folder)/\(name).key", "-out", "\(folder)/\(name).pem"]
      _ = try Binary.start("/usr/bin/env", ["openssl"] + made.split(separator: " ").map(String.init) + files)
    }
    for (key, status) in [("old", Int32(2)), ("new", 0)] {
      try Self.inFile("tls-cert = \"\(folder)/new.pem\"\ntls-key = \"\(folder)/\(key).key\"\n") { path in
        let check = try Binary.run("config", "check", "--config", path)
        #expect(check.status == status, "\(check)")
        #expect(check.errors.contains("cannot be used with the key in \(folder)/old.key") == (status == 2))
      }
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
