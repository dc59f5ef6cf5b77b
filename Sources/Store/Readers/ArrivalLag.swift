/// How many events arrived how late on a day.
public struct ArrivalLag: Equatable, Sendable {
  public var app: String
  /// Days since 1970.
  public var day: Int64
  /// Or `unknown`; below it, events that were received before they say they happened, by quarters of an hour.
  public var seconds: Int64
  public var events: Int64

  public init(app: String, day: Int64, seconds: Int64, events: Int64) {
    (self.app, self.day, self.seconds, self.events) = (app, day, seconds, events)
  }

  /// Their clients have no clock and may have sent them late: how late, nobody knows.
  public static let unknown: Int64 = -1
  public var isKnown: Bool { seconds != Self.unknown }
  /// A clock that is ahead says nothing of lateness.
  public var late: Int64 { max(0, seconds) }

  /// Of events from so far ahead, of a whole day at most; 0 where clocks are trusted so far.
  static func ahead(_ seconds: Int64) -> Int64 {
    guard seconds > trusted else { return 0 }
    return -min(max(1, (seconds + quarter / 2) / quarter), 96) * quarter
  }

  private static let (trusted, quarter): (Int64, Int64) = (300, 900)
}
