internal import Console
import Glibc
internal import Statistics

/// Numbers on a page. Each carries the answer's own number in `data-v`, an interval both its limits, so that page and
/// JSON can be compared.
enum Number {
  /// Written in full, it need not be written twice.
  static func count(_ number: Int) -> HTML { "<b data-v>\(grouped(number))</b>" }
  /// nil where it is withheld.
  static func count(_ number: Int?, orUnder least: Int) -> HTML { number.map { count($0) } ?? "fewer than \(least)" }

  static func value(_ number: Double, _ text: String) -> HTML { "<b data-v=\(jsonText(number))>\(text)</b>" }
  static func share(_ share: Double, _ decimals: Int = 1) -> HTML { value(share, Format.share(share, decimals)) }
  /// `1 device`, `1,234 devices`
  static func counted(_ number: Int, _ noun: String) -> HTML { "\(count(number)) \(noun)\(number == 1 ? "" : "s")" }
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
  case durationDifference(inUnitOf: Double)

  func cell(_ value: Double, _ lo: Double? = nil, _ hi: Double? = nil) -> Cell {
    let interval = lo == nil && hi == nil ? nil : Cell.Interval(lo, hi)
    return switch self {
    case .share: .share(value, interval)
    case .duration: .duration(seconds: value, interval)
    case .points: .points(value, interval)
    case .durationDifference(let length): .quantity(value, interval, .durationDifference(inUnitOf: length))
    }
  }
}

extension Estimate {
  private func words(_ value: Double, _ measure: Measure) -> (value: String, interval: String) {
    measure.cell(value, lo, hi).words(.unicode)
  }

  /// Where one side is of those alone that were offered the release, or is looked at more often, a difference compares what is unlike.
  private func shown(_ measure: Measure) -> Double? {
    if case .points = measure, reason == .clockFromOffer || reason == .timedByChecks { return nil }
    return value
  }

  /// The value alone, or a dash.
  func valueHTML(_ measure: Measure) -> HTML {
    shown(measure).map { Number.value($0, words($0, measure).value) } ?? "—"
  }

  /// The interval in words, or why there is none.
  func intervalHTML(_ measure: Measure) -> HTML {
    let why = reason?.words ?? "no interval"
    guard let value = shown(measure) else { return "\(why)" }
    if lo == nil, hi == nil { return "no interval: \(why)" }
    return "<b data-v=\(Self.list([lo, hi]))>\(words(value, measure).interval)</b>"
  }

  private static func list(_ numbers: [Double?]) -> String {
    numbers.compactMap(\.self).map(Number.jsonText).joined(separator: ",")
  }

  /// `45.9% (44.9–46.9)`, or a dash and the reason.
  func html(_ measure: Measure) -> HTML {
    guard let value = shown(measure) else { return "— <i>\(intervalHTML(measure))</i>" }
    if lo == nil, hi == nil { return "\(valueHTML(measure)) <i>(\(intervalHTML(measure)))</i>" }
    let words = words(value, measure)
    return "<b data-v=\(Self.list([value, lo, hi]))>\(words.value) <i>\(words.interval)</i></b>"
  }

  /// The same as plain text, for pictures.
  func text(_ measure: Measure) -> String {
    guard let value = shown(measure) else { return "— " + (reason?.words ?? "") }
    let words = words(value, measure)
    return words.interval.isEmpty ? words.value : words.value + " " + words.interval
  }
}
