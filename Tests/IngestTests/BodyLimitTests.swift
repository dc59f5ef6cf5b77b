import Lifecycle
import Testing

@testable import Ingest

/// Two bytes make an event: what one request may hold is bounded in events, not in bytes.
struct BodyLimitTests {
  static let limits = BodyLimits(events: 200, rejections: 100)

  private func lines(_ valid: Int, _ refused: Int) -> String {
    String(repeating: event() + "\n", count: valid) + String(repeating: "{}\n", count: refused)
  }

  @Test(arguments: [(200, 0), (100, 100), (0, 100)])
  func asManyAsThereMayBeAreTaken(_ valid: Int, _ refused: Int) {
    let decoded = decode(lines(valid, refused), as: .ndjson, limits: Self.limits)
    #expect(decoded.excess == nil && decoded.batch.events.count == valid && decoded.rejected.total == refused)
  }

  @Test func ofMoreNothingIsTaken() {
    let events = decode(lines(201, 0), as: .ndjson, limits: Self.limits)
    #expect(events.excess == .events(limit: 200) && events.batch.events.isEmpty)
    let refused = decode(lines(50, 101), as: .ndjson, limits: Self.limits)
    #expect(refused.batch.events.isEmpty && refused.excess?.code == "too_many_rejected")
    #expect(refused.excess?.message.contains("the first: event 50: ") == true)
  }

  /// What is behind the limit is not even looked at, were it millions.
  @Test(arguments: ["{}\n", "{}\n{", "0\n"]) func theRestIsNotRead(_ item: String) {
    let decoded = decode(String(repeating: item, count: 1_000_000), as: .ndjson, limits: Self.limits)
    #expect(decoded.excess != nil && decoded.rejected.total < 300)
    let array = decode("[" + String(repeating: "0,", count: 1_000_000) + "0]", limits: Self.limits)
    #expect(array.excess != nil && array.rejected.total < 300)
  }

  @Test func filesAreReadPartByPart() {
    let decoded = decode(lines(300, 300), as: .ndjson, limits: nil)
    #expect(decoded.batch.events.count == 300 && decoded.rejected.total == 300)
  }
}
