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
  /// Of all releases: of the row's platform where rows are split by platform, else of all devices that are looked at.
  public struct Interference: Encodable, Sendable {
    /// `lostPushes`: among mature pushes that were neither replaced nor sent to a silent device, where any receipt is
    /// reported; of a platform by itself not where pushes brought the release and no device says that one arrived, and of several
    /// together not where many devices that pushes brought a release do not say it (`receiptsPartly`).
    /// `overruns`: wake-ups that ran out of their budget or were likely killed, where any reports its end.
    public var kind: String
    @Nullable public var share: Estimate?
    /// Pushes, however young, and those of them that the gateway refused: these are not among the lost. Only of silent pushes.
    @Nullable public var sent: Int?
    @Nullable public var rejected: Int?
    /// Half of all runs came within this of the one before on their device; only of periodic sync.
    @Nullable public var medianIntervalSeconds: Int64?
    @Nullable public var reason: String?
  }
}

/// How the operating system treated the fleet's background work, whatever the release.
struct WaysOfDelivery {
  private let all: BackgroundFigures
  /// Where rows are split by platform, of each.
  private let platforms: [String: BackgroundFigures]
  /// Whether many of all devices report no arrival, and silent pushes bring them releases all the same.
  private let arePartlySilent: Bool

  init(_ counted: BackgroundTally, arePartlySilent: Bool, level: Double) {
    self.arePartlySilent = arePartlySilent
    let areReceiptsReported = counted.sums.receipts > 0
    func figures(_ sums: BackgroundSums) -> BackgroundFigures {
      BackgroundFigures(sums, areReceiptsReported: areReceiptsReported, level: level)
    }
    all = figures(counted.sums)
    platforms = counted.namedPlatforms.mapValues(figures)
  }

  /// - Parameter group: of a row. Of its platform nothing may be known.
  func ways(_ legs: [Mechanisms.Leg], _ group: Group) -> [Mechanisms.Way] {
    let figures = group.platform.map { platforms[$0] ?? .none } ?? all
    // Devices have the release by pushes of which none says that it arrived.
    let isUntold = figures.receipts == 0 && legs.contains { $0.mechanism == Trigger.silentPush.rawValue }
    let lost =
      isUntold
      ? figures.lostPushes.untold(Unestimable.noReceipts.rawValue)
      : arePartlySilent && group.platform == nil && figures.lostPushes.tellsLosses
        ? figures.lostPushes.untold(Mechanisms.Interference.receiptsPartly) : figures.lostPushes
    return [
      way(
        "periodicSync", .bgRefresh, legs, figures.overruns,
        "routine releases: nothing to run, and the system decides when"),
      way(
        "silentPush", .silentPush, legs, lost,
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

/// What the operating system took away from some devices.
private struct BackgroundFigures {
  let overruns: Mechanisms.Interference
  let lostPushes: Mechanisms.Interference
  /// Signs that a push arrived.
  let receipts: Int

  /// Of no device.
  static let none = BackgroundFigures(BackgroundSums(), areReceiptsReported: true, level: 0.95)

  /// - Parameter areReceiptsReported: by any device, of whichever platform.
  init(_ sums: BackgroundSums, areReceiptsReported: Bool, level: Double) {
    let (lost, overrun) = (sums.lost.rate(level: level), sums.overrun.rate(level: level))
    let whyNotOverran = overrun.of == 0 ? "noRefreshesReported" : sums.ended == 0 ? "noEndsReported" : nil
    let whyNotLost =
      lost.of == 0 ? "noMaturePushes" : areReceiptsReported ? nil : Unestimable.noReceipts.rawValue
    receipts = sums.receipts
    overruns = .init(
      kind: "overruns", share: whyNotOverran == nil ? overrun.share : nil,
      medianIntervalSeconds: sums.intervals.quantile(0.5), reason: whyNotOverran)
    lostPushes = .init(
      kind: "lostPushes", share: whyNotLost == nil ? lost.share : nil, sent: sums.sent, rejected: sums.rejected,
      medianIntervalSeconds: nil, reason: whyNotLost)
  }
}

extension Mechanisms.Interference {
  /// Why there is no share of lost pushes where many devices report no arrival, and are brought releases by pushes.
  public static let receiptsPartly = "receiptsPartly"

  /// Whether any push is said to be lost.
  var tellsLosses: Bool { kind == "lostPushes" && share?.value ?? 0 > 0 }

  /// Without the share of lost pushes, where there is one: nobody knows which arrived.
  fileprivate func untold(_ reason: String) -> Self {
    guard share != nil else { return self }
    var copy = self
    (copy.share, copy.reason) = (nil, reason)
    return copy
  }
}
