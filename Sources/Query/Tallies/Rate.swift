public import Statistics

/// A share of things that come several per device, with what its limits rest on.
public struct Rate: Encodable, Sendable {
  public var count: Int
  public var of: Int
  /// Devices that the `of` belong to.
  public var devices: Int
  public var share: Estimate
  /// How much wider than for independent things the variance is; null where each device has at most one.
  @Nullable public var designEffect: Double?
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

  /// Wilson's limits where no device has more than one, else limits from the variance between devices.
  func rate(level: Double) -> Rate {
    let proportion = Proportion(ratio.successes, of: ratio.trials)
    return Rate(
      count: Int(ratio.successes), of: Int(ratio.trials), devices: Int(ratio.clusters),
      share: clustered > 0 ? ratio.estimate(level: level) : proportion.wilson(level: level),
      designEffect: clustered > 0 ? ratio.designEffect : nil)
  }
}
