import Lifecycle
public import Statistics

/// A stretch of time in which a device could have updated, in whole seconds of the chosen clock.
public struct Interval: Equatable, Sendable {
  /// Rounded down.
  public var entry: Tick
  /// Rounded up, after the entry.
  public var exit: Tick
  public var ending: Ending
  /// Where only the cutoff ended it: what it takes to end it at another one.
  var waiting: Waiting?

  struct Waiting: Comparable, Sendable {
    var origin: Int64
    /// When the device counts as silent, if it is not heard of again.
    var silentAt: Int64

    static func < (one: Waiting, other: Waiting) -> Bool {
      (one.origin, one.silentAt) < (other.origin, other.silentAt)
    }
  }

  @inline(__always)
  init(from start: Timestamp, to end: Timestamp, origin: Timestamp, ending: Ending) {
    let exit = max(1, (end - origin).secondsRoundedUp)
    self.entry = max(0, min((start - origin).secondsRoundedDown, exit - 1))
    self.exit = exit
    self.ending = ending
  }
}

extension Interval.Waiting {
  /// How it ends at a cutoff that lies after everything that was heard.
  func ended(at cutOff: Int64) -> (exit: Tick, reason: Censoring) {
    let (end, reason) = silentAt < cutOff ? (silentAt, Censoring.silent) : (cutOff, .cutOff)
    return (max(1, (Timestamp(rawValue: end) - Timestamp(rawValue: origin)).secondsRoundedUp), reason)
  }
}

extension Milliseconds {
  @inline(__always)
  var secondsRoundedDown: Int64 {
    let (whole, rest) = rawValue.quotientAndRemainder(dividingBy: 1000)
    return rest < 0 ? whole - 1 : whole
  }

  @inline(__always)
  var secondsRoundedUp: Int64 {
    let (whole, rest) = rawValue.quotientAndRemainder(dividingBy: 1000)
    return rest > 0 ? whole + 1 : whole
  }
}
