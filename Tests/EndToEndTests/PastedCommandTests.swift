import Foundation
import Testing

/// Every command that the program prints, pasted into a shell, is the command that was meant: whatever names devices sent.
@Suite struct PastedCommandTests {
  private static let names = [
    "2.0.0;touch x;#", "$(touch x) `touch x`", "it's  \"2.0\"", "two\nlines", "ends\n", "-rf", "--help",
    "a\u{1B}[2J\u{202E}b",
    "2.0.0",
  ]
  private let folder: String

  init() throws {
    folder = try scratchFolder() + "/it's $(touch y)"
    try FileManager.default.createDirectory(atPath: folder + "/work", withIntermediateDirectories: true)
  }

  /// A fleet of which everything that has a name is called so.
  private func database(_ name: String) throws -> String {
    let database = folder + "/-\(name.utf8.count).db"
    var lines: [String] = []
    for device in 0..<6 {
      for (release, day) in [("1.0", 1), (name, 2)] {
        for (stage, hour) in [("check", 1), ("available", 2), ("ready", 3), ("applied", 4)] {
          let event: [String: Any] = [
            "device": "\(device)", "app": name, "release": release, "stage": stage, "trigger": "silentPush",
            "channel": name, "platform": name, "at": "2025-03-0\(day)T0\(hour):00:0\(device)Z",
          ]
          lines.append(String(decoding: try JSONSerialization.data(withJSONObject: event), as: UTF8.self))
        }
      }
    }
    let made = try Binary.start(
      Binary.path, ["import", "-", "--db", database, "--now", "2025-03-04T00:00:00Z"],
      input: lines.joined(separator: "\n"))
    try #require(made.status == 0, "\(made.errors)")
    return database
  }

  private func paste(_ line: String, _ database: String, format: String = "json") throws -> Binary.Result {
    let bin = URL(filePath: Binary.path).deletingLastPathComponent().path
    let result = try Binary.start(
      "/bin/sh", ["-c", "cd \"$WORK\"\n" + line + "\n"],
      environment: [
        "PATH": bin + ":/usr/bin:/bin", "UPTAKE_DB": database, "UPTAKE_NOW": "2025-03-04T00:00:00Z",
        "UPTAKE_FORMAT": format, "WORK": folder + "/work",
      ])
    #expect(try files(folder + "/work") == [], "\(line) ran something else")
    return result
  }

  private func run(_ words: [String], _ database: String, behind names: [String] = []) throws -> Binary.Result {
    try Binary.start(
      Binary.path, words + ["--db", database] + (names.isEmpty ? [] : ["--"] + names),
      environment: ["UPTAKE_NOW": "2025-03-04T00:00:00Z"])
  }

  /// The line that a table ends with.
  private func next(_ question: String, _ names: [String], _ database: String) throws -> String {
    let answer = try run([question, "--format", "table"], database, behind: names)
    let line = answer.output.split(separator: "\n").last { $0.hasPrefix("next: ") }
    return String(try #require(line, "\(question): \(answer.output) \(answer.errors)").dropFirst("next: ".count))
  }

  @Test(arguments: names) func nextIsTheCommandThatWasMeant(_ name: String) throws {
    let database = try database(name)
    let about = ["adoption", "reach", "time-to-update", "failures", "funnel", "mechanisms", "forecast"]
    for (question, names) in [("releases", [])] + about.map({ ($0, [name]) }) {
      let line = try next(question, names, database)
      let answered = try paste(line, database)
      let document = try? JSONSerialization.jsonObject(with: Data(answered.output.utf8)) as? [String: Any]
      // xargs has an exit code of its own for a command that ends with another than 0.
      #expect([0, 4, 123].contains(answered.status), "\(line): \(answered.errors)")
      #expect((document?["query"] as? [String: Any])?["release"] as? String == name, "\(line): \(answered.output)")
    }
    let drawn = try paste(next("compare", [name, "1.0"], database), database)
    #expect(drawn.status == 0 && drawn.output.contains("1.0 at the same age"), "\(drawn)")
  }

  /// Nothing is said of database, app and present but on the line itself.
  @Test func nextAsksOfTheSameDatabase() throws {
    let (one, other) = (try database("2.0.0"), folder + "/two.db")
    let made = try Binary.start(
      Binary.path, ["import", "-", "--db", other, "--now", "2025-03-04T00:00:00Z"],
      input: ["a", "b"].map { app in
        #"{"device":"1","app":"\#(app)","release":"1.0","stage":"applied","platform":"ios","at":"2025-03-02T00:00:00Z"}"#
      }.joined(separator: "\n"))
    try #require(made.status == 0, "\(made.errors)")
    // Of several apps the line names the one that it is about.
    for (database, app) in [(one, ["--app", "2.0.0"]), (other, ["--app", "b"]), (other, [])] {
      let words = ["releases", "--db", database, "--now", "2025-03-03T00:00:00Z", "--format", "table"]
      let answer = try Binary.start(Binary.path, words + app)
      let line = try #require(answer.output.split(separator: "\n").last { $0.hasPrefix("next: ") })
      let bin = URL(filePath: Binary.path).deletingLastPathComponent().path
      let pasted = try Binary.start(
        "/bin/sh", ["-c", line.dropFirst("next: ".count) + " --json"], environment: ["PATH": bin + ":/usr/bin:/bin"])
      #expect([0, 4].contains(pasted.status), "\(line): \(pasted.errors)")
      #expect(pasted.output.contains("\"generatedAt\":\"2025-03-03T00:00:00Z\""), "\(line): \(pasted.output)")
    }
  }

  /// A backup of another database would be worse than none.
  @Test func theBackupThatIsAdvisedIsOfTheSameDatabase() throws {
    let database = try database("2.0.0")
    let status = try run(["status", "--format", "table"], database).output
    let line = try #require(status.firstRange(of: "! no backup was ever made: ").map { status[$0.upperBound...] })
    let doctor = try run(["doctor", "--format", "json"], database).output
    let document = try JSONSerialization.jsonObject(with: Data(doctor.utf8)) as? [String: Any]
    let finding = (document?["data"] as? [[String: Any]])?.first { $0["check"] as? String == "backup" }
    let advised = [String(line.prefix { $0 != "\n" }), try #require(finding?["fix"] as? String)]
    for (number, command) in advised.enumerated() {
      let copy = folder + "/copy\(number).db"
      let pasted = try paste(command.replacing("FILE", with: "\"$WORK/../copy\(number).db\""), "/nowhere.db")
      #expect(pasted.status == 0 && FileManager.default.fileExists(atPath: copy), "\(command): \(pasted.errors)")
    }
  }

  @Test(arguments: names) func whatDoctorAdvisesRegistersTheReleaseItMeans(_ name: String) throws {
    let database = try database(name)
    func publish(_ release: String) throws {
      _ = try run(["release", "publish", "--app=" + name], database, behind: [release])
    }
    try publish("1.0")
    let answer = try run(["doctor", "--format", "json"], database).output
    let document = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
    let findings = try #require(document?["data"] as? [[String: Any]])
    let fix = try #require(findings.first { $0["check"] as? String == "releases" }?["fix"] as? String)
    let pasted = try paste(fix, "/nowhere.db")
    #expect(pasted.status == 0, "\(fix): \(pasted.errors)")
    let listed = try run(["release", "list", "--format", "json"], database).output
    let list = try JSONSerialization.jsonObject(with: Data(listed.utf8)) as? [String: Any]
    let labels = (list?["data"] as? [[String: Any]])?.compactMap { $0["release"] as? String }
    #expect(Set(labels ?? []) == ["1.0", name], "\(fix)")
  }

  @Test(arguments: names) func whatPagesPrintGivesTheirNumbers(_ name: String) throws {
    let database = try database(name)
    let made = try run(["report", "--out", folder + "/site"], database)
    try #require(made.status == 0, "\(made.errors)")
    let data = try Data(contentsOf: URL(filePath: folder + "/site/data.json"))
    let document = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    let answers = try #require(document?["answers"] as? [String: [String: Any]])
    for (question, entry) in answers.sorted(by: { $0.key < $1.key }) where question.hasPrefix("r0") || question == "mix"
    {
      let printed = try paste(try #require(entry["command"] as? String), "/nowhere.db")
      let answer = try? JSONSerialization.jsonObject(with: Data(printed.output.utf8)) as? NSDictionary
      #expect(answer?.isEqual(entry["answer"]) == true, "\(entry["command"] ?? ""): \(printed.errors)")
    }
  }

  @Test func whatSomebodyMayHaveMeantIsQuoted() throws {
    let database = try database("2.0.0;touch x;#")
    let mistyped = try run(["reach"], database, behind: ["2.0.0;touch x;"])
    #expect(mistyped.errors.contains("did you mean '2.0.0;touch x;#'?"), "\(mistyped.errors)")
    let elsewhere = try run(["reach", "--channel", "x"], database, behind: ["1.0"])
    #expect(elsewhere.errors.contains("known channels: '2.0.0;touch x;#'\n"), "\(elsewhere.errors)")
    let older = folder + "/older.db"
    try FileManager.default.moveItem(atPath: EarlierSchema.all[0].unpack(into: scratchFolder()), toPath: older)
    let refused = try Binary.run("reach", "1.0", "--db", older)
    #expect(
      refused.status == 5 && refused.errors.contains("--db '\(older.replacing("'", with: "'\\''"))'\n"),
      "\(refused.errors)")
  }
}
