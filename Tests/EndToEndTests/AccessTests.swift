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

/// Once a key was made, no key means no access.
@Suite struct ClosedTests {
  private static let report = #"{"app_id":"a","device_id":"d","action":"set","version_name":"2.0"}"#
  private static let deploy =
    #"{"app_version":"1","deployment_key":"K","client_unique_id":"d","label":"v1","status":"DeploymentSucceeded"}"#
  private static let requests: [(String, String, String)] = [
    ("POST", "/v1/events", #"{"app":"a","device":"d","stage":"check"}"#), ("GET", "/v1/releases", ""),
    ("PUT", "/v1/releases/9", #"{"app":"a"}"#), ("GET", "/v1/answers/releases", ""),
    ("GET", "/v1/answers/releases?app=a", ""), ("GET", "/v1/devices/d/breadcrumbs?app=a", ""),
    ("DELETE", "/v1/devices/d?app=a", ""), ("GET", "/metrics", ""), ("GET", "/", ""), ("GET", "/mechanisms.html", ""),
    ("POST", "/stats", report), ("POST", "/v0.1/public/codepush/report_status/deploy", deploy),
    ("GET", "/updateCheck?deploymentKey=K&appVersion=1&clientUniqueId=d", ""), ("POST", "/v1/push-results", "[]"),
    ("POST", "/report/K", #"{"type":"mark_success","hash":"h","cInfo":{"uuid":"d"}}"#), ("POST", "/v1/logs", "{}"),
    ("POST", "/api/1/envelope/", "{}\n"), ("POST", "/api/1/store/", "{}"), ("POST", "/events", "{}"),
    (
      "POST", "/api/v1/patches/check",
      #"{"app_id":"s","release_version":"1","platform":"ios","arch":"x","client_id":"d","channel":"stable"}"#
    ),
    (
      "POST", "/v1/update",
      #"<request protocol="3.0"><app appid="o" version="1" machineid="d"><updatecheck/></app></request>"#
    ),
  ]

  /// Everything answers 401, and nothing changes.
  private func isClosed(_ service: RunningService, at place: SourceLocation = #_sourceLocation) throws {
    let before = try sqlite(service.database, "SELECT count(*) FROM event; SELECT count(*) FROM publication")
    for (method, path, body) in Self.requests {
      let reply = try service.ask(method, path, Array(body.utf8))
      // Sentry's protocol has one status for all of it.
      #expect(
        reply.status == (path.hasPrefix("/api/1/") ? 403 : 401), "\(method) \(path): \(reply.status) \(reply.body)",
        sourceLocation: place)
    }
    #expect(try service.ask("GET", "/healthz").status == 200)
    let after = try sqlite(service.database, "SELECT count(*) FROM event; SELECT count(*) FROM publication")
    #expect(before == after, sourceLocation: place)
  }

  private func run(_ words: String...) throws -> Binary.Result {
    let result = try Binary.start(Binary.path, words)
    try #require(result.status == 0, "\(words): \(result.errors)")
    return result
  }

  /// Keys of the whole service are valid for every app.
  @Test func keysWithoutAnAppAreListedForEach() throws {
    let database = try scratchFolder() + "/a.db"
    let keys: [(app: String?, scope: String)] = [("a", "ingest"), ("b", "read"), (nil, "metrics")]
    for (app, scope) in keys {
      let words = ["key", "create", "--db", database, "--scope", scope] + (app.map { ["--app", $0] } ?? [])
      #expect(try Binary.start(Binary.path, words).status == 0)
    }
    let listed = try Binary.run("key", "list", "--db", database, environment: ["UPTAKE_APP": "a"])
    #expect(listed.output.contains("ingest") && listed.output.contains("metrics"), "\(listed.output)")
    #expect(!listed.output.contains("\tread\t"), "\(listed.output)")
  }

  /// Who makes it for a client, after a first try without keys, is not to find out by a 401.
  @Test(arguments: [["--scope", "ingest"], ["--for", "codepush:DK"]])
  func theFirstKeySaysWhomItShutsOut(_ words: [String]) throws {
    let database = try scratchFolder() + "/a.db"
    func create(_ words: [String]) throws -> String {
      let result = try Binary.start(Binary.path, ["key", "create", "--app", "a", "--db", database] + words)
      try #require(result.status == 0, "\(result.errors)")
      return result.errors
    }
    let first = try create(words)
    #expect(
      first.contains("it is the first key: within two seconds the service answers nobody without one"), "\(first)")
    #expect(first.contains("--scope read"), "\(first)")
    #expect(try !create(["--scope", "read"]).contains("first key"))
    for id in ["1", "2"] { _ = try run("key", "revoke", id, "--db", database) }
    #expect(try !create(words).contains("first key"), "the service was closed before")
  }

  @Test func whoseACredentialWasIsSaid() throws {
    let database = NSTemporaryDirectory() + "uptake-keys-" + UUID().uuidString + ".db"
    func create(_ words: String...) throws -> String {
      let result = try Binary.start(
        Binary.path, ["key", "create", "--for", "codepush:DK", "--db", database] + words)
      try #require(result.status == 0, "\(result.errors)")
      return result.errors
    }
    #expect(try !create("--app", "a", "--platform", "ios").contains("until now"))
    #expect(try !create("--app", "a", "--platform", "ios", "--note", "again").contains("until now"))
    #expect(try create("--app", "b", "--platform", "ios").contains("it was a on ios until now"))
    #expect(try create("--app", "b", "--platform", "android").contains("it was b on ios until now"))
    #expect(try create("--app", "b", "--channel", "beta").contains("it was b on android until now"))
    _ = try run("key", "revoke", "1", "--db", database)
    #expect(try !create("--app", "c").contains("until now"), "a revoked one was nobody's")
  }

  @Test func theLastKeyThatGoesClosesTheService() throws {
    let pages = ["--reports", NSTemporaryDirectory() + "uptake-pages-" + UUID().uuidString]
    let service = try RunningService(pages)
    #expect(try service.ask(#"{"app":"a","device":"d","stage":"check"}"#).status == 200, "no key was ever made")
    let backup = service.directory + "/open.backup"
    _ = try run("backup", backup, "--db", service.database)
    _ = try run("key", "create", "--app", "a", "--db", service.database)
    let closed = service.directory + "/closed.backup"
    _ = try run("backup", closed, "--db", service.database)
    _ = try run("key", "create", "--for", "capgo:b", "--app", "b", "--db", service.database)
    #expect(try !run("key", "revoke", "2", "--db", service.database).errors.contains("nobody"))
    let last = try run("key", "revoke", "1", "--db", service.database)
    #expect(last.errors.contains("nobody has access now") && last.errors.contains("a fresh database"))
    kill(service.process.processIdentifier, SIGHUP)
    try eventually { try service.ask("GET", "/v1/releases").status == 401 }
    try isClosed(service)
    #expect(service.stop().status == 0)

    let again = try RunningService(pages, directory: service.directory)
    try isClosed(again)
    let doctor = try Binary.run("doctor", "--db", again.database)
    #expect(doctor.output.contains("all are revoked: nobody has access"))
    let key = try run("key", "create", "--app", "a", "--scope", "read", "--db", again.database).output
    let headers = ["X-Uptake-Key": key.trimmingCharacters(in: .whitespacesAndNewlines)]
    kill(again.process.processIdentifier, SIGHUP)
    try eventually { try again.ask("GET", "/v1/releases", headers: headers).status == 200 }
    again.stop()

    // A backup of when it was open opens nothing; one of when a key was valid makes it no more so.
    for (from, revoked) in [(backup, false), (closed, true)] {
      let restored = try run("restore", from, "--db", service.database, "--force")
      #expect(restored.errors.contains("revoked again: 1") == revoked, "\(restored.errors)")
      let service = try RunningService(pages, directory: service.directory)
      try isClosed(service)
      #expect(service.stop().log.contains("every key is revoked"))
    }
    // Of what cannot be read nobody knows whether it had a key.
    try Data(repeating: 65, count: 10_000).write(to: URL(filePath: service.database))
    _ = try run("restore", backup, "--db", service.database, "--force")
    let unknown = try RunningService(pages, directory: service.directory)
    try isClosed(unknown)
    unknown.stop()
    // At another place it is a file of its own, as open as it was.
    _ = try run("restore", backup, "--db", service.directory + "/elsewhere.db")
    #expect(try Binary.run("doctor", "--db", service.directory + "/elsewhere.db").output.contains("there are none"))
    service.removeFiles()
  }

  /// Nobody gets in, so it may listen anywhere.
  @Test func aSalvagedFileIsAsClosed() throws {
    let directory = NSTemporaryDirectory() + "uptake-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let (database, salvaged) = (directory + "/uptake.db", directory + "/salvaged/uptake.db")
    try FileManager.default.createDirectory(atPath: directory + "/salvaged", withIntermediateDirectories: true)
    _ = try run("key", "create", "--app", "a", "--db", database)
    _ = try run("key", "revoke", "1", "--db", database)
    _ = try run("doctor", "--db", database, "--salvage", salvaged)
    let service = try RunningService(directory: directory + "/salvaged")
    #expect(try service.ask(#"{"app":"a","device":"d","stage":"check"}"#).errorCode == "no_key")
    service.stop()
    let elsewhere = try Binary.start(
      "/usr/bin/timeout", ["2", Binary.path, "serve", "--db", salvaged, "--listen", "0.0.0.0:0"])
    #expect(elsewhere.errors.contains("nobody has access until uptake key create"), "\(elsewhere.errors)")
    try FileManager.default.removeItem(atPath: directory)
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
    // A file that another program made whole has no checksums, and needs none.
    let newer = file + ".newer"
    for (path, sql) in [(file, "VACUUM INTO '\(newer)'"), (newer, "PRAGMA user_version = 99")] {
      #expect(try Binary.start("/usr/bin/sqlite3", [path, sql]).status == 0)
    }
    let result = try Binary.run("release", "list", "--db", newer)
    #expect(result.status == 5 && result.errors.contains("schema 99"))
  }

  @Test func beyondThisMachineWithoutKeys() throws {
    let folder = try scratch()
    let result = try Binary.run("serve", "--db", folder + "/x.db", "--listen", "0.0.0.0:0")
    #expect(result.status == 2 && result.errors.contains("without keys") && result.errors.contains("uptake key create"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }

  /// Exit 2 says that nothing was done.
  @Test(arguments: [[], ["--app", "a", "--scope", "read", "--platform", "ios"], ["--for", "codepush:x"]])
  func aKeyThatIsRefusedMakesNoDatabase(_ words: [String]) throws {
    let folder = try scratch()
    let result = try Binary.start(Binary.path, ["key", "create", "--db", folder + "/x.db"] + words)
    #expect(result.status == 2, "\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }

  /// The command line is wrong, as with any other value; what is free and written well may still not be had.
  @Test(arguments: ["foo", "127.0.0.1", "127.0.0.1:99999", "unix:", "fd:x"])
  func atNoAddress(_ words: String) throws {
    let result = try Binary.run("serve", "--db", try scratch() + "/x.db", "--listen", words)
    #expect(result.status == 2 && result.errors.contains("cannot listen on \(words)"), "\(result.errors)")
  }

  @Test func onAPortInUse() throws {
    let service = try RunningService()
    let result = try Binary.run("serve", "--db", try scratch() + "/x.db", "--listen", "127.0.0.1:\(service.port)")
    #expect(result.status == 1 && result.errors.contains("in use") && result.errors.contains("--listen"))
    service.stop()
    service.removeFiles()
  }

  @Test func ofAMissingDatabase() throws {
    let result = try Binary.run("time-to-update", "2.0.0", "--db", try scratch() + "/none.db")
    #expect(result.status == 5 && result.errors.contains("there is no database"))
  }
}
