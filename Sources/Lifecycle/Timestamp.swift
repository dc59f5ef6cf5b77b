/// An instant: milliseconds since 1970-01-01T00:00:00Z.
///
/// Arithmetic saturates: what lies beyond 64 bits is the first or the last instant, and nothing traps.
public struct Timestamp: RawRepresentable, Comparable, Hashable, Sendable {
  public var rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// Whole seconds since 1970, rounded down.
  @inlinable public var seconds: Int64 { rawValue.quotientFloored(by: 1000) }
  public init(seconds: Int64) { rawValue = seconds.times(1000) }

  public static func + (instant: Self, duration: Milliseconds) -> Self {
    Self(rawValue: instant.rawValue.plus(duration.rawValue))
  }
  public static func - (instant: Self, duration: Milliseconds) -> Self {
    Self(rawValue: instant.rawValue.minus(duration.rawValue))
  }
  public static func - (left: Self, right: Self) -> Milliseconds {
    Milliseconds(rawValue: left.rawValue.minus(right.rawValue))
  }
}

extension Timestamp {
  /// What somebody can mean: the years 2000 to 9999. Times from outside are held against it where they come in.
  public static let permitted =
    Timestamp(rawValue: 946_684_800_000)..<Timestamp(rawValue: 253_402_300_800_000)

  public var isPermitted: Bool { Self.permitted.contains(self) }

  /// A time of a file that an earlier version may have written without that check: kept within ±2⁵¹ ms, some 70,000
  /// years, where sums and packed forms have room.
  public init(stored number: Int64) { rawValue = min(max(number, -(1 << 51)), 1 << 51) }
}

/// A length of time in milliseconds; negative when it points back. Units saturate like instants.
public struct Milliseconds: RawRepresentable, Comparable, Hashable, Codable, Sendable {
  public var rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  public static func seconds(_ count: Int64) -> Self { Self(rawValue: count.times(1000)) }
  public static func minutes(_ count: Int64) -> Self { Self(rawValue: count.times(60_000)) }
  public static func hours(_ count: Int64) -> Self { Self(rawValue: count.times(3_600_000)) }
  public static func days(_ count: Int64) -> Self { Self(rawValue: count.times(86_400_000)) }
}

/// Saturating: where the exact result does not fit, the nearest number that does.
extension Int64 {
  @inline(__always)
  func plus(_ other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  @inline(__always)
  func minus(_ other: Int64) -> Int64 {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (other < 0 ? .max : .min) : difference
  }

  @inline(__always)
  func times(_ positive: Int64) -> Int64 {
    let (product, overflows) = multipliedReportingOverflow(by: positive)
    return overflows ? (self < 0 ? .min : .max) : product
  }

  @usableFromInline
  @inline(__always)
  func quotientFloored(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
