/// An instant: milliseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: RawRepresentable, Comparable, Hashable, Sendable {
  public var rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// Whole seconds since 1970, rounded down.
  public var seconds: Int64 { rawValue.quotientFloored(by: 1000) }
  public init(seconds: Int64) { rawValue = seconds * 1000 }

  public static func + (instant: Self, duration: Milliseconds) -> Self {
    Self(rawValue: instant.rawValue + duration.rawValue)
  }
  public static func - (instant: Self, duration: Milliseconds) -> Self {
    Self(rawValue: instant.rawValue - duration.rawValue)
  }
  public static func - (left: Self, right: Self) -> Milliseconds {
    Milliseconds(rawValue: left.rawValue - right.rawValue)
  }
}

/// A length of time in milliseconds; negative when it points back.
public struct Milliseconds: RawRepresentable, Comparable, Hashable, Sendable {
  public var rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  public static func seconds(_ count: Int64) -> Self { Self(rawValue: count * 1000) }
  public static func minutes(_ count: Int64) -> Self { .seconds(count * 60) }
  public static func hours(_ count: Int64) -> Self { .minutes(count * 60) }
  public static func days(_ count: Int64) -> Self { .hours(count * 24) }
}

extension Int64 {
  func quotientFloored(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
