internal import Lifecycle

extension Cell {
  /// What a person reads: the value, and behind it the interval in parentheses. Not yet made harmless.
  ///
  /// A text that must not break, such as a sparkline, is drawn with `glyphs`.
  public func words(_ glyphs: Glyphs) -> (value: String, interval: String) {
    switch self {
    case .text(let text): (text, "")
    case .term(_, let words): (words, "")
    case .instant(let instant): (instant.words, "")
    case .sparkline(let values): (Console.sparkline(values, glyphs), "")
    case .missing: (glyphs.missing, "")
    case .quantity(let value, let interval, let unit):
      (
        glyphs.signed(unit.words(value)),
        interval.map { glyphs.signed(unit.words($0, beside: value, glyphs)) } ?? ""
      )
    }
  }

  /// What another program reads: the full value in base units; empty where it is missing.
  var raw: String {
    switch self {
    case .text(let text), .term(let text, _): text
    case .instant(let instant): instant.rfc3339
    case .sparkline(let values): values.map { decimal($0, 4) }.joined(separator: " ")
    case .missing: ""
    case .quantity(let value, _, _): Cell.raw(value)
    }
  }

  /// The two ends for another program; empty where there is none.
  var rawInterval: [String] {
    guard case .quantity(_, let interval?, _) = self else { return ["", ""] }
    return [interval.low, interval.high].map { $0.map(Cell.raw) ?? "" }
  }

  private static func raw(_ value: Double) -> String { JSON.number(value).text() }

  var isNumeric: Bool {
    if case .quantity = self { true } else { false }
  }
}

extension Cell.Unit {
  func words(_ value: Double) -> String {
    switch self {
    case .count: grouped(Int(value))
    case .number(let digits): withMinus(decimal(value, digits))
    case .share: Console.share(value)
    case .points: Console.points(value)
    case .duration: Console.duration(seconds: value)
    case .durationDifference(let length): signed(value, durationUnit(length)) + durationUnit(length).name
    case .age: Console.age(seconds: Int64(value))
    }
  }

  /// `(44.9–46.9)`: both ends in the unit of the value, which is not repeated; `(≥ 44.9)` where one end is open,
  /// `(−4.0 to −0.6)` where ends have signs, and `(57.0s–11.7h)` where one lies far from the value.
  func words(_ interval: Cell.Interval, beside value: Double, _ glyphs: Glyphs) -> String {
    let scale = durationUnit(value)
    let isFar = [interval.low, interval.high].contains { $0.map(scale.isFar) ?? false }
    func end(_ value: Double) -> String {
      switch self {
      case .count: grouped(Int(value))
      case .number(let digits): withMinus(decimal(value, digits))
      case .share: decimal(value * 100, 1)
      case .points: signedPoints(value)
      case .durationDifference(let length): signed(value, durationUnit(length))
      case .duration where isFar: Console.duration(seconds: value)
      case .duration, .age: withMinus(decimal(value / scale.length, scale.digits))
      }
    }
    switch (interval.low.map(end), interval.high.map(end)) {
    case (let low?, let high?):
      let isSigned = low.hasPrefix("+") || low.hasPrefix("−") || self == .points
      return "(" + low + (isSigned ? " to " : glyphs.range) + high + ")"
    case (let low?, nil): return "(" + glyphs.atLeast + low + ")"
    case (nil, let high?): return "(" + glyphs.atMost + high + ")"
    case (nil, nil): return ""
    }
  }
}

private func signed(_ seconds: Double, _ unit: DurationUnit) -> String {
  let text = decimal(seconds / unit.length, 1)
  return text.hasPrefix("-") || text == "0.0" ? withMinus(text) : "+" + text
}

extension Glyphs {
  /// A number with the minus sign that there is.
  fileprivate func signed(_ words: String) -> String { words.replacing("−", with: minus) }
}
