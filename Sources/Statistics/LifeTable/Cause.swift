/// Why an interval at risk ended in an event: a number from 1 to 15 whose meaning is the caller's.
public struct Cause: RawRepresentable, Hashable, Comparable, Sendable {
  public static let highest: UInt8 = 15
  public let rawValue: UInt8

  public init?(rawValue: UInt8) {
    guard (1...Self.highest).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  public static func < (left: Cause, right: Cause) -> Bool { left.rawValue < right.rawValue }

}

extension Cause: ExpressibleByIntegerLiteral {
  /// For constants: a literal outside 1...15 is a programming error and traps.
  public init(integerLiteral number: UInt8) {
    precondition((1...Self.highest).contains(number), "a cause is a number from 1 to 15")
    rawValue = number
  }
}

/// The causes that count as events in one analysis; all others end an interval like a censoring.
public struct CauseSet: Hashable, Sendable, ExpressibleByArrayLiteral {
  private var bits: UInt16

  public static let all = CauseSet(bits: .max)

  private init(bits: UInt16) { self.bits = bits }

  public init(arrayLiteral causes: Cause...) { self.init(causes) }

  public init(_ causes: some Sequence<Cause>) {
    bits = causes.reduce(0) { $0 | 1 << UInt16($1.rawValue) }
  }

  public func contains(_ cause: Cause) -> Bool { bits & 1 << UInt16(cause.rawValue) != 0 }

  /// The same as bits by the kind of a run.
  var kinds: UInt32 { UInt32(bits) & ~1 }
}
