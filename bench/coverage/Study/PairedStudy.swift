import Glibc
import Statistics

/// How often limits of a difference of two releases hold the truth where the same devices got both: phones that are opened seldom
/// are late with each.
public struct PairedStudy: Sendable {
  /// What is compared: adoption by a day, and the mean wait to three days.
  public struct Count: Sendable {
    public var held = 0
    public var heldAlone = 0
    /// The width of the limits beside what independent groups would have, on average.
    public var width = 0.0
  }
  public let fleets: Int
  /// How many of the devices of one release are in the other, of ten.
  public let shared: Int
  public private(set) var adoption = Count()
  public private(set) var mean = Count()

  private static let hour: Tick = 3600

  /// - Parameters:
  ///   - spread: of the logarithm of devices' paces; 0 is all alike.
  ///   - faster: by how much devices take up the first release faster.
  public init(fleets: Int, devices: Int, shared: Int, spread: Double, faster: Double, seed: UInt64) {
    (self.fleets, self.shared) = (fleets, shared)
    var random = Generator(state: seed)
    let truth = Self.truth(spread: spread, faster: faster, seed: seed)
    for _ in 0..<fleets {
      let both = devices * shared / 10
      let paces = (0..<2 * devices - both).map { _ in exp(random.normal() * spread) }
      let first = paces[..<devices].map { Self.wait($0 * faster, &random) }
      let second = paces[(devices - both)...].map { Self.wait($0, &random) }
      var ends = SharedEnds()
      for (one, other) in zip(first[(devices - both)...], second) {
        SharedEnds.pairs(Self.marks(one), Self.marks(other)) { ends.add($0, times: $1) }
      }
      add(KaplanMeier(Self.table(first)), KaplanMeier(Self.table(second)), ends, truth)
    }
  }

  private mutating func add(
    _ first: KaplanMeier, _ second: KaplanMeier, _ ends: SharedEnds, _ truth: (share: Double, mean: Double)
  ) {
    func difference(_ shared: SharedEnds) -> Estimate {
      first.adoptionDifference(from: second, at: 24 * Self.hour, level: 0.95, shared: shared)
    }
    func means(_ shared: SharedEnds) -> Estimate {
      first.restrictedMeanDifference(from: second, to: 72 * Self.hour, level: 0.95, shared: shared)
    }
    adoption.add(difference(ends), difference(SharedEnds()), truth.share, of: fleets)
    mean.add(means(ends), means(SharedEnds()), truth.mean, of: fleets)
  }

  /// Of a very large fleet without censoring, counted.
  private static func truth(spread: Double, faster: Double, seed: UInt64) -> (share: Double, mean: Double) {
    var random = Generator(state: ~seed)
    var (share, mean) = (0.0, 0.0)
    let devices = 400_000
    for _ in 0..<devices {
      let pace = exp(random.normal() * spread)
      for (speed, sign) in [(pace * faster, 1.0), (pace, -1.0)] {
        // The expectations of an exponential wait of 20 h at that pace.
        let rate = speed / 20
        share += sign * -expm1(-24 * rate) / Double(devices)
        mean += sign * -expm1(-72 * rate) / rate * 3600 / Double(devices)
      }
    }
    return (share, mean)
  }

  private typealias Wait = (exit: Tick, isUpdate: Bool)

  /// Exponential; looked at for one to ten days.
  private static func wait(_ pace: Double, _ random: inout Generator) -> Wait {
    let wait = -log(Double.random(in: 1e-12..<1, using: &random)) * 20 * 3600 / pace
    let end = Double.random(in: 24...240, using: &random) * 3600
    return (Tick(min(wait, end)) + 1, wait <= end)
  }

  private static func table(_ waits: [Wait]) -> LifeTable {
    LifeTable(intervals: waits.map { (0, $0.exit, $0.isUpdate ? .event(1) : .censored(.cutOff)) })
  }

  private static func marks(_ wait: Wait) -> [SharedEnds.Mark] {
    var marks: [SharedEnds.Mark] = []
    marks.add(entry: 0, exit: wait.exit, wait.isUpdate ? .event(1) : .censored(.cutOff), events: .all)
    return marks
  }
}

extension PairedStudy.Count {
  fileprivate mutating func add(_ paired: Estimate, _ alone: Estimate, _ truth: Double, of fleets: Int) {
    if paired.holds(truth) { held += 1 }
    if alone.holds(truth) { heldAlone += 1 }
    if let one = paired.width, let other = alone.width { width += one / other / Double(fleets) }
  }
}

extension Estimate {
  fileprivate var width: Double? { lo.flatMap { lo in hi.map { $0 - lo } } }
  func holds(_ truth: Double) -> Bool { (lo ?? -.infinity) <= truth && truth <= (hi ?? .infinity) }
}

extension Generator {
  /// Box and Muller.
  mutating func normal() -> Double {
    let (one, other) = (Double.random(in: 1e-12..<1, using: &self), Double.random(in: 0..<1, using: &self))
    return (-2 * log(one)).squareRoot() * cos(2 * .pi * other)
  }
}

extension PairedStudy {
  /// 400 devices a release, paces spread by 1.2 on the scale of logarithms, releases alike or one half as fast again.
  public static func table(fleets: Int) -> String {
    let head = "| in both | faster | adoption by a day | as strangers | width | mean to 72 h | as strangers | width |\n"
    let rows = [0, 3, 7, 10].flatMap { shared in
      [1.0, 1.5].map { faster -> String in
        let study = PairedStudy(
          fleets: fleets, devices: 400, shared: shared, spread: 1.2, faster: faster, seed: UInt64(shared + 1))
        func percent(_ held: Int) -> String { fixed(Double(held) * 100 / Double(fleets), 1) }
        let cells = [study.adoption, study.mean].flatMap { count in
          [percent(count.held), percent(count.heldAlone), fixed(count.width, 2)]
        }
        return "| \(shared * 10) % | \(fixed(faster, 1)) | " + cells.joined(separator: " | ") + " |\n"
      }
    }
    return head + "|---:|---:|---:|---:|---:|---:|---:|---:|\n" + rows.joined()
  }
}
