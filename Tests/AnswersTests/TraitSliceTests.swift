import Foundation
import Ingest
import Lifecycle
import Query
import Store
import Testing

@testable import Answers

/// What an app says of its devices beside the usual: kept for good, through archives and upgrades.
struct TraitSliceTests {
  private static let phones = (0..<40).map { number in
    let traits =
      #""region":"\#(number % 2 == 0 ? "DE" : "FR")","deviceModel":"m\#(number % 4)","tags":{"plan":"\#(number % 5 == 0 ? "pro" : "free")"}"#
    return """
      {"device":"d\(number)","stage":"check","release":"1.0","at":"2025-02-28T00:00:00Z",\(traits)}
      {"device":"d\(number)","stage":"applied","release":"2.0","at":"2025-03-01T0\(number % 10):00:00Z",\(traits)}
      {"device":"d\(number)","stage":"check","release":"2.0","at":"2025-03-03T00:00:00Z",\(traits)}
      """
  }.joined(separator: "\n")

  private func devices(_ words: [String], _ database: Database) throws -> [String: Int] {
    let text = try ask(words + ["--now", "2025-03-05T00:00:00Z"], Snapshot(path: database.path))
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let rows = document?["data"] as? [[String: Any]] ?? []
    return Dictionary(
      uniqueKeysWithValues: rows.map { row in
        ((row["group"] as? [String: String])?.values.joined() ?? "", row["devices"] as? Int ?? -1)
      })
  }

  @Test func splitAnswers() throws {
    let database = try Database(Self.phones)
    #expect(try devices(["adoption", "2.0", "--by", "region"], database) == ["DE": 20, "FR": 20])
    #expect(try devices(["adoption", "2.0", "--by", "tag:plan"], database) == ["pro": 8, "free": 32])
    #expect(
      try devices(["funnel", "2.0", "--by", "deviceModel"], database) == ["m0": 10, "m1": 10, "m2": 10, "m3": 10])
    #expect(try devices(["adoption", "2.0", "--by", "tag:none"], database) == [Group.unnamed: 40])
    let narrowed = ["adoption", "2.0", "--where", "tag:plan=pro", "--where", "region=DE"]
    #expect(try devices(narrowed, database) == ["": 4])
  }

  /// Another app's values are nobody's business.
  @Test func onlyOwnValuesAreNamed() throws {
    let database = try Database(Self.phones)
    let log = try EventLog(path: database.path)
    let other = #"{"device":"x","stage":"check","release":"1.0","at":"2025-02-28T00:00:00Z","region":"SECRET"}"#
    let decoded = NativeDecoder(keys: log.identityKeys).decode(
      Array(other.utf8).span.bytes, as: .ndjson, .file(app: "other", now: Timestamp(rawValue: 1_800_000_000_000)))
    _ = try log.append([decoded.batch])
    let words = ["adoption", "2.0", "--app", "a", "--where", "region=SECRET", "--now", "2025-03-05T00:00:00Z"]
    let text = try ask(words, Snapshot(path: database.path))
    #expect(
      text.contains("no device ever said region=SECRET, so it selects none; there are DE, FR"), "\(text.prefix(600))")
    let others = try ask(words.map { $0 == "a" ? "other" : $0 == "2.0" ? "1.0" : $0 }, Snapshot(path: database.path))
    #expect(!others.contains("unsaid_value"))
  }

  @Test func stayThroughAFold() throws {
    let database = try Database(Self.phones)
    _ = try EventLog(path: database.path).foldAll()
    #expect(try devices(["adoption", "2.0", "--by", "region"], database) == ["DE": 20, "FR": 20])
  }

  @Test func stayThroughAnArchive() throws {
    let database = try Database(Self.phones)
    let log = try EventLog(path: database.path)
    _ = try log.foldAll()
    let report = try log.retain(before: Timestamp(rawValue: .max), archives: database.folder)
    let archive = try #require(report.archives.first)
    #expect(try Data(contentsOf: URL(fileURLWithPath: archive)).starts(with: Data("uptkarc2".utf8)))
    #expect(try devices(["adoption", "2.0", "--by", "region"], database) == ["DE": 20, "FR": 20])
    _ = try log.putBack(archive: archive)
    #expect(try Snapshot(path: database.path).eventCount(after: 0, app: nil) == 120)
  }
}

/// The connections that devices were on until they could update.
struct NetworkSliceTests {
  private static func phone(_ name: String, _ networks: [String?]) -> String {
    networks.enumerated().map { day, network in
      let said = network.map { #","network":"\#($0)""# } ?? ""
      return #"{"device":"\#(name)","stage":"check","release":"1.0","at":"2025-02-2\#(day)T00:00:00Z"\#(said)}"#
    }.joined(separator: "\n") + "\n"
      + #"{"device":"\#(name)","stage":"applied","release":"2.0","at":"2025-03-01T01:00:00Z","network":"wifi"}"#
  }

  @Test(arguments: [false, true]) func aDeviceIsOnAllItWasOn(_ isFolded: Bool) throws {
    let database = try Database(
      [
        Self.phone("a", ["wifi", "wifi"]), Self.phone("b", ["5g"]),
        Self.phone("c", ["cellular", "WiFi,charging", "lte"]),
        Self.phone("d", ["ethernet"]), Self.phone("e", [nil]), Self.phone("f", ["wifi", "ethernet"]),
        #"{"device":"z","stage":"applied","release":"2.0","at":"2025-03-01T00:00:00Z","network":"wifi"}"#,
      ].joined(separator: "\n"))
    if isFolded { _ = try EventLog(path: database.path).foldAll() }
    let text = try ask(
      ["adoption", "2.0", "--by", "network", "--now", "2025-03-05T00:00:00Z"], Snapshot(path: database.path))
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let rows = document?["data"] as? [[String: Any]] ?? []
    let counts = rows.map { "\(($0["group"] as? [String: String])?["network"] ?? "") \($0["devices"] as? Int ?? -1)" }
    // One that never said before it could update is judged by what it said first after that.
    #expect(counts == ["cellular 1", "other 1", "wifi 3", "wifi+cellular 1"])
  }
}

/// A diagnosis asked for the past.
struct PastDiagnosisTests {
  /// 40 devices that speak for three days; received in time.
  private static let phones = (0..<40).map { number in
    (1...9).map { day in
      """
      {"device":"d\(number)","stage":"check","release":"1.0","platform":"ios","at":"2025-03-0\(day)T08:00:00Z",\
      "received":"2025-03-0\(day)T08:00:01Z"}
      """
    }.joined(separator: "\n")
  }.joined(separator: "\n")

  /// What came after an instant is no sign of clocks that are wrong at it.
  @Test func laterDaysAreNoWrongClocks() throws {
    let database = try Database(Self.phones)
    let text = try ask(["diagnose", "--now", "2025-03-05T00:00:00Z"], Snapshot(path: database.path))
    #expect(!text.contains("clocksWrong"), "\(text)")
  }
}
