import Lifecycle
import Testing

@testable import Simulate

struct RhythmTests {
  /// Half a year of openings in Berlin's winter time.
  private static func openings(perDay: Double) -> [Timestamp] {
    let (rhythm, start) = (Rhythm(), Timestamp(seconds: 1_767_225_600))
    var (random, now, openings) = (Randomness(seed: 5, stream: 1), start, [Timestamp]())
    while now < start + .days(182) {
      now = rhythm.next(after: now, perDay: perDay, offset: .hours(1), &random)
      openings.append(now)
    }
    return openings
  }

  @Test(arguments: [0.05, 1.0, 20.0]) func rateIsKept(perDay: Double) {
    let expected = perDay * 182
    #expect(abs(Double(Self.openings(perDay: perDay).count) - expected) < 5 * expected.squareRoot() + 2)
  }

  @Test func eveningsAreBusyAndNightsQuiet() {
    let hours = Self.openings(perDay: 20).map { Int(LocalTime($0, offset: .hours(1)).hour) }
    let counts = hours.reduce(into: [Int](repeating: 0, count: 24)) { $0[$1] += 1 }
    #expect(counts[20] > 10 * counts[3])
    #expect(counts[12] > counts[10])
  }

  @Test func nobodyOpensWithoutARate() {
    var random = Randomness(seed: 1, stream: 1)
    #expect(Rhythm().next(after: Timestamp(seconds: 0), perDay: 0, offset: .hours(0), &random) == .never)
  }

  /// 1970-01-03 was a Saturday.
  @Test func weekendsAreSaturdayAndSunday() {
    let days = (0..<7).map { LocalTime(Timestamp(seconds: $0 * 86_400 + 3600), offset: .hours(0)).isWeekend }
    #expect(days == [false, false, true, true, false, false, false])
  }
}
