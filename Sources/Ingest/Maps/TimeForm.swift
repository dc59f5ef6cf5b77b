internal import Lifecycle

/// How an export writes an instant.
public enum TimeForm: Equatable, Sendable {
  case rfc3339
  /// A number since 1970, so many of which are a second.
  case epoch(perSecond: Int64)
  case layout(TimeLayout)

  static let units: [(word: String, perSecond: Int64)] = [
    ("s", 1), ("ms", 1000), ("us", 1_000_000), ("ns", 1_000_000_000),
  ]

  /// - Parameter zone: `UTC` or an offset, for a layout that has none.
  public init(_ text: String, zone: String? = nil) throws(MapSyntaxError) {
    if let unit = Self.units.first(where: { $0.word == text }) {
      self = .epoch(perSecond: unit.perSecond)
    } else if text == "rfc3339" {
      self = .rfc3339
    } else {
      self = .layout(try TimeLayout(text, zone: zone))
    }
  }

  /// nil for what is no instant of this form.
  func instant(_ value: JSONValue) -> Timestamp? {
    switch self {
    case .rfc3339: value.text.flatMap { try? Timestamp(rfc3339: $0) }
    case .epoch(let perSecond): Self.instant(value, perSecond)
    case .layout(let layout): value.plainText.flatMap(layout.instant)
    }
  }

  private static func instant(_ value: JSONValue, _ perSecond: Int64) -> Timestamp? {
    var whole: Int64?
    if case .integer(let number) = value { whole = number }
    if case .string(let text) = value { whole = Int64(text) }
    if let whole {
      guard perSecond == 1 else { return Timestamp(rawValue: whole / (perSecond / 1000)) }
      let (milliseconds, isBeyond) = whole.multipliedReportingOverflow(by: 1000)
      return isBeyond ? nil : Timestamp(rawValue: milliseconds)
    }
    guard let number = value.number, number.isFinite else { return nil }
    return Int64(exactly: (number / Double(perSecond) * 1000).rounded()).map(Timestamp.init(rawValue:))
  }

  /// For messages: what is expected.
  var words: String {
    switch self {
    case .rfc3339: "RFC 3339 like 2024-03-04T08:00:00Z"
    case .epoch(1): "seconds since 1970"
    case .epoch(1000): "milliseconds since 1970"
    case .epoch(1_000_000): "microseconds since 1970"
    case .epoch: "nanoseconds since 1970"
    case .layout(let layout): "like \(quotedWord(layout.text))"
    }
  }
}
