import Glibc
import Statistics
import Testing

/// Devices that are polled at their own times, each update between two polls: what is found against what is known.
struct TurnbullPolledTests {
  /// The same devices, all polls or each sixth. The bounds are wide: estimates of polled data are rough, as they come nearer
  /// with about the cube root of the number of devices, and 800 that are seen every other day are few.
  @Test func thinningMovesTheMedianLittle() throws {
    let fleet = PolledFleet(devices: 800, seed: 7)
    let (often, seldom) = (try fleet.median(everyHours: 8), try fleet.median(everyHours: 48))
    #expect(abs(often / fleet.trueMedian - 1) <= 0.15, "\(often) h")
    #expect(abs(seldom / often - 1) <= 0.24, "\(often) h, thinned \(seldom) h")
    // The first poll that sees it, as if it were the update, comes half a step later.
    #expect(fleet.firstSeenMedian(everyHours: 48) > fleet.trueMedian * 1.3)
  }
}

/// Times to update with a mean of 60 h, some watched late, some lost; ticks are minutes.
private struct PolledFleet {
  let devices: [(time: Double, phase: Double, entry: Double, lost: Double)]
  let trueMedian = 60 * log(2.0)

  init(devices count: Int, seed: UInt64) {
    var random = Scramble(state: seed)
    func uniform() -> Double { Double.random(in: 0..<1, using: &random) }
    var devices: [(time: Double, phase: Double, entry: Double, lost: Double)] = []
    while devices.count < count {
      let time = -60 * log(1 - uniform())
      let (phase, isLate) = (uniform(), uniform() < 0.2)
      let entry = isLate ? uniform() * 30 : 0
      let lost = entry + 24 + uniform() * 400
      if time > entry { devices.append((time, phase, entry, lost)) }
    }
    self.devices = devices
  }

  /// Polled first within a step after it is watched.
  func times(everyHours step: Double) -> [BoundedTime] {
    devices.compactMap { device in
      let first = device.entry + device.phase * step
      func tick(_ poll: Double) -> Tick { Tick((max(first + poll * step, device.entry) * 60).rounded()) }
      let polls = ((device.lost - first) / step).rounded(.down)
      let seen = ((device.time - first) / step).rounded(.up)
      let entry = Tick((device.entry * 60).rounded())
      return seen > polls
        ? BoundedTime(entry: entry, after: tick(polls), upTo: nil)
        : BoundedTime(entry: entry, after: tick(seen - 1), upTo: tick(max(seen, 0)))
    }
  }

  /// Hours; the middle of what the data leave open.
  func median(everyHours step: Double) throws -> Double {
    let fit = Turnbull(times(everyHours: step))
    #expect(fit.isCertain, "\(fit.shortfall) after \(fit.rounds)")
    let median = try #require(fit.quantile(0.5))
    return Double(median.lowerBound + median.upperBound) / 120
  }

  func firstSeenMedian(everyHours step: Double) -> Double {
    let seen = times(everyHours: step).filter { $0.entry == 0 }.map { $0.upTo ?? .max }.sorted()
    return Double(seen[seen.count / 2]) / 60
  }
}

private struct Scramble: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let mixed = (state ^ (state >> 32)) &* 0x9E37_79B9_7F4A_7C15
    return mixed ^ (mixed >> 29)
  }
}
