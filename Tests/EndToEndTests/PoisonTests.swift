import Foundation
import Testing

/// A request that cannot be stored is told so once; nobody waits or loses for it.
@Suite struct PoisonTests {
  private func event(_ id: String, _ more: String = "") -> String {
    #"{"app":"a","device":"\#(id)","stage":"ready","release":"2.0","id":"\#(id)"\#(more)}"#
  }

  /// Eight clients send what no text may have, eight others are honest; all at once, over and over.
  @Test func honestClientsNeverNotice() throws {
    let service = try RunningService()
    let threads = DispatchGroup()
    let port = service.port
    for client in 0..<16 {
      threads.enter()
      Thread.detachNewThread {
        defer { threads.leave() }
        let connection = Connection(port: port)
        for number in 0..<25 {
          let bad = client % 2 == 1
          let body = self.event("\(client)-\(number)", bad ? #","reason":"out of \u0000""# : "")
          let reply = connection?.ask("POST", "/v1/events", Array(body.utf8))
          #expect(reply?.status == (bad ? 400 : 200) && reply?.firstRejection == (bad ? "nul_character" : nil))
        }
      }
    }
    #expect(threads.wait(timeout: .now() + 120) == .success)
    let both = try service.ask("[\(event("x"))," + event("y", #","channel":"a\u0000""#) + "]")
    #expect(both.status == 200 && both["accepted"] == 1 && both["rejected"] == 1)
    #expect(both.body.contains(#""index":1,"field":"channel","code":"nul_character""#), "\(both.body)")
    #expect(try sqlite(service.database, "SELECT count(*), count(DISTINCT id_hash) FROM event") == "201|201")
    #expect(service.stop().status == 0)
    service.removeFiles()
  }

  /// Another program gave the table a rule of its own: SQLite refuses what was decoded well.
  @Test func whatSQLiteAloneRefusesIsAnsweredOnce() throws {
    let service = try RunningService()
    let rule = "CREATE TRIGGER p BEFORE INSERT ON event WHEN NEW.bytes = 666 BEGIN SELECT RAISE(FAIL, 'poison'); END"
    #expect(try Binary.start("/usr/bin/sqlite3", ["-cmd", ".timeout 10000", service.database, rule]).status == 0)
    let refused = try service.ask(event("1", #","bytes":666"#))
    #expect(refused.status == 400 && refused.errorCode == "unstorable" && refused.headers["retry-after"] == nil)
    let report = #"{"app_id":"a","device_id":"d","action":"set","version_name":"2.0"}"#
    #expect(try service.ask("POST", "/stats", Array(report.utf8)).status == 200)
    #expect(try service.ask("GET", "/readyz").status == 200, "one bad request makes no service unready")
    #expect(try service.ask(event("1"))["accepted"] == 1)
    #expect(try service.ask("GET", "/metrics").body.contains(#"reason="unstorable"} 1"#))
    #expect(service.stop().log.contains("request_unstorable"))
    service.removeFiles()
  }

  @Test func namesOfReleasesAndAppsAreHeldToTheSameRule() throws {
    let service = try RunningService()
    for (path, body) in [
      ("/v1/releases/2.0", #"{"app":"a\u0000"}"#), ("/v1/releases/2.0", #"{"app":"a","channel":"\u0000"}"#),
      ("/v1/releases/2.0", #"{"app":"a","platform":"i\u0000"}"#), ("/v1/releases/2%00", #"{"app":"a"}"#),
    ] {
      let refused = try service.ask("PUT", path, Array(body.utf8))
      #expect(refused.status == 400, "\(path) \(body): \(refused.body)")
    }
    #expect(try service.ask("POST", "/report/app%00?trigger=push", Array("{}".utf8)).status == 400)
    let list = service.directory + "/list.json"
    try Data(#"[{"release":"2\u0000","app":"a"}]"#.utf8).write(to: URL(filePath: list))
    let settings = service.directory + "/uptake.toml"
    try Data("app = \"a\\u0000\"\n".utf8).write(to: URL(filePath: settings))
    for words in [
      ["release", "publish", "--from", list], ["release", "publish", "2.0", "--config", settings],
      ["key", "create", "--config", settings], ["key", "create", "--for", "codepush:K", "--config", settings],
    ] {
      let refused = try Binary.start(Binary.path, words + ["--db", service.database])
      #expect(refused.status == 2 && refused.errors.contains("U+0000"), "\(words): \(refused.errors)")
    }
    #expect(try sqlite(service.database, "SELECT count(*) FROM release") == "0")
    service.stop()
    service.removeFiles()
  }
}
