import Console
import Glibc
import Lifecycle
import Statistics

/// Some hours in which first attempts failed three times as often as at all other times, for certain: a server or a network may have.
///
/// Of all stretches of whole quarters of an hour, a day long at most, the one whose failures are least likely if there are no such
/// hours. Certain is by Fisher's exact test, times the number of stretches that anybody could have looked at, wherever failures lie.
/// Failures count within `age` of the start. An attempt that is younger may stand in the hours and at no other times, so that none of
/// those it is held against had less time to fail.
struct FaultHours: Equatable {
  private(set) var quarters: ClosedRange<Int64>
  private(set) var inside: WatchedAttempts
  private(set) var outside: WatchedAttempts
  /// The first quarter with attempts that are younger than `age`.
  private let young: Int64

  static let age = Failures.Options().attemptAge
  private static let length = Milliseconds.minutes(15)
  private static let longest: Int64 = 96
  private static let leastTimes = 3
  /// Hours with nine in ten of all attempts are the release's own.
  private static let mostTimesOthers = 9

  static func quarter(_ instant: Int64) -> Int64 { instant / length.rawValue }

  /// nil where there are none.
  init?(_ attempts: [Int64: WatchedAttempts], until cutOff: Timestamp, level: Double) {
    let young = Self.quarter((cutOff - Self.age).rawValue)
    guard let (found, looks) = Self.stretch(attempts.sorted { $0.key < $1.key }, young) else { return nil }
    self = found
    guard inside.failures * outside.attempts >= Self.leastTimes * outside.failures * inside.attempts,
      inside.attempts < Self.mostTimesOthers * outside.attempts,
      inside.failsMore(than: outside, level: level, looks: looks)
    else { return nil }
  }

  private init(_ quarters: ClosedRange<Int64>, _ inside: WatchedAttempts, _ outside: WatchedAttempts, _ young: Int64) {
    (self.quarters, self.inside, self.outside, self.young) = (quarters, inside, outside, young)
  }

  /// The best is from a quarter with failures to another, as any that is longer has only others in addition; all others are looks, too.
  private static func stretch(
    _ attempts: [(key: Int64, value: WatchedAttempts)], _ young: Int64
  ) -> (FaultHours, looks: Int)? {
    var (best, most, looks) = (FaultHours?.none, 0.0, 0)
    let old = attempts.prefix { $0.key < young }.reduce(into: WatchedAttempts()) { $0.add($1.value) }
    for first in attempts.indices {
      var (inside, outside) = (WatchedAttempts(), old)
      for last in attempts[first...].prefix(while: { $0.key < attempts[first].key + longest }) {
        inside.add(last.value)
        if last.key < young { outside = outside.without(last.value) }
        guard outside.attempts > 0 else { break }
        looks += 1
        guard attempts[first].value.failures > 0, last.value.failures > 0 else { continue }
        let found = FaultHours(attempts[first].key...last.key, inside, outside, young)
        if found.evidence > most { (best, most) = (found, found.evidence) }
      }
    }
    return best.map { ($0, looks) }
  }

  /// How much likelier all is with a share of its own inside, on the scale of logarithms; not at all where that is no higher.
  private var evidence: Double {
    guard inside.failures * outside.attempts > outside.failures * inside.attempts else { return -.infinity }
    var all = inside
    all.add(outside)
    return inside.logLikelihood + outside.logLikelihood - all.logLikelihood
  }
}

extension FaultHours {
  /// Attempts in the hours, or at other times.
  struct Side: Equatable {
    var hours: FaultHours
    var isInside: Bool

    func contains(_ instant: Int64) -> Bool {
      let quarter = FaultHours.quarter(instant)
      return hours.quarters.contains(quarter) ? isInside : !isInside && quarter < hours.young
    }
  }

  func isShown(_ smallGroups: SmallGroups) -> Bool {
    smallGroups.isShown(inside.attempts) && smallGroups.isShown(outside.attempts)
  }

  /// - Parameter end: of what is looked at; hours that reach it may go on.
  func words(until end: Timestamp) -> String {
    let from = Timestamp(rawValue: quarters.lowerBound * Self.length.rawValue)
    let to = Timestamp(rawValue: (quarters.upperBound + 1) * Self.length.rawValue)
    let period = to < end ? "from \(from.words) to \(to.words)" : "since \(from.words)"
    return
      "\(period) \(inside.words) failed within an hour, at other times \(grouped(outside.failures)) of \(grouped(outside.attempts))"
  }
}

extension WatchedAttempts {
  fileprivate var words: String { "\(grouped(failures)) of \(counted(attempts, "first attempt"))" }

  /// Of its own share.
  fileprivate var logLikelihood: Double {
    [failures, attempts - failures].reduce(0) { sum, count in
      count == 0 ? sum : sum + Double(count) * log(Double(count) / Double(attempts))
    }
  }
}

extension FaultHours {
  /// Whether devices fail more often because they tried then: all others failed more often then, too, and at the same time, as at
  /// other times, these fail no more often than those.
  ///
  /// - Parameter own: their attempts within the hours, and at other times.
  func explain(_ own: (inside: WatchedAttempts, outside: WatchedAttempts), level: Double) -> Bool {
    let others = (inside: inside.without(own.inside), outside: outside.without(own.outside))
    return others.inside.failsMore(than: others.outside, level: level)
      && !own.inside.failsMore(than: others.inside, level: level, looks: 2)
      && !own.outside.failsMore(than: others.outside, level: level, looks: 2)
  }
}
