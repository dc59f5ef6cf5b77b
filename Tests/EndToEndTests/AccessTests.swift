import Foundation
import Testing

/// Who may do what, and that nobody else learns anything.
@Suite struct AccessTests {
  private func key(_ database: String, _ app: String, _ scope: String) throws -> String {
    let made = try Binary.run("key", "create", "--db", database, "--app", app, "--scope", scope)
    try #require(made.status == 0, "\(made.errors)")
    return made.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func bearer(_ key: String) -> [String: String] { ["Authorization": "Bearer \(key)"] }

  @Test func keysOpenWhatTheyAreFor() throws {
    let directory = NSTemporaryDirectory() + "uptake-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let database = directory + "/uptake.db"
    let (ingest, read, admin) = (
      try key(database, "a", "ingest"), try key(database, "a", "read"), try key(database, "a", "admin")
    )
    let service = try RunningService(directory: directory)
    let event = #"{"device":"d","stage":"check","id":"1"}"#

    #expect(try service.ask(event).errorCode == "no_key")
    #expect(try service.ask(event, headers: bearer("upk_ingest_guess")).status == 401)
    #expect(try service.ask(event, headers: bearer(read)).errorCode == "wrong_scope")
    #expect(try service.ask(event, headers: bearer(ingest))["accepted"] == 1)
    #expect(try service.ask(event, headers: ["X-Uptake-Key": ingest])["duplicate"] == 1)
    #expect(try service.ask(event, headers: bearer(admin))["duplicate"] == 1)
    #expect(try service.ask("GET", "/v1/releases", headers: bearer(ingest)).status == 403)
    #expect(try service.ask("GET", "/v1/releases", headers: bearer(read)).status == 200)
    #expect(try service.ask("PUT", "/v1/releases/1", Array("{}".utf8), headers: bearer(read)).status == 403)
    #expect(try service.ask("PUT", "/v1/releases/1", Array("{}".utf8), headers: bearer(admin)).status == 200)
    #expect(try service.ask("GET", "/healthz").status == 200)
    #expect(try service.ask("GET", "/metrics").status == 401)

    let other = try service.ask(#"{"device":"d","app":"b","stage":"check"}"#, headers: bearer(ingest))
    #expect((other.status, other.firstRejection) == (403, "wrong_app"))
    let foreign = try service.ask("PUT", "/v1/releases/1", Array(#"{"app":"b"}"#.utf8), headers: bearer(admin))
    #expect((foreign.status, foreign.errorCode) == (403, "wrong_app"))
    let log = service.stop().log
    for secret in [ingest, read, admin] { #expect(!log.contains(secret)) }
    service.removeFiles()
  }

  @Test func aRevokedKeyEndsWithASignal() throws {
    let service = try RunningService()
    let key = try key(service.database, "a", "ingest")
    kill(service.process.processIdentifier, SIGHUP)
    let event = #"{"device":"d","stage":"check"}"#
    try eventually {
      try service.ask(event, headers: self.bearer(key)).status == 200 && service.ask(event).status == 401
    }
    #expect(try Binary.run("key", "revoke", "1", "--db", service.database).status == 0)
    kill(service.process.processIdentifier, SIGHUP)
    try eventually { try service.ask(event, headers: self.bearer(key)).status != 200 }
    service.stop()
    service.removeFiles()
  }
}

/// What a person at the command line is told when the database or the place is wrong.
@Suite struct RefusedStarts {
  private func scratch() throws -> String {
    let directory = NSTemporaryDirectory() + "uptake-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    return directory
  }

  @Test func withoutADirectory() throws {
    let result = try Binary.run("serve", "--db", "/nowhere/at/all/x.db", "--listen", "127.0.0.1:0")
    #expect(result.status == 5)
    #expect(result.errors.contains("its directory does not exist") && result.errors.contains("hint:"))
  }

  @Test func withAFileThatIsNoDatabase() throws {
    let file = try scratch() + "/x.db"
    try Data(repeating: 65, count: 10_000).write(to: URL(filePath: file))
    for words in [["serve", "--listen", "127.0.0.1:0"], ["import", "/dev/null"], ["release", "list"]] {
      let result = try Binary.start(Binary.path, words + ["--db", file])
      #expect(result.status == 5 && result.errors.contains("is not a database"), "\(words): \(result.errors)")
    }
  }

  @Test func withANewerDatabase() throws {
    let file = try scratch() + "/x.db"
    #expect(try Binary.run("key", "create", "--app", "a", "--db", file).status == 0)
    _ = try Binary.start("/usr/bin/sqlite3", [file, "PRAGMA user_version = 99"])
    let result = try Binary.run("release", "list", "--db", file)
    #expect(result.status == 5 && result.errors.contains("schema 99"))
  }

  @Test func beyondThisMachineWithoutKeys() throws {
    let result = try Binary.run("serve", "--db", try scratch() + "/x.db", "--listen", "0.0.0.0:0")
    #expect(result.status == 2 && result.errors.contains("without keys") && result.errors.contains("uptake key create"))
  }

  @Test func onAPortInUse() throws {
    let service = try RunningService()
    let result = try Binary.run("serve", "--db", try scratch() + "/x.db", "--listen", "127.0.0.1:\(service.port)")
    #expect(result.status == 1 && result.errors.contains("in use"))
    service.stop()
    service.removeFiles()
  }

  @Test func ofAMissingDatabase() throws {
    let result = try Binary.run("time-to-update", "2.0.0", "--db", try scratch() + "/none.db")
    #expect(result.status == 5 && result.errors.contains("there is no database"))
  }
}
