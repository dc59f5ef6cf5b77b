import Glibc
import Statistics

/// How often limits of few devices hold the truth: added up over every possible result, without chance.
///
/// Nobody leaves before the age that is asked for. Where none or all updated, the exact limit counts that answers give beside the
/// share (`atMost`, `atLeast`).
public struct SmallGroups {
  public enum Number: String, CaseIterable, Sendable {
    case adoption = "adoption by an age"
    case rate = "a rate of failures"
    case difference = "difference of adoption to a release of 400 devices, of which half updated"
  }

  public static let sizes = [1, 5, 15, 60]
  public static let truths = [0, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 1]
  private static let others = 400
  private static let otherCurves = (0...others).map { curve($0, of: others) }

  public init() {}

  /// By size, by truth; the last is the least of all truths in steps of a hundredth.
  public func coverage(_ number: Number, of devices: Int) -> (at: [Double], least: Double) {
    let limits = (0...devices).map { Self.limits(number, $0, of: devices) }
    func held(_ truth: Double) -> Double { Self.held(limits, truth, devices) }
    let all = stride(from: 0.0, through: 1, by: 0.01).map(held)
    return (Self.truths.map(held), all.min() ?? 0)
  }

  public var table: String {
    let head = Self.truths.map { "\(Int(($0 * 100).rounded())) %" }
    return Number.allCases.map { number in
      let rows = Self.sizes.map { size in
        let found = coverage(number, of: size)
        return "| \(size) | " + (found.at + [found.least]).map(Self.percent).joined(separator: " | ") + " |"
      }
      let columns = ["devices"] + head + ["least"]
      return "\(number.rawValue), in truth\n\n| \(columns.joined(separator: " | ")) |\n|"
        + columns.map { _ in "---:" }.joined(separator: "|") + "|\n" + rows.joined(separator: "\n") + "\n"
    }.joined(separator: "\n")
  }

  private static func percent(_ share: Double) -> String {
    "\((share * 1000).rounded() / 10)" + (share < 0.93 ? " *" : "")
  }

  /// The ways in which the limits hold a truth: by result of these devices and of the others.
  private static func held(_ limits: [[ClosedRange<Double>]], _ truth: Double, _ devices: Int) -> Double {
    let others = limits[0].count - 1
    let chances = (0...others).map { others == 0 ? 1 : binomial($0, others, 0.5) }
    let value = others == 0 ? truth : truth - 0.5
    return limits.enumerated().reduce(0) { sum, own in
      let part = own.element.enumerated().reduce(0.0) { $0 + ($1.element.contains(value) ? chances[$1.offset] : 0) }
      return sum + part * binomial(own.offset, devices, truth)
    }
  }

  private static func limits(_ number: Number, _ updated: Int, of devices: Int) -> [ClosedRange<Double>] {
    switch number {
    case .adoption:
      let standing = curve(updated, of: devices).standing(at: 15)
      let share = standing.adoption(level: 0.95)
      let most = Proportion.boundWithoutEvents(among: Int64(devices), level: 0.95) ?? 1
      let least = standing.lowerLimitOfAll(level: 0.95) ?? 0
      return [(share.lo ?? (updated == 0 ? 0 : least))...(share.hi ?? (updated == 0 ? most : 1))]
    case .rate:
      let rate = Proportion(Int64(updated), of: Int64(devices)).wilson(level: 0.95)
      return [(rate.lo ?? 0)...(rate.hi ?? 1)]
    case .difference:
      let own = curve(updated, of: devices)
      return otherCurves.map { other in
        let found = own.adoptionDifference(from: other, at: 15, level: 0.95)
        return (found.lo ?? -1)...(found.hi ?? 1)
      }
    }
  }

  /// So many of the devices update at 10; all are seen until 20.
  private static func curve(_ updated: Int, of devices: Int) -> KaplanMeier {
    var builder = LifeTable.Builder()
    for device in 0..<devices {
      if device < updated {
        builder.add(entry: 0, exit: 10, ending: .event(1))
      } else {
        builder.add(entry: 0, exit: 20, ending: .censored(.cutOff))
      }
    }
    return KaplanMeier(builder.build())
  }

  private static func binomial(_ count: Int, _ trials: Int, _ share: Double) -> Double {
    if share <= 0 || share >= 1 { return count == (share <= 0 ? 0 : trials) ? 1 : 0 }
    let ways = lgamma(Double(trials + 1)) - lgamma(Double(count + 1)) - lgamma(Double(trials - count + 1))
    return exp(ways + Double(count) * log(share) + Double(trials - count) * log1p(-share))
  }
}
