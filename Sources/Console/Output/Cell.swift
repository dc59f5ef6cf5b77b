public import Lifecycle

/// One value of a table, before it becomes text.
public enum Cell: Equatable, Sendable {
  case text(String)
  /// A word of a closed vocabulary, as programs read it and as people do.
  case term(String, words: String)
  case instant(Instant)
  /// A number with its unit, and its interval where it has one.
  case quantity(Double, Interval?, Unit)
  /// A small curve, each value 0 to 1.
  case sparkline([Double])
  /// What cannot be said, and why: shown as `—`, never as 0.
  case missing(because: String)

  public enum Unit: Equatable, Sendable {
    case count
    case number(digits: Int)
    /// 0 to 1, shown in per cent.
    case share
    /// A difference of shares, shown in percentage points.
    case points
    /// Seconds, shown as a duration.
    case duration
    /// A difference of seconds: signed, and with one decimal in the unit that suits a length, so that a column has one unit.
    case durationDifference(inUnitOf: Double)
    /// Seconds that somebody chose, shown as one types them: `24h`, `72h`, `7d`.
    case age
  }

  /// The ends of an interval; an end that the data do not reach is nil.
  public struct Interval: Equatable, Sendable {
    public var low: Double?
    public var high: Double?
    public init(_ low: Double?, _ high: Double?) { (self.low, self.high) = (low, high) }
  }

  public static func count(_ value: Int) -> Cell { .quantity(Double(value), nil, .count) }
  public static func share(_ value: Double, _ interval: Interval? = nil) -> Cell { .quantity(value, interval, .share) }
  public static func points(_ value: Double, _ interval: Interval? = nil) -> Cell {
    .quantity(value, interval, .points)
  }
  public static func age(seconds: Int64) -> Cell { .quantity(Double(seconds), nil, .age) }
  public static func flag(_ value: Bool) -> Cell { .term(value ? "true" : "false", words: value ? "yes" : "no") }
  public static func duration(seconds: Double, _ interval: Interval? = nil) -> Cell {
    .quantity(seconds, interval, .duration)
  }
}
