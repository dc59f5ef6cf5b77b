import Lifecycle
import Testing

@testable import Console

/// What people type, and what it means.
struct ValueTests {
  @Test(arguments: [
    ("500ms", 500), ("30s", 30_000), ("90m", 5_400_000), ("24h", 86_400_000), ("7d", 604_800_000), ("1h30m", 5_400_000),
    ("0s", 0), ("2w", 1_209_600_000), ("1d2h3m4s5ms", 93_784_005),
  ]) func readsADuration(_ text: String, _ milliseconds: Int64) throws {
    #expect(try Duration(text).rawValue == milliseconds)
  }

  @Test(arguments: ["", "7", "d", "7x", "-7d", "1.5h", " 7d", "30m1h", "1h1h", "7D", "٧d", "1h "])
  func refusesADuration(_ text: String) {
    #expect(throws: Misreading("is not a duration", hints: ["accepted forms: 500ms, 30s, 90m, 24h, 7d, 2w, 1h30m"])) {
      try Duration(text)
    }
  }

  @Test(arguments: ["9999999w", "99999999999999999d", "1000000000000000w"]) func refusesAnEternity(_ text: String) {
    #expect(throws: Misreading.self) { try Duration(text) }
  }

  private static let now = Instant(rawValue: 1_741_392_000_000)  // 2025-03-08T00:00:00Z, from `date -u -d @1741392000`

  @Test(arguments: [
    ("2025-03-08", "2025-03-08T00:00:00Z"), ("2025-03-08T00:00:00Z", "2025-03-08T00:00:00Z"),
    ("2025-03-08T02:00:00+02:00", "2025-03-08T00:00:00Z"), ("2025-03-07t18:30:00.25-05:30", "2025-03-08T00:00:00.250Z"),
    ("2024-02-29", "2024-02-29T00:00:00Z"), ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
    ("7d", "2025-03-01T00:00:00Z"), ("1h30m", "2025-03-07T22:30:00Z"), ("2016-12-31 23:59:60Z", "2016-12-31T23:59:59Z"),
    ("2025-03-08 10:00 UTC", "2025-03-08T10:00:00Z"), ("2025-03-08 10:00:30 UTC", "2025-03-08T10:00:30Z"),
    ("2025-03-08T10:00Z", "2025-03-08T10:00:00Z"), ("2025-03-08 10:00+02:00", "2025-03-08T08:00:00Z"),
  ]) func readsAnInstant(_ text: String, _ meaning: String) throws {
    #expect(try Instant(text, now: Self.now).rfc3339 == meaning)
  }

  @Test(arguments: [
    "", "yesterday", "2025-02-29", "2025-13-01", "2025-00-10", "2025-03-08T24:00:00Z", "2025-03-08T10:60:00Z",
    "2025-3-8",
    "2025-03-08T10:00:00.Z", "2025-03-08T10:00:00+2:00", "2025-03-08T10:00:00+24:00",
    "2025-03-08T10Z", "2025-03-08 UTC", "2025-03-08 10 UTC", "20250308",
    "2025-03-08T10:00:00ZZ", "2025-03-08T10:00:61Z",
  ]) func refusesAnInstant(_ text: String) {
    #expect(throws: Misreading("is not a time", hints: [Instant.forms])) { try Instant(text, now: Self.now) }
  }

  @Test func asksForAZone() {
    #expect(throws: Misreading("is a time without a zone", hints: ["add Z for UTC: 2025-03-08T10:00:00Z"])) {
      try Instant("2025-03-08T10:00:00", now: Self.now)
    }
  }

  @Test(arguments: [
    ("4096", 4096), ("1MiB", 1_048_576), ("2GiB", 2_147_483_648), ("10MB", 10_000_000), ("0", 0), ("7B", 7),
  ])
  func readsASize(_ text: String, _ bytes: Int) throws {
    #expect(try byteSize(text) == bytes)
  }

  @Test(arguments: ["", "MiB", "1mb", "-1", "1.5GiB", "99999999999999GiB"]) func refusesASize(_ text: String) {
    #expect(throws: Misreading.self) { try byteSize(text) }
  }
}
