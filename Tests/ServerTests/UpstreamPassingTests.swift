import HTTP
import Ingest
import Store
import Testing

@testable import Server

/// What strangers can make this service ask of the update server behind it.
struct UpstreamPassingTests {
  private func served(by receiver: Receiver, name: String) throws -> ServedDatabase {
    let served = try ServedDatabase(upstream: try Upstream(["\(name)=\(receiver.url)"], version: "1"))
    _ = try served.key(.ingest)
    return served
  }

  private func dropped(_ served: ServedDatabase, _ reason: String) -> Int {
    served.service.metrics.dropped.snapshot.filter { $0.labels[1] == reason }.reduce(0) { $0 + $1.count }
  }

  /// The update server trusts this service's address; a slash that was not sent as one must not become one there.
  @Test(arguments: [
    "..%2F..%2Fadmin%2Fdelete", "%2e%2e%2fadmin", "a%2Fb", "..%5C..%5Cadmin", "%2F%2Fevil.example", "..%252Fadmin",
  ]) func noPathReachesAnotherPlace(_ segment: String) throws {
    let receiver = Receiver { _, _ in .status(200) }
    let served = try served(by: receiver, name: "react-native-update")
    let response = served.ask("POST", "/checkUpdate/" + segment, "{}")
    #expect(receiver.requestLines == [] && response.status == 200, "\(receiver.requestLines) \(response.text)")
    #expect(dropped(served, "upstream_path") == 1)
  }

  /// Whatever else a key may hold is passed on as it was sent.
  @Test(arguments: ["abc-1_2.3~", "a%20b", "%C3%A9", "a%3Fb%23c", "...", "a;b=c", "%3B"])
  func aPathIsPassedOnAsItWasMeant(_ segment: String) throws {
    let receiver = Receiver { _, _ in .status(200) }
    let served = try served(by: receiver, name: "react-native-update")
    #expect(served.ask("POST", "/checkUpdate/" + segment, "{}").status == 200)
    let path = try #require(receiver.requestLines.first?.split(separator: " ")[1])
    #expect(Target(String(path))?.segments == Target("/checkUpdate/" + segment)?.segments, "\(path)")
  }

  /// A HEAD has no answer that could be passed on, and waiting for one counted as a failure of the update server.
  @Test func whoeverAsksForHeadersDoesNotTakeTheUpdateServerAway() throws {
    let receiver = Receiver { _, request in
      request.hasPrefix("HEAD") ? .bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n") : .status(200)
    }
    let served = try served(by: receiver, name: "codepush")
    let path = "/v0.1/public/codepush/update_check?app_version=1&deployment_key=x&client_unique_id=d"
    for _ in 0...Breaker.failuresInARow { #expect(served.ask("HEAD", path).status == 200) }
    #expect(served.ask("GET", path).text == "{}")
    #expect(served.service.settings.upstream?.resting.map(\.isResting) == [false])
    #expect(Set(receiver.requestLines.map { $0.prefix(4) }) == ["GET "])
  }

  /// It answered: it is there, whatever it wants the client to do.
  @Test func aServerThatRedirectsIsUp() throws {
    let receiver = Receiver { _, _ in .status(302, ["Location: /elsewhere"]) }
    let served = try served(by: receiver, name: "codepush")
    for _ in 0...Breaker.failuresInARow { _ = served.ask("GET", "/updateCheck?appVersion=1&deploymentKey=x") }
    #expect(receiver.requests.count == Breaker.failuresInARow + 1)
    #expect(dropped(served, "upstream_status") == Breaker.failuresInARow + 1)
  }

  /// A key of ours may stand in the query; the update server is none of those who need it.
  @Test func aKeyOfOursIsNotPassedOn() throws {
    let receiver = Receiver { _, _ in .status(200) }
    let served = try served(by: receiver, name: "codepush")
    let key = try served.key(.ingest)
    for query in ["key=\(key)&app_version=1", "app_version=1&key=\(key)", "app_version=1&%6Bey=\(key)"] {
      _ = served.ask("GET", "/v0.1/public/codepush/update_check?" + query)
    }
    _ = served.ask("GET", "/v0.1/public/codepush/update_check?key=theirs&app_version=1")
    #expect(receiver.requestLines.count == 4 && !receiver.requests.contains { $0.contains(key) })
    #expect(
      receiver.requestLines.allSatisfy { $0.contains("?app_version=1 ") || $0.contains("?key=theirs&app_version=1 ") })
  }

  /// Of two agents a server believes the first, or none. Without a client's own, ours is named.
  @Test(arguments: [([("user-agent", "App/7")], "App/7"), ([], "uptake/1")])
  func oneAgentIsNamed(_ headers: [(String, String)], _ agent: String) throws {
    let receiver = Receiver { _, _ in .status(200) }
    let served = try served(by: receiver, name: "codepush")
    _ = served.ask("GET", "/updateCheck?appVersion=1&deploymentKey=x", headers: headers)
    let lines = try #require(receiver.requests.first).split(separator: "\r\n").map { $0.lowercased() }
    #expect(lines.filter { $0.hasPrefix("user-agent:") } == ["user-agent: \(agent.lowercased())"])
  }

  /// Half an answer is none; the client is told that there is no update, in its own words.
  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"updateInfo\"",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"a",
    "nonsense\r\n\r\n", "",
  ]) func halfAnAnswerIsNone(_ bytes: String) throws {
    let receiver = Receiver { _, _ in .bytes(bytes) }
    let served = try served(by: receiver, name: "codepush")
    let response = served.ask(
      "GET", "/v0.1/public/codepush/update_check?app_version=1&deployment_key=x&client_unique_id=d")
    #expect(response.status == 200 && response.text.contains("update_info"), "\(response.text)")
    #expect(dropped(served, "upstream_unreachable") == 1)
  }

  /// What the update server says must not end a line of ours.
  @Test func aStrangeMediaTypeIsNotRepeated() throws {
    let receiver = Receiver { _, _ in .status(200, ["Content-Type: text/\u{1}html\rX-Evil: 1"]) }
    let served = try served(by: receiver, name: "codepush")
    let response = served.ask("GET", "/updateCheck?appVersion=1&deploymentKey=x")
    #expect(response.status == 200)
    #expect(response.headers.allSatisfy { header in header.value.unicodeScalars.allSatisfy { $0.value >= 0x20 } })
  }
}
