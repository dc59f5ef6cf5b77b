public import Statistics

/// Whether experiments of the planned size see the effect that they were planned for, and how often they see one where there is none.
///
/// Devices of both arms come over a fortnight and update within a day or not; whoever looks daily does so until the last of them
/// is a day old.
public struct PlanStudy: Sendable {
  public let size: SampleSize
  public let experiments: Int
  /// The effect was told at the end, and at any of the daily looks.
  public private(set) var atEnd = 0
  public private(set) var atAnyLook = 0
  /// Days until then, of those in which it was.
  public private(set) var days: [Int64] = []

  /// - Parameters:
  ///   - rates: adoption by a day in the larger and in the smaller arm; the same where there is no effect.
  ///   - atAllLooks: by limits for all looks together; else by those for one look.
  public init(
    _ size: SampleSize, rates: (larger: Double, smaller: Double), atAllLooks: Bool, experiments: Int, seed: UInt64
  ) {
    (self.size, self.experiments) = (size, experiments)
    var random = Generator(state: seed)
    for _ in 0..<experiments {
      let arms = [(size.smaller, rates.smaller), (size.larger, rates.larger)].map { Self.arm($0, $1, &random) }
      let told = (2...15).map { Self.isTold(arms, on: $0, atAllLooks) }
      atEnd += told.last == true ? 1 : 0
      guard let first = told.firstIndex(of: true) else { continue }
      atAnyLook += 1
      days.append(Int64(first) + 2)
    }
  }

  private typealias Device = (at: Int64, after: Int64)

  private static func arm(_ devices: Int, _ rate: Double, _ random: inout Generator) -> [Device] {
    (0..<devices).map { _ in
      let updates = Double.random(in: 0..<1, using: &random) < rate
      return (Int64.random(in: 0..<336, using: &random), updates ? Int64.random(in: 1...24, using: &random) : .max)
    }
  }

  private static func isTold(_ arms: [[Device]], on day: Int64, _ atAllLooks: Bool) -> Bool {
    let curves = arms.map { devices in
      KaplanMeier(
        LifeTable(
          intervals: devices.filter { $0.at < day * 24 }.map { device in
            let watched = day * 24 - device.at
            return device.after <= watched ? (0, device.after, .event(1)) : (0, watched, .censored(.cutOff))
          }))
    }
    let difference =
      atAllLooks
      ? curves[0].adoptionDifferenceAtAllLooks(from: curves[1], at: 24, level: 0.95)
      : curves[0].adoptionDifference(from: curves[1], at: 24, level: 0.95)
    return (difference.lo ?? -1) > 0 || (difference.hi ?? 1) < 0
  }

  /// For a power of 90 %.
  public static func table(experiments: Int) -> String {
    let rows = [(0.4, 0.1, 0.5), (0.4, 0.1, 0.1), (0.6, 0.15, 0.5), (0.1, 0.05, 0.5)].flatMap { base, effect, share in
      [false, true].compactMap { all in
        row(base, effect, share, atAllLooks: all, experiments: experiments)
      }
    }
    return
      "| adoption | effect | smaller arm | planned for | devices | told at the end | told at a daily look | middle day | told where there is none, daily |\n"
      + "|---:|---:|---:|---|---:|---:|---:|---:|---:|\n" + rows.joined()
  }

  private static func row(
    _ base: Double, _ effect: Double, _ share: Double, atAllLooks: Bool, experiments: Int
  ) -> String? {
    SampleSize(from: base, to: base + effect, power: 0.9, alpha: 0.05, share: share, atAllLooks: atAllLooks).map {
      size in
      func study(_ effect: Double) -> PlanStudy {
        PlanStudy(
          size, rates: (base, base + effect), atAllLooks: atAllLooks, experiments: experiments, seed: 23)
      }
      let (own, none) = (study(effect), study(0))
      func percent(_ count: Int) -> String { fixed(Double(count) * 100 / Double(experiments), 1) + " %" }
      let middle = own.days.isEmpty ? "–" : "\(own.days.sorted()[own.days.count / 2])"
      return
        "| \(fixed(100 * base, 0)) % | \(fixed(100 * effect, 0)) pp | \(fixed(100 * share, 0)) % | \(atAllLooks ? "all looks" : "one look") | \(size.total) "
        + "| \(percent(own.atEnd)) | \(percent(own.atAnyLook)) | \(middle) | \(percent(none.atAnyLook)) |\n"
    }
  }
}
