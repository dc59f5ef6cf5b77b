/// Ticks that people expect.
enum Ticks {
  /// Steps of time that divide clocks and weeks evenly, in seconds.
  private static let steps: [Double] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
    1_209_600, 2_419_200, 7_257_600,
  ]

  /// Ages from 0 to the horizon, at most so many steps apart, and 4 where these are minutes, whose words are long.
  static func ages(to horizon: Double, atMost count: Int = 8) -> [Double] {
    guard horizon > 0 else { return [0] }
    let step = step(to: horizon, count)
    let isInMinutes = step >= 60 && step < 3600
    return Array(stride(from: 0, through: horizon, by: isInMinutes ? self.step(to: horizon, min(4, count)) : step))
  }

  private static func step(to horizon: Double, _ count: Int) -> Double {
    steps.first { horizon / $0 <= Double(count) } ?? (horizon / Double(count)).rounded(.up)
  }

  /// `0 h`, `6 h`, `1 d`, `36 h`; the unit suits the step between ticks.
  static func age(_ seconds: Double, step: Double) -> String {
    if step < 60 { return "\(Int(seconds)) s" }
    if step < 3600 { return "\(Int(seconds / 60)) min" }
    if step >= 86_400 || seconds > 0 && seconds.truncatingRemainder(dividingBy: 86_400) == 0 {
      return "\(Int(seconds / 86_400)) d"
    }
    return "\(Int(seconds / 3600)) h"
  }

  /// Labelled ticks of ages.
  static func labelledAges(to horizon: Double, atMost count: Int = 8) -> [Tick] {
    let ages = ages(to: horizon, atMost: count)
    let step = ages.count > 1 ? ages[1] : horizon
    return ages.map { Tick(value: $0, label: age($0, step: step)) }
  }

  /// Round shares from 0 to at least the highest, in 4 or 5 steps.
  static func shares(to highest: Double) -> [Tick] {
    let top = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5].first { highest <= $0 } ?? 1
    let count = top == 1 ? 4 : 5
    return (0...count).map {
      let value = top * Double($0) / Double(count)
      return Tick(value: value, label: Format.share(value, top < 0.05 ? 1 : 0))
    }
  }

  /// Round shares around a range, for marks that need not start at 0.
  static func shares(from lowest: Double, to highest: Double) -> [Tick] {
    let step = [0.005, 0.01, 0.02, 0.05, 0.1, 0.25].first { (highest - lowest) / $0 <= 5 } ?? 0.25
    let (first, last) = ((lowest / step).rounded(.down), (highest / step).rounded(.up))
    return Array(stride(from: max(0, first), through: min(max(last, first + 1), 1 / step), by: 1)).map {
      Tick(value: $0 * step, label: Format.share($0 * step, step < 0.01 ? 1 : 0))
    }
  }

  /// Decades with the words for them, from one second to thirty days.
  static let logAges: [Tick] = [
    Tick(value: 1, label: "1 s"), Tick(value: 10, label: "10 s"), Tick(value: 60, label: "1 min"),
    Tick(value: 600, label: "10 min"), Tick(value: 3600, label: "1 h"), Tick(value: 21_600, label: "6 h"),
    Tick(value: 86_400, label: "1 d"), Tick(value: 259_200, label: "3 d"), Tick(value: 2_592_000, label: "30 d"),
  ]
}

struct Tick: Equatable {
  var value: Double
  var label: String
}

/// Values to the thousandths that charts are drawn in, left to right or bottom to top.
struct Scale {
  enum Kind { case linear, logarithmic }
  var lowest: Double
  var highest: Double
  var kind = Kind.linear

  /// 0...1000, clamped; 0 where the scale has no length.
  func place(_ value: Double) -> Int {
    let (low, high, x) = (along(lowest), along(highest), along(value))
    guard high > low, x.isFinite else { return 0 }
    return Int((min(max((x - low) / (high - low), 0), 1) * 1000).rounded())
  }

  private func along(_ value: Double) -> Double {
    switch kind {
    case .linear: value
    case .logarithmic: logarithm(max(value, lowest))
    }
  }
}

/// Thousandths as a percentage for an attribute: 458 is `45.8%`.
func percent(_ thousandths: Int) -> String {
  thousandths == 0
    ? "0" : thousandths % 10 == 0 ? "\(thousandths / 10)%" : "\(thousandths / 10).\(thousandths % 10)%"
}
