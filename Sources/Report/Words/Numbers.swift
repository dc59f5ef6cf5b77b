internal import Console
import Glibc
internal import Statistics

/// Numbers on a page. Each carries the answer's own number in `data-v`, an interval both its limits, so that page and
/// JSON can be compared.
enum Number {
  static func count(_ number: Int) -> HTML { "<b data-v=\(number)>\(grouped(number))</b>" }

  static func value(_ number: Double, _ text: String) -> HTML { "<b data-v=\(jsonText(number))>\(text)</b>" }
  static func share(_ share: Double, _ decimals: Int = 1) -> HTML { value(share, Format.share(share, decimals)) }
  static func duration(_ seconds: Double) -> HTML { value(seconds, Console.duration(seconds: seconds)) }

  static func none(_ why: String) -> HTML { "— <i>\(why)</i>" }

  /// Six significant digits, written as JSON writes numbers.
  static func jsonText(_ number: Double) -> String { JSON.number(rounded(number)).text() }

  static func rounded(_ number: Double) -> Double {
    guard number != 0, number.isFinite else { return number }
    let decimals = 5 - Int(log10(number.magnitude).rounded(.down))
    let scale = pow(10, Double(decimals.magnitude))
    return decimals >= 0 ? (number * scale).rounded() / scale : (number / scale).rounded() * scale
  }
}

/// What an estimate is an estimate of: it decides how the number is written.
enum Measure {
  case share, duration, points

  func words(_ value: Double, _ decimals: Int) -> String {
    switch self {
    case .share: Format.share(value, decimals)
    case .duration: Console.duration(seconds: value)
    case .points: Console.points(value)
    }
  }
}

extension Estimate {
  private var decimals: Int { Format.decimals(lo, hi) }

  /// The value alone, or a dash.
  func valueHTML(_ measure: Measure) -> HTML {
    value.map { Number.value($0, measure.words($0, decimals)) } ?? "—"
  }

  /// The interval in words, or why there is none.
  func intervalHTML(_ measure: Measure) -> HTML {
    let why = reason?.words ?? "no interval"
    guard value != nil else { return "\(why)" }
    if lo == nil, hi == nil { return "no interval: \(why)" }
    return "<b data-v=\(Self.list([lo, hi]))>\(limits(measure))</b>"
  }

  private static func list(_ numbers: [Double?]) -> String {
    numbers.compactMap(\.self).map(Number.jsonText).joined(separator: ",")
  }

  private func limits(_ measure: Measure) -> String {
    let low = lo.map { measure.words($0, decimals) } ?? "?"
    return low + " to " + (hi.map { measure.words($0, decimals) } ?? "beyond the data")
  }

  /// `45.9% (44.9% to 46.9%)`, or a dash and the reason.
  func html(_ measure: Measure) -> HTML {
    guard let value else { return "— <i>\(intervalHTML(measure))</i>" }
    if lo == nil, hi == nil { return "\(valueHTML(measure)) <i>(\(intervalHTML(measure)))</i>" }
    let words = measure.words(value, decimals)
    return "<b data-v=\(Self.list([value, lo, hi]))>\(words) <i>(\(limits(measure)))</i></b>"
  }

  /// The same as plain text, for pictures.
  func text(_ measure: Measure) -> String {
    guard let value else { return "— " + (reason?.words ?? "") }
    let head = measure.words(value, decimals)
    guard lo != nil || hi != nil else { return head }
    let (low, high) = (lo.map { measure.words($0, decimals) } ?? "?", hi.map { measure.words($0, decimals) } ?? "…")
    return "\(head) (\(low)–\(high))"
  }
}
