import Console
import Foundation
import HTTP
import Testing

@testable import Server

/// From the log one finds out who sends what cannot be taken.
struct RejectionLogTests {
  private func lines(_ served: ServedDatabase) -> [Substring] {
    served.log.text.split(separator: "\n").filter { $0.contains("events_rejected") }
  }

  @Test func aLineAMinuteForEachReasonNamesTheSender() throws {
    let served = try ServedDatabase()
    let good = #"{"device":"d","app":"a","appVersion":"4.2","stage":"check","at":"2025-03-02T10:00:00Z"}"#
    let bad = #"{"device":"d","app":"a","stage":"aplied","release":"2.0","at":"2025-03-02T10:00:00Z"}"#
    for _ in 0..<5 {
      let answer = served.ask("POST", "/v1/events", "[\(good),\(bad),\(bad)]", headers: [("User-Agent", "shop/7")])
      #expect(answer.status < 500)
    }
    let told = lines(served)
    #expect(told.count == 1, "\(served.log.text)")
    let line = String(told.first ?? "")
    for part in [
      #""code":"unknown_stage""#, #""events":2"#, #""app":"a""#, #""appVersion":"4.2""#, #""userAgent":"shop/7""#,
      #""field":"stage""#, "aplied",
    ] {
      #expect(line.contains(part), "\(part) in \(line)")
    }
  }

  /// A client may send anything as its name: a line stays one, and short.
  @Test func whatClientsSayIsCutAndHarmless() throws {
    let served = try ServedDatabase()
    let bad = #"[{"device":"d","app":"a","stage":"aplied","at":"2025-03-02T10:00:00Z"}]"#
    let agent = "\u{1B}[31mred\"" + String(repeating: "x", count: 5000)
    _ = served.ask("POST", "/v1/events", bad, headers: [("User-Agent", agent)])
    let told = lines(served)
    #expect(told.count == 1 && (told.first?.utf8.count ?? .max) < 2000, "\(told)")
    #expect(!served.log.text.contains("\u{1B}"))
    #expect(try JSONSerialization.jsonObject(with: Data((told.first ?? "").utf8)) is [String: Any])
  }

  @Test func whatIsTakenIsNotInTheLog() throws {
    let served = try ServedDatabase()
    let good = #"[{"device":"d","app":"a","stage":"check","at":"2025-03-02T10:00:00Z"}]"#
    #expect(served.ask("POST", "/v1/events", good).status == 200)
    #expect(lines(served).isEmpty)
  }
}
