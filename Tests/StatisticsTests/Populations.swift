import Statistics

/// A small generator with a fixed sequence (S. Vigna's splitmix64), so that tests are the same everywhere.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

typealias IntervalAtRisk = (entry: Tick, exit: Tick, ending: Ending)

/// Intervals with ties, late entries, several causes and every reason of censoring.
func population(_ size: Int, causes: UInt8 = 4, span: Tick = 40, late: Bool = true, seed: UInt64) -> [IntervalAtRisk] {
  var random = SplitMix(seed: seed)
  return (0..<size).map { _ in
    let entry = late && Bool.random(using: &random) ? Tick.random(in: 0..<span / 2, using: &random) : 0
    let exit = Tick.random(in: entry + 1...span, using: &random)
    return (entry, exit, ending(causes: causes, &random))
  }
}

private func ending(causes: UInt8, _ random: inout SplitMix) -> Ending {
  let cause = Cause(rawValue: UInt8.random(in: 0...causes, using: &random))
  return cause.map(Ending.event) ?? .censored(Censoring.allCases.randomElement(using: &random) ?? .cutOff)
}

/// The populations that break careless code, by name.
let edgePopulations: [(name: String, intervals: [IntervalAtRisk])] = [
  ("nobody", []),
  ("one updated", [(0, 5, .event(1))]),
  ("one censored", [(0, 5, .censored(.silent))]),
  ("nobody updated", (1...50).map { (0, $0, .censored(.cutOff)) }),
  ("everybody updated", (1...50).map { (0, $0, .event(1)) }),
  ("all at once", (1...50).map { _ in (0, 7, .event(2)) }),
  ("late and lonely", [(0, 2, .event(1)), (3, 6, .event(1)), (3, 8, .censored(.cutOff)), (4, 9, .event(2))]),
]
