public import Statistics

/// A share of things that come several per device, with what its limits rest on.
public struct Rate: Encodable, Sendable {
  public var count: Int
  public var of: Int
  /// Devices that the `of` belong to.
  public var devices: Int
  public var share: Estimate
  /// Where it happened to none and the share has no limits: it is at most this, at the answer's level.
  @Nullable public var atMost: Double?
  /// How much wider than for independent things the variance is; null where each device has at most one.
  @Nullable public var designEffect: Double?
}

extension Rate {
  /// Of none, as nobody knows how many there were.
  func unknown(_ reason: Unestimable) -> Rate {
    Rate(
      count: 0, of: 0, devices: 0, share: .missing(reason, level: share.level, method: share.method), atMost: nil,
      designEffect: nil)
  }
}

/// The sums behind a rate.
struct RateSums: Mergeable, Sendable {
  private(set) var ratio = ClusteredRatio()
  /// Devices with more than one.
  private var clustered = 0

  /// One device: so many of so many.
  mutating func add(_ count: Int, of total: Int) {
    ratio.add(Int64(count), of: Int64(total))
    if total > 1 { clustered += 1 }
  }

  mutating func add(_ other: Self, times: Int) {
    ratio.add(other.ratio, times: Int64(times))
    clustered += times * other.clustered
  }

  /// For a summary; the order is frozen, files that hold them are in the world.
  var stored: [Int64] { ratio.sums + [Int64(clustered)] }
  static let storedCount = ClusteredRatio.sumCount + 1

  /// nil where they are not as many as there should be.
  init?(stored: some Collection<Int64>) {
    guard let ratio = ClusteredRatio(sums: stored.dropLast()),
      let last = stored.dropFirst(ClusteredRatio.sumCount).first
    else { return nil }
    (self.ratio, clustered) = (ratio, Int(last))
  }

  init() {}

  /// Wilson's limits where no device has more than one, else limits from the variance between devices.
  func rate(level: Double) -> Rate {
    let proportion = Proportion(ratio.successes, of: ratio.trials)
    return Rate(
      count: Int(ratio.successes), of: Int(ratio.trials), devices: Int(ratio.clusters),
      share: clustered > 0 ? ratio.estimate(level: level) : proportion.wilson(level: level),
      atMost: clustered > 0 ? ratio.boundWithoutEvents(level: level) : nil,
      designEffect: clustered > 0 ? ratio.designEffect : nil)
  }
}
