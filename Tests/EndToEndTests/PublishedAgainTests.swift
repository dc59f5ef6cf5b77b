import Foundation
import Testing

/// A deployment that runs twice, or is tried again, moves no release and starts no halted one.
@Suite struct PublishedAgainTests {
  private static let publish = ["release", "publish", "2.0", "--app", "a"]
  private static let at = ["--at", "2025-03-02T00:00:00Z"]
  private let fleet: QuestionsFleet

  init() throws {
    let event = #"{"app":"a","device":"d","stage":"check","ts":1740787200000,"release":"1.0","platform":"ios"}"#
    fleet = try QuestionsFleet(event, publications: [], now: "2025-03-03T00:00:00Z")
  }

  private func publish(_ more: [String] = []) throws -> Binary.Result {
    let result = try fleet.ask(Self.publish + more)
    try #require(result.status == 0, "\(more): \(result.errors)")
    return result
  }

  /// Its time and its rollout, as a table says it.
  private func listed() throws -> String {
    let list = try Binary.run(
      "release", "list", "--db", fleet.database, "--format", "tsv", "--no-header", "--fields", "publishedAt,rollout")
    try #require(list.status == 0, "\(list.errors)")
    return String(list.output.prefix { $0 != "\n" })
  }

  @Test func theTimeStaysUnlessItIsNamed() throws {
    #expect(try publish(Self.at).errors == "")
    #expect(!FileManager.default.fileExists(atPath: fleet.database + "-wal"), "all of it is in the file itself")
    for _ in 0..<2 {
      let again = try publish()
      #expect(
        again.errors.contains("note: 2.0 keeps the time that it is registered with on production, 2025-03-02 00:00"))
      #expect(again.errors.contains("to move it there: --at TIME") && !again.errors.contains("was registered there"))
      #expect(again.output.contains("2025-03-02T00:00:00Z"), "\(again)")
    }
    #expect(try listed() == "2025-03-02T00:00:00Z\t")
    let moved = try publish(["--at", "2025-03-02T12:00:00Z"])
    #expect(moved.errors.contains("2.0 was registered there at 2025-03-02 00:00 UTC"), "\(moved.errors)")
    #expect(try listed() == "2025-03-02T12:00:00Z\t")
  }

  /// A backup has no write-ahead log before its first writer.
  @Test func aBackupTakesIt() throws {
    _ = try publish(Self.at)
    let copy = fleet.database + ".backup"
    defer { for end in ["", ".sha256"] { try? FileManager.default.removeItem(atPath: copy + end) } }
    try #require(try fleet.ask("backup", copy).status == 0)
    let said = try Binary.start(
      Binary.path, Self.publish + ["--db", copy, "--now", "2025-03-03T00:00:00Z"] + ["--rollout", "0.5%@0h"])
    #expect(said.status == 0 && said.errors.contains("keeps the time") && said.errors.contains("0.5%"), "\(said)")
  }

  /// Hours of steps are counted from the time that stays.
  @Test func stepsGoByTheTimeThatStays() throws {
    let steps = ["--rollout", "10%@0h,100%@6h"]
    _ = try publish(Self.at + steps)
    #expect(try !publish(steps).errors.contains("rollout steps"))
    #expect(try listed() == "2025-03-02T00:00:00Z\t10%@0h, 100%@6h")
  }

  @Test(arguments: [[], ["--at", "2025-03-02T12:00:00Z"], ["--mandatory"]])
  func aHaltStaysUnlessStepsAreNamed(_ again: [String]) throws {
    _ = try publish(Self.at + ["--rollout", "10%@0h"])
    try #require(try fleet.ask("release", "halt", "2.0", "--at", "2025-03-02T18:00:00Z").status == 0)
    for _ in 0..<2 {
      let said = try publish(again).errors
      #expect(said.contains("note: it is halted (0% at 2025-03-02 18:00 UTC), and stays so"), "\(said)")
      #expect(said.contains("to open it again from now on: uptake release widen 2.0 10 --app a --channel production"))
      #expect(!said.contains("rollout steps") && !said.contains("drops its halt"), "\(said)")
    }
    #expect(try listed().hasSuffix(again.first == "--at" ? "\t10%@-12h, 0%@6h" : "\t10%@0h, 0%@18h"))
    #expect(try publish(["--rollout", "100%@now"]).errors.contains("takes the place of its rollout steps"))
    #expect(try listed().hasSuffix(again.first == "--at" ? "\t100%@12h" : "\t100%@24h"))
  }

  /// A file says what it names, and no more.
  @Test func aFileKeepsWhatItDoesNotName() throws {
    _ = try publish(Self.at)
    try #require(try fleet.ask("release", "halt", "2.0", "--at", "2025-03-02T18:00:00Z").status == 0)
    let before = try Binary.run("release", "list", "--db", fleet.database, "--json").output
    let file = fleet.database + ".json"
    defer { try? FileManager.default.removeItem(atPath: file) }
    try #"[{"app":"a","release":"2.0"}]"#.write(toFile: file, atomically: true, encoding: .utf8)
    let said = try fleet.ask("release", "publish", "--from", file)
    #expect(said.status == 0 && said.errors.contains("keeps the time") && said.errors.contains("stays so"), "\(said)")
    #expect(try Binary.run("release", "list", "--db", fleet.database, "--json").output == before)
    try before.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try fleet.ask("release", "publish", "--from", file).errors == "")
    #expect(try Binary.run("release", "list", "--db", fleet.database, "--json").output == before)
  }

  /// Nobody notices a halt between two steps of a program by hand, so many are made at once.
  @Test func noneOfManyAtOnceIsLost() async throws {
    _ = try publish(Self.at + ["--rollout", "1%@0h"])
    let results = try await withThrowingTaskGroup(of: (Int, Binary.Result).self) { group in
      for percent in 2...9 {
        group.addTask { [fleet] in
          (percent, try fleet.ask("release", "widen", "2.0", "\(percent)", "--at", "\(20 - percent)h"))
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let steps = try listed()
    for (percent, result) in results {
      #expect(steps.contains(" \(percent)%@") == (result.status == 0), "\(steps): \(percent), \(result.errors)")
      #expect([0, 1, 2].contains(result.status))
      if result.status == 1 { #expect(result.errors.contains("changed 2.0 on production at the same moment")) }
    }
  }
}
