import Foundation
import Testing

/// A database as an earlier version of the program left it, with what that version answered.
struct EarlierSchema: CustomTestStringConvertible, Sendable {
  var version: Int
  var testDescription: String { "schema \(version)" }

  static let all = [1, 2, 3, 5, 6, 8, 9, 10].map(EarlierSchema.init)
  /// Of the schema that files have now: a build of before wrote it. It joins the others once there is a newer schema.
  static let present = EarlierSchema(version: 11)
  /// Whose answers are this one's, too. All were asked of the same events.
  private var told: Int { version < 5 ? min(version, 2) : version < 8 ? 5 : min(version, 9) }
  static let now = "2025-06-30T00:00:00Z"

  private func plain(_ version: Int, _ name: String) throws -> String {
    let file = repository.appending(path: "Tests/StoreTests/Fixtures/version-\(version).\(name).gz").path
    return try Binary.start("/bin/gzip", ["-dc", file]).output
  }

  /// A copy of the file to work on.
  func unpack(into directory: String) throws -> String {
    let file = repository.appending(path: "Tests/StoreTests/Fixtures/version-\(version).db.gz").path
    let path = directory + "/old.db"
    let result = try Binary.start("/bin/sh", ["-c", "gzip -dc '\(file)' > '\(path)'"])
    try #require(result.status == 0, "\(result.errors)")
    return path
  }

  func events() throws -> String { try plain(min(version, 2), "events.ndjson") }

  /// The questions that were asked, with their answers.
  func answers() throws -> [(question: [String], answer: Any)] {
    try plain(told, "answers.ndjson").split(separator: "\n").map { line in
      let row = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      return (try #require(row["question"] as? String).split(separator: " ").map(String.init), row["answer"] ?? 0)
    }
  }

  /// Asks a database the same; answers what is missing or different, by its place in the document.
  func differences(_ database: String, of chosen: [String]? = nil) throws -> [String] {
    var found: [String] = []
    for (question, answer) in try answers() where chosen?.contains(question[0]) ?? true {
      let result = try Binary.start(
        Binary.path, question + ["--db", database, "--now", Self.now, "--format", "json"])
      guard let today = try? JSONSerialization.jsonObject(with: Data(result.output.utf8)) else {
        found.append("\(question): \(result.errors)")
        continue
      }
      found += missing(answer, in: today, question.joined(separator: " "))
    }
    return found
  }
}

/// What of a document is not in another, which may have more fields.
private func missing(_ expected: Any, in found: Any?, _ place: String) -> [String] {
  switch (expected, found) {
  case (let fields as [String: Any], let others as [String: Any]):
    return fields.flatMap { missing($1, in: others[$0], place + " ." + $0) }
  case (let list as [Any], let others as [Any]) where list.count == others.count:
    return zip(list, others).enumerated().flatMap { missing($1.0, in: $1.1, place + " [\($0)]") }
  case (let list as [Any], let others as [Any]) where list.instants.count > 1: return missing(list, at: others, place)
  case (let value as NSObject, let other as NSObject) where value == other: return []
  // Sums may be formed in another order: their last digits are not promised.
  case (let value as Double, let other as Double) where abs(value - other) <= 1e-12 * abs(value): return []
  default: return ["\(place): \(expected) became \(found ?? "nothing")"]
  }
}

/// What was told at an instant, in a list that may be of others today.
private func missing(_ expected: [Any], at found: [Any], _ place: String) -> [String] {
  let common = expected.instants.filter { found.instants[$0.key] != nil }
  if common.count < 2 { return ["\(place): no instants became \(found.instants.keys.sorted())"] }
  return common.flatMap { missing($1, in: found.instants[$0], place + " [\($0)]") }
}

extension [Any] {
  /// Those that tell of an instant.
  fileprivate var instants: [String: Any] {
    let told = compactMap { one in ((one as? [String: Any])?["at"] as? String).map { ($0, one) } }
    return Dictionary(told) { first, _ in first }
  }
}

@Suite struct UpgradeTests {
  let directory: String
  init() throws { directory = try scratchFolder() }

  @Test(arguments: EarlierSchema.all) func everyLaterVersionAnswersTheSame(_ schema: EarlierSchema) throws {
    let database = try schema.unpack(into: directory)
    let before = try Data(contentsOf: URL(filePath: database))
    let upgraded = try Binary.run("upgrade", "--db", database)
    #expect(upgraded.status == 0, "\(upgraded.errors)")
    #expect(try schema.answers().count >= 13)
    #expect(try schema.differences(database) == [])
    #expect(try sqlite(database, "PRAGMA integrity_check") == "ok")
    // The copy is what the file was.
    let copy = database + ".schema-\(schema.version)"
    #expect(try sqlite(copy, "PRAGMA user_version; PRAGMA integrity_check") == "\(schema.version)\nok")
    #expect(try Data(contentsOf: URL(filePath: copy)).count <= before.count)
    #expect(try sqlite(copy, "SELECT count(*) FROM event") == sqlite(database, "SELECT count(*) FROM event"))
    #expect(try Binary.run("upgrade", "--db", database).errors.contains("already"))
  }

  /// How rows are packed does not change while the schema's number stays, or an earlier build would read it wrongly.
  @Test func anEarlierBuildOfThisSchemaAnswersTheSame() throws {
    let database = try EarlierSchema.present.unpack(into: directory)
    #expect(try EarlierSchema.present.differences(database) == [])
    #expect(try Binary.run("upgrade", "--db", database).errors.contains("already"), "else it belongs to the others")
  }

  /// What a device sends again is known, so the keys that hash ids are the old ones.
  @Test(arguments: EarlierSchema.all + [.present]) func itsEventsAreKnown(_ schema: EarlierSchema) throws {
    let database = try schema.unpack(into: directory)
    let again = try Binary.start(
      Binary.path, ["import", "-", "--db", database, "--format", "json", "--now", EarlierSchema.now],
      input: schema.events())
    let counts = try JSONSerialization.jsonObject(with: Data(again.output.utf8))
    #expect(at(counts, "data", 0, "accepted") as? Int == 0, "\(again.errors)")
    #expect(try schema.differences(database, of: ["adoption", "releases"]) == [])
  }

  /// Whoever did not ask for an upgrade learns of it: older programs refuse the file from then on.
  @Test func anUpgradeOnTheWayIsTold() throws {
    let database = try EarlierSchema.all[0].unpack(into: directory)
    let listed = try Binary.run("key", "list", "--db", database)
    #expect(listed.status == 0 && listed.errors.contains("was upgraded from schema 1 to"), "\(listed.errors)")
    #expect(listed.errors.contains(database + ".schema-1"))
    #expect(try !Binary.run("key", "list", "--db", database).errors.contains("upgraded"))
    let forgotten = try Binary.run("forget", "nobody", "--app", "com.example.shop", "--db", database)
    #expect(forgotten.errors.contains("still know"), "\(forgotten.errors)")
  }

  @Test func aQuestionAsksForTheUpgrade() throws {
    let database = try EarlierSchema.all[0].unpack(into: directory)
    let result = try Binary.run("releases", "--db", database)
    #expect(result.status == 5 && result.errors.contains("uptake upgrade --db \(database)"), "\(result.errors)")
    #expect(try sqlite(database, "PRAGMA user_version") == "1")
  }

  /// As an object for programs, and not in words besides.
  @Test func aServiceLogsItsUpgrade() throws {
    let database = try EarlierSchema.all[0].unpack(into: directory)
    try FileManager.default.moveItem(atPath: database, toPath: directory + "/uptake.db")
    let (status, log) = try RunningService(directory: directory).stop()
    #expect(status == 0 && log.contains(#""event":"schema_upgraded""#), "\(log)")
    #expect(!log.contains("was upgraded from"), "\(log)")
  }

  /// A newer program upgraded the file under a service: that ends, so that its manager starts the newer one, and does not
  /// refuse events until somebody looks.
  @Test func aServiceEndsOnceItsFileIsUpgraded() throws {
    let service = try RunningService()
    defer { service.removeFiles() }
    let event = #"{"device":"d","app":"a","stage":"check","release":"1"}"#
    #expect(try service.ask(event).status == 200)
    let upgrade = ["-cmd", ".timeout 10000", service.database, "PRAGMA user_version = 99"]
    let upgraded = try Binary.start("/usr/bin/sqlite3", upgrade)
    try #require(upgraded.status == 0, "\(upgraded.errors)")
    try eventually { !service.process.isRunning }
    let (status, log) = service.stop()
    #expect(status == 1, "5 would not be started again")
    #expect(log.contains(#""event":"database_upgraded""#) && log.contains("start the service anew"), "\(log)")
    #expect(try sqlite(service.database, "SELECT count(*) FROM event") == "1")
  }

  /// Killed at every sync and at a spread of writes: the file is of one version or the other, and the next run goes on.
  @Test func killedAnywhereItGoesOn() throws {
    let (schema, database) = (EarlierSchema.all[0], directory + "/old.db")
    var kills = 0
    for (call, moments) in [("fdatasync,fsync", Array(1...40)), ("pwrite64", Array(stride(from: 1, to: 400, by: 61)))] {
      for moment in moments {
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
          try FileManager.default.removeItem(atPath: directory + "/" + name)
        }
        _ = try schema.unpack(into: directory)
        let killed = try Binary.start(
          "/usr/bin/strace",
          [
            "-f", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(call):signal=KILL:when=\(moment)",
            Binary.path, "upgrade", "--db", database,
          ])
        if killed.status == 0 { break }
        kills += 1
        let copy = database + ".schema-1"
        if FileManager.default.fileExists(atPath: copy) {
          #expect(try sqlite(copy, "PRAGMA user_version; PRAGMA integrity_check") == "1\nok")
        }
        let next = try Binary.run("upgrade", "--db", database)
        #expect(next.status == 0, "after a kill at \(call) \(moment): \(next.errors)")
        #expect(try sqlite(database, "PRAGMA integrity_check") == "ok")
        #expect(try schema.differences(database, of: ["adoption"]) == [])
        let left = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".part") }
        #expect(left == [])
      }
    }
    #expect(kills >= 10)
  }
}

/// A folder of its own for one test.
func scratchFolder() throws -> String {
  let directory = NSTemporaryDirectory() + "uptake-" + UUID().uuidString
  try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  return directory
}
