import Glibc
import Statistics

/// How often limits of adoption hold the truth where devices that only check were waiting at an end that lies among their checks, or
/// fall back to the old release: contacts are known as stretches, within which no single one is.
public struct PolledEndStudy: Sendable {
  public enum End: String, CaseIterable, Sendable {
    case superseded, halted, asked
    fileprivate var isLast: Bool { self != .asked }
  }

  public private(set) var held = 0
  /// The mean of the estimate beside the truth, less 1.
  public private(set) var off = 0.0

  /// - Parameters:
  ///   - end: after so many `hours`.
  ///   - age: that adoption is asked for, in hours.
  ///   - back: which part of the devices run the old release again 7 h after the update.
  public init(
    fleets: Int, devices: Int, every step: Double, _ end: End, at hours: Double, age: Double, back: Double = 0,
    seed: UInt64
  ) {
    var random = Generator(state: seed)
    let truth = -expm1(-age / Self.wait)
    for _ in 0..<fleets {
      var (seen, unseen) = (PolledTimes(), UnseenContacts())
      for _ in 0..<devices { Self.life(step, end, hours, back, &random).note(end, hours, &seen, &unseen) }
      let curve = PolledCurve(unseen.placed(among: seen), until: Self.tick(hours))
      guard let share = curve.adoption(at: Self.tick(age), level: 0.95) else { continue }
      if share.lo ?? 0 <= truth, truth <= share.hi ?? 1 { held += 1 }
      off += (share.value / truth - 1) / Double(fleets)
    }
  }

  /// Hours, on average, for 2.0 and for the release after it.
  private static let wait = 40.0
  fileprivate static func tick(_ hours: Double) -> Tick { Tick((hours * 3600).rounded()) }

  private static func life(
    _ step: Double, _ end: End, _ hours: Double, _ back: Double, _ random: inout Generator
  ) -> Checks {
    func waited() -> Double { -wait * log(1 - Double.random(in: 0..<1, using: &random)) }
    let (update, next) = (waited(), end == .superseded ? hours + waited() : .infinity)
    let isBack = Double.random(in: 0..<1, using: &random) < back
    var checks = Checks()
    for at in stride(from: Double.random(in: 0..<step, using: &random) - 48, to: hours + 60, by: step) where at < next {
      let isOn = at >= update && (update < hours || !end.isLast) && !(isBack && at > update + 7)
      if isOn { checks.updated = checks.updated ?? at } else { checks.without.append(at) }
    }
    return checks
  }

  /// What one device said, in hours.
  private struct Checks {
    var without: [Double] = []
    var updated: Double?

    /// As the program keeps it: the ends of stretches without a silence of more than a day.
    func note(_ end: End, _ hours: Double, _ seen: inout PolledTimes, _ unseen: inout UnseenContacts) {
      let update = updated.flatMap { $0 <= hours ? $0 : nil }
      let instant = update ?? hours.nextUp
      guard let last = without.last(where: { $0 < instant }) else { return }
      if let later = without.first(where: { $0 >= instant }), later - last <= 24 {
        let next: UnseenContacts.Next = update != nil ? .update : end == .halted ? .halt : .end
        return unseen.add(.init(entry: 0, floor: 0, before: tick(update ?? hours), next))
      }
      seen.add(entry: 0, after: max(tick(last), 0), upTo: update.map(tick))
      if let update { unseen.add(gap: tick(update - last)) }
    }
  }
}

extension PolledEndStudy {
  public static func table(fleets: Int) -> String {
    func cells(_ end: End, _ step: Double, _ hours: Double, _ age: Double, _ back: Double) -> String {
      let study = Self(fleets: fleets, devices: 600, every: step, end, at: hours, age: age, back: back, seed: 11)
      return "\(fixed(Double(study.held) * 100 / Double(fleets), 1)) % | \(fixed(study.off * 100, 1)) %"
    }
    let ends = [16.0, 24, 36, 48].flatMap { hours in
      [4.0, 8, 24].map { step in
        "| \(Int(hours)) h | \(Int(step)) h | "
          + End.allCases.map { cells($0, step, hours, 12, 0) }.joined(separator: " | ") + " |\n"
      }
    }
    let back = [0, 0.1, 0.4].map { part in
      "| \(Int(part * 100)) % | "
        + [6.0, 24, 48].map { cells(.asked, 6, 100, $0, part) }.joined(separator: " | ") + " |\n"
    }
    let heads = [
      "| end | polled every | superseded | off | halted | off | asked | off |",
      "| fall back | by 6 h | off | by 24 h | off | by 48 h | off |",
    ].map { "\($0)\n|" + String(repeating: "---:|", count: $0.count { $0 == "|" } - 1) }
    return "\(heads[0])\n\(ends.joined())\n\(heads[1])\n\(back.joined())"
  }
}

private func tick(_ hours: Double) -> Tick { PolledEndStudy.tick(hours) }
