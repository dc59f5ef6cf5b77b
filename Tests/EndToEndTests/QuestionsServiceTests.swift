import Foundation
import Testing

/// `GET /v1/answers/{question}`: the command's own JSON for a read key, and nothing but questions.
struct QuestionsServiceTests {
  @Test func answersAreThoseOfTheCommandLineByteForByte() throws {
    let fleet = try QuestionsFleet.simulated.get()
    let (service, keys) = try served(fleet, scopes: "read", "devices")
    let (read, devices) = (keys[0], keys[1])
    defer { service.removeFiles() }
    for words in questionLines {
      let told = try fleet.ask(words + ["--json", "--app", "com.example.shop"])
      let headers = words[0] == "devices" ? devices : read
      let reply = try service.ask("GET", try path(words) + "&now=\(fleet.now)", headers: headers)
      #expect(reply.status == 200, "\(words): \(reply.body)")
      #expect(reply.body == told.output, "\(words)")
      #expect(reply.headers["content-type"] == "application/json")
    }
    service.stop()
  }

  static let refused: [(path: String, status: Int, code: String, says: String)] = [
    ("nothing", 404, "unknown_question", "known: "), ("serve", 404, "unknown_question", "known: "),
    ("release", 404, "unknown_question", "known: "), ("forget", 404, "unknown_question", "known: "),
    ("time-to-update", 400, "bad_request", "the parameter release is missing"),
    ("time-to-update?release=4.4.0&release=4.3.0", 400, "bad_request", "release is given twice"),
    ("time-to-update?release=4.4.00", 400, "bad_request", "did you mean 4.4.0"),
    ("time-to-update?release=4.4.0&output=/tmp/x", 400, "bad_request", "there is no parameter \"output\""),
    ("time-to-update?release=4.4.0&format=tsv", 400, "bad_request", "there is no parameter \"format\""),
    ("time-to-update?release=4.4.0&db=/etc/passwd", 400, "bad_request", "there is no parameter \"db\""),
    ("time-to-update?release=4.4.0&config=/etc/passwd", 400, "bad_request", "there is no parameter \"config\""),
    ("time-to-update?release=4.4.0&channel=%ff", 400, "bad_request", "a parameter cannot be decoded"),
    ("time-to-update?release=4.4.0&channel=%0A", 400, "bad_request", "no device was ever on channel"),
    ("time-to-update?release=4.4.0&by=colour", 400, "bad_request", "is not one of"),
    ("time-to-update?release=4.4.0&emulators=perhaps", 400, "bad_request", "emulators is true or false"),
    ("time-to-update?release=--output%3D/tmp/x", 400, "bad_request", "is not in the database"),
    ("time-to-update?release=4.4.0&app=com.example.other", 403, "wrong_app", "another app"),
  ]

  @Test func refusesWhatIsNoQuestion() throws {
    let fleet = try QuestionsFleet.simulated.get()
    let (service, read) = try served(fleet)
    defer { service.removeFiles() }
    for row in Self.refused {
      let reply = try service.ask("GET", "/v1/answers/" + row.path, headers: read)
      #expect((reply.status, reply.errorCode) == (row.status, row.code), "\(row.path)")
      #expect(reply.body.replacing("\\\"", with: "\"").contains(row.says), "\(row.path): \(reply.body)")
    }
    #expect(try service.ask("GET", "/v1/answers/push").status == 401)
    let on = try service.ask("GET", "/v1/answers/push?emulators&now=\(fleet.now)", headers: read)
    let off = try service.ask("GET", "/v1/answers/push?emulators=false&now=\(fleet.now)", headers: read)
    #expect(on.body == (try fleet.ask("push", "--emulators", "--json")).output)
    #expect(off.body == (try fleet.ask("push", "--json")).output)
    service.stop()
  }

  /// A key's own app may be named beside it, wherever a request is about an app.
  @Test func theAppOfTheKeyMayBeNamed() throws {
    let fleet = try QuestionsFleet.simulated.get()
    let (service, read) = try served(fleet)
    defer { service.removeFiles() }
    for path in ["/v1/answers/push?", "/v1/answers/breadcrumbs?device=d&", "/v1/devices/d/breadcrumbs?"] {
      let plain = try service.ask("GET", "\(path)now=\(fleet.now)", headers: read)
      let named = try service.ask("GET", "\(path)now=\(fleet.now)&app=com.example.shop", headers: read)
      #expect(named.status == 200 && named.body == plain.body, "\(path): \(named.body)")
    }
    service.stop()
  }

  /// Who gives an address in place of a file is told of a question that there is.
  @Test func whatIsNamedInTheHintIsAnswered() throws {
    let told = try Binary.run("status", "--db", "http://127.0.0.1:9").errors
    let question = try #require(told.firstMatch(of: /GET \/v1\/answers\/([a-z-]+)/), "\(told)").1
    #expect(try Binary.run("schema", String(question)).status == 0, "\(told)")
  }

  /// A service on a copy of the fleet's database, and the headers of a read key.
  private func served(_ fleet: QuestionsFleet) throws -> (RunningService, [String: String]) {
    let (service, keys) = try served(fleet, scopes: "read")
    return (service, keys[0])
  }

  /// The same with the headers of a key of each scope; made before the service starts, which looks for new ones now and then.
  private func served(_ fleet: QuestionsFleet, scopes: String...) throws -> (RunningService, [[String: String]]) {
    let directory = NSTemporaryDirectory() + "uptake-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let copied = try Binary.start("/usr/bin/sqlite3", [fleet.database, "VACUUM INTO '\(directory)/uptake.db'"])
    try #require(copied.status == 0, "\(copied.errors)")
    let keys = try scopes.map { try key($0, directory) }
    return (try RunningService(directory: directory), keys)
  }

  private func key(_ scope: String, _ directory: String) throws -> [String: String] {
    let made = try Binary.run(
      "key", "create", "--db", directory + "/uptake.db", "--app", "com.example.shop", "--scope", scope)
    return ["Authorization": "Bearer \(made.output.trimmingCharacters(in: .whitespacesAndNewlines))"]
  }

  /// Single devices are not what answers are about: a key that reads those lists none, and the other way round.
  @Test func listsDevicesToAKeyOfThatScopeOnly() throws {
    let fleet = try QuestionsFleet.simulated.get()
    let (service, keys) = try served(fleet, scopes: "read", "devices")
    let (read, devices) = (keys[0], keys[1])
    defer { service.removeFiles() }
    let (list, other) = ("/v1/answers/devices?release=4.4.0", "/v1/answers/funnel?release=4.4.0")
    func status(_ path: String, _ headers: [String: String]) throws -> [String] {
      let reply = try service.ask("GET", path, headers: headers)
      return [String(reply.status), reply.errorCode ?? ""]
    }
    #expect(try status(list, read) == ["403", "wrong_scope"])
    #expect(try status(list, devices) == ["200", ""])
    #expect(try status(other, devices) == ["403", "wrong_scope"])
    #expect(try status("/v1/devices/d/breadcrumbs", devices) == ["403", "wrong_scope"])
    #expect(try status("/v1/devices/00f3a1b2c3d4e5f6/breadcrumbs?hashed=true", read) == ["400", "bad_request"])
    #expect(try status("/v1/answers/breadcrumbs?device=00f3a1b2c3d4e5f6&hashed=true", read) == ["400", "bad_request"])
    #expect(try status(list + "&after=nonsense", devices) == ["400", "bad_request"])
    service.stop()
  }

  /// The words of a command line as a request: arguments and options become parameters of their names.
  private func path(_ words: [String]) throws -> String {
    let usage = try Binary.run("help", words[0]).output.split(separator: "\n").drop { $0 != "USAGE" }.dropFirst().first
    var names = (usage ?? "").split(separator: " ").dropFirst(2)
      .map { $0.trimmingCharacters(in: ["[", "]"]).lowercased() }.filter { $0 != "options" }
    var (items, rest) = (["app=com.example.shop"], words.dropFirst())
    while let word = rest.popFirst() {
      let name = word.hasPrefix("--") ? String(word.dropFirst(2)) : names.removeFirst()
      let value = word.hasPrefix("--") ? rest.popFirst() ?? "" : word
      items.append("\(name)=\(value.replacing("%", with: "%25"))")
    }
    return "/v1/answers/\(words[0])?" + items.joined(separator: "&")
  }
}

/// Whole curves are long: without them an answer says that they were left out, not that there are none.
struct CurvesOnRequestTests {
  @Test func leavesCurvesOut() throws {
    let fleet = try QuestionsFleet.simulated.get()
    func row(_ words: String...) throws -> [String: Any] {
      let answer = try fleet.ask(words + ["--format", "json"]).output
      let document = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
      return try #require((document?["data"] as? [[String: Any]])?.first)
    }
    let (whole, short) = (try row("time-to-update", "4.4.0"), try row("time-to-update", "4.4.0", "--points", "0"))
    #expect((whole["curve"] as? [Any])?.isEmpty == false)
    #expect(short["curve"] is NSNull)
    let parts = try #require(short["mechanisms"] as? [[String: Any]])
    #expect(!parts.isEmpty && parts.allSatisfy { $0["curve"] is NSNull })
    let sizes = try [short, whole].map { try JSONSerialization.data(withJSONObject: $0).count }
    #expect(sizes[0] * 3 < sizes[1], "\(sizes)")
    let adoption = try row("adoption", "4.4.0", "--points", "0")
    #expect((adoption["curve"] as? [String: Any])?["points"] is NSNull)
    let line = try row("time-to-update", "4.4.0", "--points", "1")
    #expect((line["curve"] as? [Any])?.count == 2, "a line has two ends")
  }
}
