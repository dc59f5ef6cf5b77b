import Foundation
import Testing

/// The audit as the program writes and shows it, on the command line and beside a service.
@Suite struct AuditCommandTests {
  private let folder: String
  init() throws { folder = try scratchFolder() }

  private func audit(_ database: String, _ options: String...) throws -> [[String: Any]] {
    let told = try Binary.start(Binary.path, ["audit", "--db", database, "--format", "json"] + options)
    #expect(told.status == 0, "\(told.errors)")
    let document = try JSONSerialization.jsonObject(with: Data(told.output.utf8)) as? [String: Any]
    return document?["data"] as? [[String: Any]] ?? []
  }

  private func fact(_ name: String, of entry: [String: Any]) -> String? {
    (entry["facts"] as? [String: Any])?[name].map { "\($0)" }
  }

  /// A start is told where it changed something: the first, and one with other limits.
  @Test func aServiceTellsItsLimitsWhereTheyChange() throws {
    for rate in ["100", "100", "200"] {
      let service = try RunningService(["--rate-per-key", rate], directory: folder)
      _ = try service.ask("GET", "/healthz")
      #expect(service.stop().status == 0)
    }
    let starts = try audit(folder + "/uptake.db").filter { $0["act"] as? String == "serve" }
    #expect(starts.map { fact("rate-per-key", of: $0) } == ["200", "100"])
    #expect(starts.allSatisfy { ($0["user"] as? String)?.isEmpty == false && $0["app"] is NSNull })
    #expect(starts.allSatisfy { fact("max-body", of: $0) == "8MiB" && fact("durability", of: $0) == "full" })
  }

  /// What runs as a user of its own is run by many people.
  @Test func behindSudoTheCallerIsNamed() throws {
    let database = folder + "/x.db"
    _ = try Binary.start(
      Binary.path, ["release", "publish", "1", "--app", "a", "--db", database], environment: ["SUDO_USER": "ann"])
    #expect((try audit(database).first?["user"] as? String)?.hasPrefix("ann as ") == true)
  }

  @Test func whatTheCommandLineDoesIsTold() throws {
    let database = folder + "/x.db"
    let lines: [[String]] = [
      ["release", "publish", "1", "--app", "a"],
      ["key", "create", "--app", "a", "--for", "codepush:DEPLOYMENT", "--platform", "ios", "--note", "Ann"],
      ["key", "revoke", "1"], ["forget", "phone-1", "--app", "a", "--yes"],
    ]
    for line in lines { _ = try Binary.start(Binary.path, line + ["--db", database]) }
    let told = try audit(database)
    #expect(told.map { $0["act"] as? String } == ["forget", "key-revoke", "key-create", "publish"])
    let text = "\(told)"
    for secret in ["DEPLOYMENT", "Ann", "phone-1"] { #expect(!text.contains(secret), "\(secret)") }
    #expect(try audit(database, "--last", "1").count == 1)
    #expect(try audit(database, "--app", "b").isEmpty)
    #expect(try sqlite(database, "SELECT count(*) FROM v1_audit WHERE user IS NOT NULL") == "4")
  }

  @Test func aPlatformIsOfKeysThatSend() throws {
    for wrong in [["--scope", "read", "--platform", "ios"], ["--platform", ""]] {
      let made = try Binary.start(Binary.path, ["key", "create", "--app", "a", "--db", folder + "/x.db"] + wrong)
      #expect(made.status == 2 && made.errors.contains("--platform"), "\(made.errors)")
    }
  }
}
