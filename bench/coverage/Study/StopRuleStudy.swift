import Statistics

/// How often the stop rule stops a release whose failure rate is exactly the limit, looked at after every device.
public struct StopRuleStudy: Sendable {
  public let limit: Double
  public let rollouts: Int
  public private(set) var alarms = 0
  /// What a 95 % z-test repeated at every look would have stopped.
  public private(set) var repeatedTests = 0

  public init(limit: Double, rollouts: Int, devices: Int, seed: UInt64) {
    self.limit = limit
    self.rollouts = rollouts
    let test = MixtureTest(limit: FailureLimit(configured: limit))
    var random = Generator(state: seed)
    for _ in 0..<rollouts {
      let (stopped, refuted) = Self.rollout(devices, test, limit, &random)
      alarms += stopped ? 1 : 0
      repeatedTests += refuted ? 1 : 0
    }
  }

  private static func rollout(
    _ devices: Int, _ test: MixtureTest, _ limit: Double, _ random: inout Generator
  ) -> (stopped: Bool, refuted: Bool) {
    var (failures, stopped, refuted) = (Int64(0), false, false)
    for n in 1...Int64(devices) {
      // Only a failure can raise the evidence.
      guard Double.random(in: 0..<1, using: &random) < limit else { continue }
      failures += 1
      stopped = stopped || test.decision(after: Proportion(failures, of: n)) == .stop
      let expected = Double(n) * limit
      let z = (Double(failures) - expected) / (expected * (1 - limit)).squareRoot()
      refuted = refuted || (n >= 100 && z > normalQuantile(level: 0.9))
    }
    return (stopped, refuted)
  }
}

/// SplitMix64 (Steele, Lea and Flood, 2014): small, and the same everywhere.
struct Generator: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}
