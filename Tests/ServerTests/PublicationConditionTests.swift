import Foundation
import HTTP
import Store
import Testing

@testable import Server

/// A pipeline reads, decides and writes; what somebody did in between is never overwritten where it says what it read (RFC 9110, 13).
struct PublicationConditionTests {
  private let served: ServedDatabase
  private static let steps = #"{"at":"2025-03-02T00:00:00Z","percent":10}"#
  private static let halt = #"{"at":"2025-03-02T06:00:00Z","percent":0}"#
  private static let all = #"{"at":"2025-03-02T12:00:00Z","percent":100}"#
  private static let place = "/v1/releases/3.0?app=a"

  init() throws { served = try ServedDatabase() }

  private func put(_ steps: String..., headers: [(String, String)] = []) -> Response {
    let rollout = steps.joined(separator: ",")
    let body = #"{"app":"a","publishedAt":"2025-03-02T00:00:00Z","rollout":[\#(rollout)]}"#
    return served.ask("PUT", "/v1/releases/3.0", body, headers: headers)
  }

  private func get(_ headers: [(String, String)] = [], place: String = place) -> Response {
    served.ask("GET", place, headers: headers)
  }

  private func tag(_ response: Response) throws -> String {
    try #require(response.headers.first { $0.name == "ETag" }?.value, "\(response)")
  }

  private func code(_ response: Response) throws -> String? {
    let document = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: [String: String]]
    return document?["error"]?["code"]
  }

  @Test func onePublicationIsRead() throws {
    let put = put(Self.steps)
    let one = get()
    #expect(one.status == 200 && put.status == 200)
    #expect(try one.body == put.body && tag(one) == tag(put), "nothing is odd: they say the same")
    #expect(try tag(one).wholeMatch(of: /"[0-9a-f]{32}"/) != nil, "a strong tag")
    #expect(served.ask("HEAD", Self.place).status == 200)
    for other in ["&channel=beta", "&platform=ios", "&channel=production&platform=android"] {
      let none = get(place: Self.place + other)
      #expect(try none.status == 404 && code(none) == "not_registered", "\(other): \(none.text)")
    }
    #expect(get(place: "/v1/releases/3.0").text.contains("app is missing"))
    #expect(get(place: Self.place + "&chanel=beta").text.contains("there is no parameter"))
    let key = try served.key(.ingest)
    #expect(served.ask("GET", Self.place, key: key).status == 403)
    #expect(served.ask("GET", "/v1/releases/3.0", key: try served.key(.publish)).status == 200)
    #expect(served.ask("GET", Self.place, key: try served.key(.read, app: "b")).status == 403)
  }

  @Test func whatIsKnownIsNotSentAgain() throws {
    let first = try tag(put(Self.steps))
    for known in [first, "W/\(first)", "\"x\", \(first)", "*"] {
      let same = get([("If-None-Match", known)])
      #expect(try same.status == 304 && same.body.isEmpty && tag(same) == first, "\(known): \(same)")
    }
    #expect(get([("If-None-Match", "\"x\"")]).status == 200)
    #expect(get([("If-Match", first)]).status == 200 && get([("If-Match", "\"x\"")]).status == 412)
  }

  /// The halt that somebody makes between reading and writing stays.
  @Test func aChangeMeanwhileStays() throws {
    let read = try tag(put(Self.steps))
    let halted = put(Self.steps, Self.halt)
    let late = put(Self.steps, Self.all, headers: [("If-Match", read)])
    #expect(try late.status == 412 && code(late) == "changed_meanwhile" && tag(late) == tag(halted))
    #expect(
      late.text.contains(
        "3.0 on production is published at 2025-03-02 00:00 UTC, halted (0% at 2025-03-02 06:00 UTC, the last of 2) now"
      ))
    #expect(
      late.text.contains("GET /v1/releases/3.0?app=a&channel=production, decide anew, and send its ETag as If-Match"))
    #expect(get().body == halted.body)
    let known = try tag(get())
    let opened = put(Self.steps, Self.halt, Self.all, headers: [("If-Match", "\"x\", \(known)")])
    #expect(try opened.status == 200 && tag(opened) == tag(get()) && tag(opened) != known)
    let again = put(Self.steps, Self.halt, Self.all, headers: [("If-Match", known)])
    #expect(try again.status == 200 && tag(again) == tag(opened), "sent again after a lost answer: \(again.text)")
  }

  @Test func aSecondRunRegistersNothing() throws {
    let isNew = [("If-None-Match", "*")]
    #expect(put(Self.steps, headers: isNew).status == 200)
    let halted = put(Self.steps, Self.halt)
    let again = put(Self.steps, headers: isNew)
    #expect(try again.status == 412 && code(again) == "registered_already" && tag(again) == tag(halted))
    #expect(again.text.contains("it was registered already, and stays as it is"))
    #expect(get().body == halted.body)
  }

  @Test func aConditionOfWhatIsNotThere() throws {
    let early = put(Self.steps, headers: [("If-Match", "*")])
    #expect(
      try early.status == 412 && code(early) == "changed_meanwhile" && early.text.contains("send If-None-Match: *"))
    #expect(get().status == 404)
    #expect(put(Self.steps, headers: [("If-Match", "*"), ("If-None-Match", "*")]).status == 412)
  }

  @Test func aPublicationIsTakenBackAsItWasRead() throws {
    let read = try tag(put(Self.steps))
    _ = put(Self.steps, Self.halt)
    func delete(_ headers: [(String, String)]) -> Response { served.ask("DELETE", Self.place, headers: headers) }
    #expect(delete([("If-Match", read)]).status == 412 && delete([("If-None-Match", "*")]).status == 412)
    let known = try tag(get())
    let taken = delete([("If-Match", known)])
    #expect(try taken.status == 200 && tag(taken) == known)
    #expect(delete([("If-Match", known)]).status == 404, "9110, 13.2.1: what fails anyway fails as without a condition")
  }

  /// Taken for none, it would let a change through.
  @Test(arguments: ["5f1c", "", " ", "\"5f1c", "W/", "*, \"a\"", "'a'"])
  func aConditionThatCannotBeReadIsRefused(_ words: String) throws {
    let before = put(Self.steps)
    for name in ["If-Match", "If-None-Match"] {
      let refused = put(Self.steps, Self.all, headers: [(name, words)])
      #expect(refused.status == 400 && refused.text.contains("\(name) cannot be read"), "\(words): \(refused.text)")
      #expect(served.ask("DELETE", Self.place, headers: [(name, words)]).status == 400)
    }
    #expect(get().body == before.body)
  }

  /// What packed the answer on its way made it weak.
  @Test func aWeakTagIsNoneToChangeBy() throws {
    let read = try tag(put(Self.steps))
    #expect(put(Self.steps, Self.all, headers: [("If-Match", "W/\(read)")]).status == 412)
    #expect(put(Self.steps, Self.all, headers: [("If-None-Match", "W/\(read)")]).status == 412)
    #expect(put(Self.steps, Self.all, headers: [("If-None-Match", "\"x\"")]).status == 200)
  }
}
