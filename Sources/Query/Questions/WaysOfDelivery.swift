import Lifecycle
public import Statistics
import Store

extension Mechanisms {
  /// A way to bring updates into the background, with the fleet's own figures.
  public struct Way: Encodable, Sendable {
    /// `periodicSync` or `silentPush`.
    public var way: String
    public var mechanism: String
    /// From publication until half of what it delivered was ready; null where it delivered nothing.
    @Nullable public var deliverySeconds: Double?
    public var delivered: Int
    /// What the operating system took away.
    public var interference: Interference
    public var needsPushServer: Bool
    public var goodFor: String
  }
  public struct Interference: Encodable, Sendable {
    /// `lostPushes`: among mature pushes that were neither replaced nor sent to a silent device. `overruns`: wake-ups
    /// that ran out of their budget or were likely killed, where any reports its end.
    public var kind: String
    @Nullable public var share: Estimate?
    /// Between two runs on one device; only of periodic sync.
    @Nullable public var medianIntervalSeconds: Int64?
    @Nullable public var reason: String?
  }
}

/// How the operating system treated the fleet's background work, whatever the release.
struct WaysOfDelivery {
  private let lost: Estimate?
  private let overran: Estimate?
  private let whyNotOverran: String?
  private let interval: Int64?

  init(_ counted: BackgroundTally, level: Double) {
    let (lost, overrun) = (counted.lost.rate(level: level), counted.overrun.rate(level: level))
    self.lost = lost.of > 0 ? lost.share : nil
    whyNotOverran = overrun.of == 0 ? "noRefreshesReported" : counted.ended == 0 ? "noEndsReported" : nil
    overran = whyNotOverran == nil ? overrun.share : nil
    interval = counted.intervals.quantile(0.5)
  }

  func ways(_ legs: [Mechanisms.Leg]) -> [Mechanisms.Way] {
    [
      way(
        "periodicSync", .bgRefresh, legs,
        .init(
          kind: "overruns", share: overran, medianIntervalSeconds: interval, reason: whyNotOverran),
        "routine releases: nothing to run, and the system decides when"),
      way(
        "silentPush", .silentPush, legs,
        .init(
          kind: "lostPushes", share: lost, medianIntervalSeconds: nil, reason: lost == nil ? "noMaturePushes" : nil),
        "urgent fixes: minutes instead of hours, for devices that the system lets be woken"),
    ]
  }

  private func way(
    _ name: String, _ trigger: Trigger, _ legs: [Mechanisms.Leg], _ interference: Mechanisms.Interference,
    _ goodFor: String
  ) -> Mechanisms.Way {
    let leg = legs.first { $0.mechanism == trigger.rawValue }
    return .init(
      way: name, mechanism: trigger.rawValue,
      deliverySeconds: leg?.publishedToReady.amongDelivered.first { $0.p == 0.5 }?.seconds,
      delivered: leg?.delivered ?? 0, interference: interference, needsPushServer: trigger == .silentPush,
      goodFor: goodFor)
  }
}
