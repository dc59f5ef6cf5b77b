import Testing

@testable import Lifecycle

/// Arithmetic on times of any size: exact where the result fits, the nearest instant where it does not.
@Suite struct TimestampTests {
  static let numbers: [Int64] = [.min, .min + 1, -(1 << 51), -1001, -1, 0, 1, 999, 1 << 51, .max - 1, .max]

  private func clamped(_ high: Int64, _ low: Int64, _ operation: (Int128, Int128) -> Int128) -> Int64 {
    Int64(clamping: operation(Int128(high), Int128(low)))
  }

  @Test func saturates() {
    for left in Self.numbers {
      for right in Self.numbers {
        let (instant, length) = (Timestamp(rawValue: left), Milliseconds(rawValue: right))
        #expect((instant + length).rawValue == clamped(left, right, +))
        #expect((instant - length).rawValue == clamped(left, right, -))
        #expect((instant - Timestamp(rawValue: right)).rawValue == clamped(left, right, -))
      }
      #expect(Timestamp(seconds: left).rawValue == clamped(left, 1000, *))
      #expect(Milliseconds.days(left).rawValue == clamped(left, 86_400_000, *))
      #expect(Milliseconds.hours(left).rawValue == clamped(left, 3_600_000, *))
      #expect(Milliseconds.minutes(left).rawValue == clamped(left, 60_000, *))
    }
  }

  @Test func writesEveryInstant() {
    let written = Self.numbers.map { Timestamp(rawValue: $0).rfc3339 }
    #expect(written.first == "-292275055-05-16T16:47:04.192Z")
    #expect(written.last == "292278994-08-17T07:12:55.807Z")
    #expect(Timestamp(rawValue: -1001).rfc3339 == "1969-12-31T23:59:58.999Z")
  }

  /// GNU date: `date -u -d 2000-01-01 +%s` is 946684800, `date -u -d @253402300799` is 9999-12-31T23:59:59.
  @Test func permitsTheYears2000To9999() throws {
    let permitted = ["2000-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"]
    for text in permitted { #expect(try Timestamp(rfc3339: text).isPermitted) }
    #expect(Timestamp.permitted.lowerBound.rfc3339 == permitted[0])
    #expect(!Timestamp(rawValue: Timestamp.permitted.lowerBound.rawValue - 1).isPermitted)
    #expect(!Timestamp.permitted.upperBound.isPermitted)
  }

  @Test func whatIsStoredFitsPackedForms() {
    for number in Self.numbers {
      let stored = Timestamp(stored: number).rawValue
      #expect((stored << 7 | 127) >> 7 == stored && abs(stored) <= 1 << 51)
      if abs(Int128(number)) <= 1 << 51 { #expect(stored == number) }
    }
  }
}
