/// `1,234,567`.
public func grouped(_ count: Int) -> String {
  var result = ""
  let digits = String(count.magnitude)
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index) % 3 == 0 { result.append(",") }
    result.append(digit)
  }
  return (count < 0 ? "-" : "") + result
}

/// A number with a fixed count of decimals, rounded half away from zero on its decimal digits; never `-0`.
public func decimal(_ value: Double, _ digits: Int) -> String {
  guard value.isFinite else { return "—" }
  let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
  // The nudge repairs products such as 1.005 * 100 = 100.49999999999999, which mean a half.
  let scaled = (value.magnitude * scale * (1 + 4 * Double.ulpOfOne)).rounded(.toNearestOrAwayFromZero)
  guard scaled < 9e15 else { return value.description }
  let whole = String(Int(scaled))
  let text = String(repeating: "0", count: max(0, digits + 1 - whole.count)) + whole
  let sign = value < 0 && scaled > 0 ? "-" : ""
  return digits == 0 ? sign + text : sign + text.dropLast(digits) + "." + text.suffix(digits)
}

/// A share of 0 to 1 as `45.9%`. Only nothing is `0.0%` and only all is `100.0%`: nearly is `<0.1%` or `>99.9%`.
public func share(_ value: Double) -> String {
  if value > 0, value < 0.0005 { return "<0.1%" }
  if value < 1, value >= 0.9995 { return ">99.9%" }
  return decimal(value * 100, 1) + "%"
}

/// A difference of shares in percentage points, always signed: `+6.8 pp`, `−3.4 pp`.
public func points(_ value: Double) -> String { signedPoints(value) + " pp" }

func signedPoints(_ value: Double) -> String {
  let text = decimal(value * 100, 1)
  return text.hasPrefix("-") || text == "0.0" ? withMinus(text) : "+" + text
}

/// With the minus sign in place of the hyphen, which a line may break behind.
func withMinus(_ number: String) -> String { number.replacing("-", with: "−") }

/// A length of time as people compare them, from one table: `480ms` `12.3s` `97s` `4.2m` `36m` `27.2h` `7.0d`.
///
/// Below a second milliseconds, below three minutes seconds, below an hour minutes, below three days hours, else days. From a
/// second on there are two digits at least: a whole minute says too little of two.
public func duration(seconds: Double) -> String {
  guard seconds.isFinite else { return "—" }
  let unit = durationUnit(seconds)
  return withMinus(decimal(seconds / unit.length, unit.digits)) + unit.name
}

/// A length that somebody chose, as one types it: `36h`, `72h`, `7d`, `90m`; one that nobody would type as a duration.
public func age(seconds: Int64) -> String {
  if seconds >= 604_800, seconds % 86_400 == 0 { return "\(seconds / 86_400)d" }
  if seconds > 0, seconds % 3600 == 0 { return "\(seconds / 3600)h" }
  return seconds > 0 && seconds % 60 == 0 ? "\(seconds / 60)m" : duration(seconds: Double(seconds))
}

struct DurationUnit: Equatable {
  let name: String, length: Double, digits: Int, below: Double

  /// Whether a length would read as nothing in it, or as thousands.
  func isFar(_ seconds: Double) -> Bool {
    seconds != 0 && !((digits == 0 ? 0.5 : 0.05)..<1000).contains(abs(seconds) / length)
  }
}

private let durationUnits = [
  DurationUnit(name: "ms", length: 0.001, digits: 0, below: 0.9995),
  DurationUnit(name: "s", length: 1, digits: 1, below: 59.95),
  DurationUnit(name: "s", length: 1, digits: 0, below: 179.5),
  DurationUnit(name: "m", length: 60, digits: 1, below: 9.95 * 60),
  DurationUnit(name: "m", length: 60, digits: 0, below: 59.5 * 60),
  DurationUnit(name: "h", length: 3600, digits: 1, below: 71.95 * 3600),
]

func durationUnit(_ seconds: Double) -> DurationUnit {
  if seconds == 0 { return durationUnits[1] }
  return durationUnits.first { seconds.magnitude < $0.below }
    ?? DurationUnit(name: "d", length: 86_400, digits: 1, below: .infinity)
}
