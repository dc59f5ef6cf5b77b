import Glibc
import Testing

@testable import Statistics

/// Devices that are polled: the curve, its limits, and what thinner polls do to it.
struct PolledCurveTests {
  /// One cell: the hazard is updates over time watched. 3 / (10 + 20 + 30 + 40).
  @Test func oneCellIsUpdatesOverTime() throws {
    var times = PolledTimes()
    for tick: Tick in [10_240, 20_480, 30_720] { times.add(entry: 0, after: tick - 1, upTo: tick) }
    times.add(entry: 0, after: 30_720, upTo: nil)
    times.add(entry: 20_480, after: 30_720, upTo: nil)
    let fit = StepFit(StepHazards(times, ends: [30_720]))
    #expect(fit.isCertain)
    expectNear(fit.hazards[0], 3.0 / (10_240 + 20_480 + 3 * 30_720 - 20_480), relative: 1e-3, "hazard")
  }

  @Test func addsUpInAnyOrderAndOutAgain() {
    let fleet = PolledDevices(300, every: 8, seed: 3)
    let parts = [fleet.times(0..<100), fleet.times(100..<250), fleet.times(250..<300)]
    var (forth, back) = (PolledTimes(), PolledTimes())
    for part in parts { forth.add(part) }
    for part in parts.reversed() { back.add(part) }
    #expect(forth == back && forth == fleet.times(0..<300))
    for part in parts { forth.add(part, times: -1) }
    #expect(forth == PolledTimes())
  }

  /// 16 ticks a doubling, however many devices.
  @Test func roomIsBounded() {
    let ticks = Set((0..<Tick(200_000)).map { PolledTimes.rounded($0 * 157) })
    #expect(ticks.count < 16 * 25)
    for tick: Tick in [0, 1, 31, 33, 1000, 86_401, 31_000_000] {
      #expect(abs(PolledTimes.rounded(tick) - tick) * 32 <= tick, "\(tick)")
    }
  }

  /// Limits of 95 % hold the median in 93 to 97 of 100 fleets, however thin the polls; 300 fleets each in `UPTAKE_SOAK`.
  @Test(arguments: [1.0, 8, 24, 48], PolledDevices.Habits.allCases)
  fileprivate func limitsHoldTheMedian(_ step: Double, _ habits: PolledDevices.Habits) throws {
    let fleets = getenv("UPTAKE_SOAK") == nil ? 40 : 300
    var (held, off) = (0, 0.0)
    for seed in 0..<fleets {
      let fleet = PolledDevices(400, every: step, habits, seed: UInt64(1000 * step) + UInt64(seed))
      let curve = PolledCurve(fleet.times(0..<400))
      #expect(curve.isCertain)
      let median = try #require(curve.quantile(0.5, level: 0.95))
      let truth = Tick(habits.median * 3600)
      if median.lo ?? 0 <= truth, median.hi ?? .max >= truth { held += 1 }
      off += Double(median.value) / Double(truth) - 1
    }
    let share = Double(held) / Double(fleets)
    if fleets > 40 { print("every \(step) h, \(habits): \(share), off \(off / Double(fleets))") }
    // Three standard errors of the study around 93 to 97 %.
    let error = (0.95 * 0.05 / Double(fleets)).squareRoot()
    #expect(share >= 0.93 - 3 * error && share <= 0.97 + 3 * error, "every \(step) h: \(held) of \(fleets)")
  }

  /// The same devices, looked at every 8 and every 48 h: the median moves by 5 % at most.
  @Test(arguments: 1...3 as ClosedRange<UInt64>, PolledDevices.Habits.allCases)
  fileprivate func thinningMovesTheMedianLittle(_ seed: UInt64, _ habits: PolledDevices.Habits) throws {
    func median(every step: Double) throws -> Double {
      let curve = PolledCurve(PolledDevices(12_000, every: step, habits, seed: seed).times(0..<12_000))
      return Double(try #require(curve.quantile(0.5, level: 0.95)).value) / 3600
    }
    let (often, seldom) = (try median(every: 8), try median(every: 48))
    #expect(abs(seldom / often - 1) <= 0.05, "\(often) h, thinned \(seldom) h")
    #expect(abs(often / habits.median - 1) <= 0.05, "\(often) h, in truth \(habits.median)")
  }

  /// Each update as early, or as late, as its bounds permit: product-limit curves by hand. Of four devices one updates in (2, 4],
  /// one in (4, 8], one is lost at 6 and one watched to 10.
  @Test func outerCurvesTakeOneEndOfTheBounds() {
    var times = PolledTimes()
    times.add(entry: 0, after: 2, upTo: 4)
    times.add(entry: 0, after: 4, upTo: 8)
    times.add(entry: 0, after: 6, upTo: nil)
    times.add(entry: 0, after: 10, upTo: nil)
    func shares(_ side: PolledTimes.Side) -> [Double?] {
      let curve = times.outer(side)
      return [2, 3, 4, 5, 8, 10].map { curve.adoption(at: $0, level: 0.95).value }
    }
    #expect(shares(.earliest).map { $0.map { ($0 * 1000).rounded() } } == [0, 250, 250, 500, 500, 500])
    #expect(shares(.latest).map { $0.map { ($0 * 1000).rounded() } } == [0, 0, 250, 250, 625, 625])
  }

  /// Times that are known to the tick leave nothing open: both outer curves are the product-limit curve of these. At six hours both
  /// bounds round to one tick, at which a device must not be at risk twice.
  @Test func exactTimesAreAtRiskOnce() throws {
    var times = PolledTimes()
    for device in 0..<100 as Range<Tick> {
      let tick = 21_600 + 10 * device
      times.add(entry: 0, after: device < 70 ? tick - 1 : 90_000, upTo: device < 70 ? tick : nil)
    }
    let (earliest, latest) = (times.outer(.earliest), times.outer(.latest))
    for hour: Tick in 1...24 {
      let (early, late) = (
        earliest.adoption(at: 3600 * hour, level: 0.95).value, latest.adoption(at: 3600 * hour, level: 0.95).value
      )
      #expect(try #require(early) >= #require(late), "\(hour) h")
    }
    expectNear(latest.adoption(at: 86_400, level: 0.95).value, 0.7, relative: 0.01, "of 100 devices 70 updated")
  }

  /// Two devices in five update within half an hour, six hours after the start; one in seven only checks, every 8 h. Hazards that are
  /// constant in a few cells run before the others and behind: the curve does not.
  @Test func theCurveStaysWithinItsBounds() throws {
    var times = PolledTimes()
    for device in 0..<700 as Range<Tick> {
      let part = Double(device * 211 % 700) + 0.5
      let time = device % 5 < 2 ? 21_600 + Tick(part * 1800 / 700) : Tick(-216_000 * log(1 - part / 700))
      Self.watch(device, time, &times)
    }
    let curve = PolledCurve(times)
    let (earliest, latest) = (times.outer(.earliest), times.outer(.latest))
    let ticks = Array(stride(from: Tick(3200), through: 128_000, by: 3200))
    for tick in ticks {
      let share = try #require(curve.share(at: tick, level: 0.95).value)
      let least = try #require(latest.adoption(at: tick - tick / 32, level: 0.95).value)
      let most = try #require(earliest.adoption(at: tick + tick / 32, level: 0.95).value)
      #expect(share >= least - 1e-9 && share <= most + 1e-9, "\(tick): \(least), \(share), \(most)")
    }
    #expect(ticks.contains { curve.pull(at: Double($0)) != 1 }, "by hazards alone it would leave them")
    let shares = ticks.compactMap { curve.share(at: $0, level: 0.95).value }
    #expect(zip(shares, shares.dropFirst()).allSatisfy { $0 <= $1 })
  }

  /// For 48 h; checks begin at a time of each device's own.
  private static func watch(_ device: Tick, _ time: Tick, _ times: inout PolledTimes) {
    let (end, gap, phase): (Tick, Tick, Tick) = (172_800, 28_800, device * 41 % 28_800)
    guard device % 7 == 0 else {
      return time < end
        ? times.add(entry: 0, after: time - 1, upTo: time) : times.add(entry: 0, after: end, upTo: nil)
    }
    let upTo = phase + (max(time - phase, 0) + gap - 1) / gap * gap
    if upTo < end { return times.add(entry: 0, after: max(upTo - gap, 0), upTo: upTo) }
    times.add(entry: 0, after: phase + (end - 1 - phase) / gap * gap, upTo: nil)
  }

  /// Of a first cell in which hardly anything is known limits reach from 0 to 1: that is nothing.
  @Test func limitsFromNothingToAllAreNone() throws {
    var times = PolledTimes()
    for device in 0..<30 as Range<Tick> {
      times.add(entry: 0, after: 0, upTo: 8192 * (device % 4 + 5))
      times.add(entry: 0, after: 131_072, upTo: nil)
    }
    let curve = PolledCurve(times)
    let share = curve.share(at: 3600, level: 0.95)
    #expect(share.value == nil && share.lo == nil && share.hi == nil && share.reason == .tooFew)
    #expect(curve.shareAtAllLooks(at: 3600, level: 0.95).value == nil)
    let later = curve.share(at: 60_000, level: 0.95)
    #expect(later.lo ?? 0 > 0.1 && later.hi ?? 1 < 0.9, "\(later)")
  }

  /// With one cell S is exp(-λt), so the mean to h is (1 - exp(-λh)) / λ and its limits follow from those of λ.
  @Test func meanAndSharesOfOneCell() throws {
    var times = PolledTimes()
    for device in 0..<3 as Range<Tick> {
      times.add(entry: 0, after: 512 * (device + 1), upTo: 512 * (device + 2))
      times.add(entry: 0, after: 8192, upTo: nil)
    }
    let curve = PolledCurve(times)
    try #require(curve.ends.count == 1)
    let (rate, horizon) = (curve.hazards[0], 2048.0)
    let mean = curve.meanWait(to: 2048, level: 0.95)
    expectNear(mean.value, (1 - exp(-rate * horizon)) / rate, relative: 1e-5, "mean")
    let slope = (exp(-rate * horizon) * (rate * horizon + 1) - 1) / (rate * rate)
    let error = try #require(curve.covariance)[0][0].squareRoot() * abs(slope)
    expectNear(mean.hi, (mean.value ?? 0) + 1.959963984540054 * error, relative: 1e-4, "limit")
    // The last update that is known lies before the end of watching: afterwards the share stays, and then nothing is known.
    #expect(curve.share(at: 8192, level: 0.95).value == curve.share(at: Tick(curve.ends[0]), level: 0.95).value)
    #expect(curve.share(at: 8193, level: 0.95).reason == .beyondFollowUp)
    #expect(curve.share(at: 0, level: 0.95).reason == .noEvents && curve.time(0.99, level: 0.95).reason == .notReached)
    let (share, always) = (curve.share(at: 4096, level: 0.95), curve.shareAtAllLooks(at: 4096, level: 0.95))
    #expect(always.value == share.value && always.lo ?? 1 < share.lo ?? 0 && always.hi ?? 0 > share.hi ?? 1)
    let doubtful = PolledCurve(times, doubt: .clockFromOffer).share(at: 4096, level: 0.95)
    #expect(doubtful.value == share.value && doubtful.lo == nil && doubtful.reason == .clockFromOffer)
  }

  /// 0.5 (0.4 to 0.6) less 0.3 (0.25 to 0.35): √(0.1² + 0.05²) to both sides.
  @Test func differencesFromLimits() {
    func estimate(_ value: Double, _ lo: Double?, _ hi: Double?) -> Estimate {
      Estimate(value, lo: lo, hi: hi, level: 0.95, method: .intervalCensored)
    }
    let (one, other) = (estimate(0.5, 0.4, 0.6), estimate(0.3, 0.25, 0.35))
    for found in [
      Estimate.difference(ofShares: one, other, level: 0.95), Estimate.difference(ofMeans: one, other, level: 0.95),
    ] {
      expectNear(found.value, 0.2, relative: 1e-12, "value")
      expectNear(found.lo, 0.2 - hypot(0.1, 0.05), relative: 1e-12, "lo")
      expectNear(found.hi, 0.2 + hypot(0.1, 0.05), relative: 1e-12, "hi")
    }
    #expect(Estimate.difference(ofShares: one, estimate(0.3, nil, nil), level: 0.95).lo == nil)
  }

  @Test func nothingIsNothing() {
    let curve = PolledCurve(PolledTimes())
    #expect(curve.adoption(at: 100, level: 0.95) == nil && curve.quantile(0.5, level: 0.95) == nil)
  }
}

/// Times to update with a mean of 60 h, some watched late, some lost; the same devices however often they are polled.
private struct PolledDevices {
  enum Habits: CaseIterable {
    /// All alike.
    case even
    /// Half of the people update five times as fast as the others: the hazard falls.
    case mixed

    /// By bisection of 1 - F = 0.5; the mean is 60 h.
    var median: Double {
      switch self {
      case .even: 60 * log(2.0)
      case .mixed:
        (0..<60).reduce((0.0, 500.0)) { bounds, _ in
          let middle = (bounds.0 + bounds.1) / 2
          return (exp(-middle / 20) + exp(-middle / 100)) / 2 > 0.5 ? (middle, bounds.1) : (bounds.0, middle)
        }.0
      }
    }
  }
  private let devices: [(time: Double, phase: Double, entry: Double, lost: Double)]
  private let step: Double

  init(_ count: Int, every step: Double, _ habits: Habits = .even, seed: UInt64) {
    self.step = step
    var state = seed
    func uniform() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let mixed = (state ^ (state >> 32)) &* 0x9E37_79B9_7F4A_7C15
      return Double((mixed ^ (mixed >> 29)) >> 11) * 0x1p-53
    }
    for _ in 0..<10 { _ = uniform() }
    var devices: [(time: Double, phase: Double, entry: Double, lost: Double)] = []
    while devices.count < count {
      let mean = habits == .even ? 60.0 : uniform() < 0.5 ? 20 : 100
      let (time, phase, isLate) = (-mean * log(1 - uniform()), uniform(), uniform() < 0.2)
      let entry = isLate ? uniform() * 30 : 0
      let lost = entry + 24 + uniform() * 400
      if time > entry { devices.append((time, phase, entry, lost)) }
    }
    self.devices = devices
  }

  /// Polled first within a step after it is watched, last when it is lost.
  func times(_ range: Range<Int>) -> PolledTimes {
    var times = PolledTimes()
    for device in devices[range] {
      func tick(_ hours: Double) -> Tick { Tick((hours * 3600).rounded()) }
      let first = device.entry + device.phase * step
      func poll(_ number: Double) -> Tick { tick(max(first + number * step, device.entry)) }
      let (last, seen) = (((device.lost - first) / step).rounded(.down), ((device.time - first) / step).rounded(.up))
      let isSeen = seen <= last
      times.add(
        entry: tick(device.entry), after: poll(isSeen ? seen - 1 : last), upTo: isSeen ? poll(max(seen, 0)) : nil)
    }
    return times
  }
}
