import Glibc
import Statistics

/// How often limits of the median hold the truth where devices are only polled, and how far the estimate is off.
public struct PolledStudy: Sendable {
  public enum Habits: CaseIterable, Sendable {
    /// Waits have a mean of 60 h.
    case alike
    /// Half of the people update five times as fast as the others.
    case mixed

    fileprivate func wait(_ random: inout Generator) -> Double {
      let mean = self == .alike ? 60.0 : Bool.random(using: &random) ? 20 : 100
      return -mean * log(1 - Double.random(in: 0..<1, using: &random))
    }

    /// In hours, by halving.
    fileprivate var median: Double {
      if self == .alike { return 60 * log(2.0) }
      var (low, high) = (0.0, 500.0)
      for _ in 0..<60 {
        let middle = (low + high) / 2
        if (exp(-middle / 20) + exp(-middle / 100)) / 2 > 0.5 { low = middle } else { high = middle }
      }
      return low
    }
  }

  public private(set) var held = 0
  /// The mean of the estimate beside the truth, less 1.
  public private(set) var off = 0.0
  public let fleets: Int

  public init(fleets: Int, devices: Int, every step: Double, _ habits: Habits, seed: UInt64) {
    self.fleets = fleets
    var random = Generator(state: seed)
    let truth = habits.median * 3600
    for _ in 0..<fleets {
      let median = PolledCurve(Self.times(devices, step, habits, &random)).time(0.5, level: 0.95)
      if median.holds(truth) { held += 1 }
      off += ((median.value ?? .nan) / truth - 1) / Double(fleets)
    }
  }

  /// A fifth is watched late, some are lost; polled first within a step after it is watched.
  private static func times(
    _ devices: Int, _ step: Double, _ habits: Habits, _ random: inout Generator
  ) -> PolledTimes {
    var (times, count) = (PolledTimes(), 0)
    while count < devices {
      let time = habits.wait(&random)
      let phase = Double.random(in: 0..<1, using: &random)
      let entry = Double.random(in: 0..<1, using: &random) < 0.2 ? Double.random(in: 0..<30, using: &random) : 0
      let lost = entry + 24 + Double.random(in: 0..<400, using: &random)
      guard time > entry else { continue }
      count += 1
      let first = entry + phase * step
      func poll(_ number: Double) -> Tick { Tick((max(first + number * step, entry) * 3600).rounded()) }
      let (last, seen) = (((lost - first) / step).rounded(.down), ((time - first) / step).rounded(.up))
      let isSeen = seen <= last
      times.add(
        entry: Tick((entry * 3600).rounded()), after: poll(isSeen ? seen - 1 : last),
        upTo: isSeen ? poll(max(seen, 0)) : nil)
    }
    return times
  }

  public static func table(fleets: Int) -> String {
    let rows = [1.0, 4, 8, 12, 24, 48].map { step -> String in
      let cells = Habits.allCases.flatMap { habits -> [String] in
        let study = PolledStudy(fleets: fleets, devices: 400, every: step, habits, seed: UInt64(step))
        return [fixed(Double(study.held) * 100 / Double(fleets), 1) + " %", fixed(study.off * 100, 1) + " %"]
      }
      return "| \(Int(step)) h | " + cells.joined(separator: " | ") + " |\n"
    }
    return "| polled every | alike | off | mixed | off |\n|---|---:|---:|---:|---:|\n" + rows.joined()
  }
}
