import Foundation
import Testing

/// Where no database is named it is the user's own, and a run that uses it says so.
@Suite struct DefaultDatabaseTests {
  private let home = NSTemporaryDirectory() + "uptake-home-" + UUID().uuidString
  private var usual: String { home + "/.local/share/uptake/uptake.db" }

  private func run(_ words: String..., more: [String: String] = [:]) throws -> Binary.Result {
    try Binary.start(Binary.path, words, environment: ["HOME": home].merging(more) { $1 })
  }

  private func publish(_ more: [String: String] = [:]) throws -> Binary.Result {
    try run("release", "publish", "2.0.0", "--app", "com.example.demo", "--at", "1d", more: more)
  }

  private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  @Test func aQuestionOfNothingSaysHowToBegin() throws {
    let result = try run("status")
    #expect(result.status == 5 && result.output == "")
    #expect(result.errors.contains("database: \(usual) (the default; --db names another)"), "\(result.errors)")
    #expect(result.errors.contains("there is no database at \(usual)"), "\(result.errors)")
    for word in ["uptake serve", "uptake import", "uptake demo"] {
      #expect(result.errors.contains(word), "\(word): \(result.errors)")
    }
    // A question makes nothing.
    #expect(!isThere(home))
  }

  @Test func whatMakesADatabaseMakesItThereAndQuestionsFindIt() throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    let made = try publish()
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.errors.components(separatedBy: usual).count == 2, "said once: \(made.errors)")
    let rights = try FileManager.default.attributesOfItem(atPath: home + "/.local/share/uptake")[.posixPermissions]
    #expect(rights as? Int == 0o700)
    let listed = try run("release", "list", "--format", "tsv")
    #expect(listed.status == 0 && listed.output.contains("2.0.0"), "\(listed.errors)")
    let quiet = try run("release", "list", "--quiet")
    #expect(quiet.status == 0 && quiet.errors == "", "\(quiet.errors)")
  }

  /// Beside a service, in a shell without `UPTAKE_DB`, it would be told to nobody.
  @Test func aDatabaseThatIsNewIsCalledSo() throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    let says = "note: this database is new, and no service has it open: where one runs, name its file with --db FILE"
    #expect(try publish().errors.contains(says))
    #expect(try !publish().errors.contains("is new"))
    for words in [["--scope", "read"], ["--for", "codepush:DK"]] {
      let key = ["key", "create", "--app", "a", "--db", home + "/\(words[0]).db"] + words
      #expect(try Binary.start(Binary.path, key).errors.contains(says))
      #expect(try !Binary.start(Binary.path, key).errors.contains("is new"))
    }
  }

  /// It would be one that no service knows.
  @Test(arguments: [["create", "--app", "a"], ["list"], ["revoke", "1"]])
  func aKeyMakesNoDatabaseThatNobodyNamed(_ words: [String]) throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    let refused = try Binary.start(Binary.path, ["key"] + words, environment: ["HOME": home])
    #expect(refused.status == 5 && refused.output == "" && !isThere(home), "\(refused)")
    #expect(refused.errors.contains("--db FILE") && refused.errors.contains(usual))
    #expect(try publish().status == 0)
    #expect(try run("key", "create", "--app", "a").status == 0, "there is one")
    #expect(try run("key", "create", "--app", "a", "--db", home + "/named.db").status == 0)
  }

  @Test func aFolderOfDataIsTakenWhereItIsAbsolute() throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    #expect(try publish(["XDG_DATA_HOME": home + "/data"]).status == 0)
    #expect(isThere(home + "/data/uptake/uptake.db") && !isThere(usual))
    #expect(try publish(["XDG_DATA_HOME": "data"]).status == 0)
    #expect(isThere(usual))
  }

  @Test func whatIsNamedGoesFirst() throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    let named = try publish(["UPTAKE_DB": home + "/named.db"])
    #expect(named.status == 0 && !named.errors.contains("the default"), "\(named.errors)")
    #expect(isThere(home + "/named.db") && !isThere(usual))
    try #"db = "\#(home)/file.db""#.write(toFile: home + "/c.toml", atomically: true, encoding: .utf8)
    #expect(try publish(["UPTAKE_CONFIG": home + "/c.toml"]).status == 0)
    #expect(isThere(home + "/file.db") && !isThere(usual))
  }

  @Test func aDryRunOfAnImportUsesNone() throws {
    let result = try Binary.start(Binary.path, ["import", "-", "--dry-run"], environment: ["HOME": home])
    #expect(!result.errors.contains("the default") && !isThere(home), "\(result.errors)")
  }

  @Test func withoutAHomeADatabaseIsToBeNamed() throws {
    let result = try Binary.run("status")
    #expect(result.status == 2 && result.errors.contains("no database is named"), "\(result.errors)")
  }
}
