/// A length of time in milliseconds, as people type it.
public struct Duration: RawRepresentable, Comparable, Hashable, Sendable {
  public var rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  public var seconds: Double { Double(rawValue) / 1000 }

  static let forms = "500ms, 30s, 90m, 24h, 7d, 2w, 1h30m"

  /// Reads `500ms`, `30s`, `90m`, `24h`, `7d`, `2w`, or several of them from large to small: `1h30m`.
  public init(_ text: String) throws(Misreading) {
    let unreadable = Misreading("is not a duration", hints: ["accepted forms: " + Self.forms])
    var (rest, total, last) = (text[...], Int64(0), Int64.max)
    repeat {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      let unit = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest.dropFirst(unit.count)
      guard let count = Int64(digits), let length = Self.units[String(unit)], length < last else { throw unreadable }
      let (product, tooLong) = count.multipliedReportingOverflow(by: length)
      let (sum, overflow) = total.addingReportingOverflow(product)
      guard !tooLong, !overflow, sum <= Self.longest else {
        throw Misreading("is longer than 1,000 years", hints: ["accepted forms: " + Self.forms])
      }
      (total, last) = (sum, length)
    } while !rest.isEmpty
    rawValue = total
  }

  private static let units: [String: Int64] = [
    "ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000,
  ]
  private static let longest: Int64 = 1000 * 366 * 86_400_000
}

/// Why a text is not a value of its kind, to follow the text itself: `"7x" is not a duration`.
public struct Misreading: Error, Equatable, Sendable {
  public var problem: String
  public var suggestions: [String]
  public var hints: [String]

  public init(_ problem: String, suggestions: [String] = [], hints: [String] = []) {
    self.problem = problem
    self.suggestions = suggestions
    self.hints = hints
  }
}
