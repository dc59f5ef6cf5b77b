import Lifecycle

extension Timestamp {
  /// Later than everything that happens.
  static let never = Timestamp(rawValue: .max)
}

extension Milliseconds {
  static let zero = Milliseconds(rawValue: 0)

  static func + (left: Self, right: Self) -> Self { Self(rawValue: left.rawValue + right.rawValue) }
  static func - (left: Self, right: Self) -> Self { Self(rawValue: left.rawValue - right.rawValue) }
  static func * (duration: Self, factor: Double) -> Self {
    Self(rawValue: Int64(Double(duration.rawValue) * factor))
  }

  var days: Double { Double(rawValue) / 86_400_000 }
}

/// The hour of the week in local time, counted from Thursday 00:00 because 1970 began on a Thursday.
struct LocalTime {
  static let week = Milliseconds.days(7)
  let week: Int64
  /// Since the week's Thursday 00:00.
  let intoWeek: Milliseconds

  init(_ instant: Timestamp, offset: Milliseconds) {
    let local = instant.rawValue + offset.rawValue
    week = local / Self.week.rawValue
    intoWeek = Milliseconds(rawValue: local % Self.week.rawValue)
  }

  var day: Int64 { week * 7 + intoWeek.rawValue / 86_400_000 }
  /// 0 ≤ hour < 24, with its fraction.
  var hour: Double { Double(intoWeek.rawValue % 86_400_000) / 3_600_000 }
  var isWeekend: Bool { (2...3).contains(intoWeek.rawValue / 86_400_000) }
}
