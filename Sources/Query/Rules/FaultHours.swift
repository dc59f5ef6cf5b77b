import Console
import Glibc
import Lifecycle
import Statistics

/// Some hours in which first attempts failed three times as often as at all other times, for certain: a server or a network may have.
///
/// Of all stretches of whole quarters of an hour, a day long at most, the one whose failures are least likely if there are no such
/// hours. Certain is by Fisher's exact test, times the number of stretches that were looked at.
struct FaultHours: Equatable {
  private(set) var quarters: ClosedRange<Int64>
  private(set) var inside: WatchedAttempts
  private(set) var outside: WatchedAttempts

  private static let length = Milliseconds.minutes(15)
  private static let longest = 96
  private static let leastTimes = 3

  static func quarter(_ instant: Int64) -> Int64 { instant / length.rawValue }

  func contains(_ instant: Int64) -> Bool { quarters.contains(Self.quarter(instant)) }

  /// nil where there are none.
  init?(_ attempts: [Int64: WatchedAttempts], level: Double) {
    let all = attempts.values.reduce(into: WatchedAttempts()) { $0.add($1) }
    guard all.failures > 0, let (found, looked) = Self.stretch(attempts.sorted { $0.key < $1.key }, all) else {
      return nil
    }
    self = found
    guard inside.failures * outside.attempts >= Self.leastTimes * outside.failures * inside.attempts else { return nil }
    guard inside.failsMore(than: outside, level: level, looks: looked) else { return nil }
  }

  private init(_ quarters: ClosedRange<Int64>, _ inside: WatchedAttempts, _ all: WatchedAttempts) {
    (self.quarters, self.inside, outside) = (quarters, inside, all.without(inside))
  }

  /// From a quarter with failures to another: any that is longer has only others in addition.
  private static func stretch(
    _ attempts: [(key: Int64, value: WatchedAttempts)], _ all: WatchedAttempts
  ) -> (FaultHours, looked: Int)? {
    var (best, most, looked) = (FaultHours?.none, -Double.infinity, 0)
    for first in attempts.indices where attempts[first].value.failures > 0 {
      var inside = WatchedAttempts()
      for last in attempts[first...].prefix(while: { $0.key < attempts[first].key + Int64(longest) }) {
        inside.add(last.value)
        guard last.value.failures > 0, inside.attempts < all.attempts else { continue }
        let found = FaultHours(attempts[first].key...last.key, inside, all)
        looked += 1
        if found.evidence > most { (best, most) = (found, found.evidence) }
      }
    }
    return best.map { ($0, looked) }
  }

  /// How likely all is with a share of its own inside, on the scale of logarithms; not at all where that is no higher.
  private var evidence: Double {
    guard inside.failures * outside.attempts > outside.failures * inside.attempts else { return -.infinity }
    return inside.logLikelihood + outside.logLikelihood
  }
}

extension FaultHours {
  func isShown(_ smallGroups: SmallGroups) -> Bool {
    smallGroups.isShown(inside.attempts) && smallGroups.isShown(outside.attempts)
  }

  /// - Parameter end: of what is looked at; hours that reach it may go on.
  func words(until end: Timestamp) -> String {
    let from = Timestamp(rawValue: quarters.lowerBound * Self.length.rawValue)
    let to = Timestamp(rawValue: (quarters.upperBound + 1) * Self.length.rawValue)
    let period = to < end ? "from \(from.words) to \(to.words)" : "since \(from.words)"
    return
      "\(period) \(inside.words) failed, at other times \(grouped(outside.failures)) of \(grouped(outside.attempts))"
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
  /// - Parameter during: their attempts within the hours.
  func explain(_ own: WatchedAttempts, during: WatchedAttempts, level: Double) -> Bool {
    let others = (inside: inside.without(during), outside: outside.without(own.without(during)))
    return others.inside.failsMore(than: others.outside, level: level)
      && !during.failsMore(than: others.inside, level: level, looks: 2)
      && !own.without(during).failsMore(than: others.outside, level: level, looks: 2)
  }
}
