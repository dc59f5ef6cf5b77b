import Foundation
import Testing

/// `data.json`: pages and command line are one, to the last digit, and small groups are in neither.
@Suite struct ReportDataTests {
  private let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "uptake-data-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private func site(_ events: String, publications: String? = nil, now: String) throws -> [String: Any] {
    let database = folder + "/it's.db"
    #expect(try Binary.run("import", "--db", database, events, "--quiet").status == 0)
    if let publications {
      #expect(try Binary.run("release", "publish", "--db", database, "--from", publications).status == 0)
    }
    let made = try Binary.run("report", "--db", database, "--out", folder + "/site", "--now", now)
    try #require(made.status == 0, "\(made.errors)")
    let data = try Data(contentsOf: URL(filePath: folder + "/site/data.json"))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private func answers(_ document: [String: Any]) throws -> [String: [String: Any]] {
    try #require(document["answers"] as? [String: [String: Any]])
  }

  /// Each answer's own command line, typed into a shell, prints that answer.
  private func expectCommandsToPrint(_ document: [String: Any], atLeast count: Int) throws {
    let answers = try answers(document)
    #expect(answers.count >= count)
    for (name, entry) in answers {
      let command = try #require(entry["command"] as? String)
      let bin = URL(filePath: Binary.path).deletingLastPathComponent().path
      let run = try Binary.start("/bin/sh", ["-c", command], environment: ["PATH": bin + ":/usr/bin:/bin"])
      let printed = try? JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? NSDictionary
      #expect(printed?.isEqual(entry["answer"]) == true, "\(name): \(command) \(run.errors)")
    }
  }

  @Test func everyAnswerIsWhatItsCommandPrints() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (events, publications) = (folder + "/fleet.ndjson", folder + "/fleet.json")
    let fleet = try Binary.run(
      "simulate", "--devices", "120", "--out", events, "--publications", publications, "--quiet")
    try #require(fleet.status == 0)
    let document = try site(events, publications: publications, now: "2025-06-27T00:00:00Z")
    try expectCommandsToPrint(document, atLeast: 50)
    let release = try #require((document["releases"] as? [[String: Any]])?.first)
    #expect((release["answers"] as? [String])?.allSatisfy { (try? answers(document)[$0]) != nil } == true)
  }

  @Test func namesThatAShellMightRunAreOnlyNames() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let label = "--help'; kill -9 $$; $(kill -9 $$) `kill -9 $$`"
    let lines = (0..<6).map { device in
      #"{"device":"\#(device)","app":"a b'c","release":"\#(label)","stage":"applied","at":"2025-03-01T0\#(device):00:00Z"}"#
    }
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: folder + "/names.ndjson"))
    try expectCommandsToPrint(try site(folder + "/names.ndjson", now: "2025-03-03T00:00:00Z"), atLeast: 10)
  }

  /// Four devices on one channel and thirty on another; four of them fail for a reason of their own.
  @Test func smallGroupsAreNowhere() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var lines: [String] = []
    for device in 0..<34 {
      let channel = device < 4 ? "secret-channel" : "production"
      let reason = device >= 30 ? "rare reason" : "disk full"
      let common =
        #""device":"\#(device)","app":"a","release":"1.0","channel":"\#(channel)","trigger":"silentPush","appVersion":"\#(device >= 31 ? "rare" : "7")""#
      lines.append(#"{\#(common),"stage":"downloadStarted","at":"2025-03-01T01:00:00Z"}"#)
      lines.append(
        device % 3 == 0 || device >= 30
          ? #"{\#(common),"stage":"failed","reason":"\#(reason)","at":"2025-03-01T02:00:00Z"}"#
          : #"{\#(common),"stage":"applied","at":"2025-03-01T03:\#(device + 10):00Z"}"#)
    }
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: folder + "/small.ndjson"))
    let document = try site(folder + "/small.ndjson", now: "2025-03-04T00:00:00Z")
    try expectCommandsToPrint(document, atLeast: 8)
    let answers = try answers(document)
    func rows(_ name: String) throws -> [[String: Any]] {
      let entry = try #require(answers["r0-" + name]?["answer"] as? [String: Any])
      return try #require(entry["data"] as? [[String: Any]])
    }
    for row in try rows("by-channel") where (row["group"] as? [String: String])?["channel"] == "secret-channel" {
      #expect(row["devices"] is NSNull && row["reason"] as? String == "fewerThanMinCell" && row["ages"] == nil)
    }
    let failures = try #require(try rows("failures").first)
    #expect((failures["reasons"] as? [[String: Any]])?.map { $0["reason"] as? String } == ["disk full"])
    #expect(failures["reasonsWithheld"] as? Int == 1)
    let page = try String(contentsOfFile: folder + "/site/release/1.0.html", encoding: .utf8)
    #expect(page.contains("1 reason of fewer than 5 devices<td>&lt;5<td>— <i>withheld</i>"))
    #expect(!page.contains("rare reason") && !page.contains("secret-channel</bdi> (channel)"))
  }
}
