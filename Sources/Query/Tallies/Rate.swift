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
struct RateSums: Sendable {
  private(set) var ratio = ClusteredRatio()
  private var isClustered = false

  /// One device: so many of so many.
  mutating func add(_ count: Int, of total: Int) {
    ratio.add(Int64(count), of: Int64(total))
    if total > 1 { isClustered = true }
  }

  mutating func add(_ other: Self) {
    ratio.merge(other.ratio)
    isClustered = isClustered || other.isClustered
  }

  /// Wilson's limits where no device has more than one, else limits from the variance between devices.
  func rate(level: Double) -> Rate {
    let proportion = Proportion(ratio.successes, of: ratio.trials)
    return Rate(
      count: Int(ratio.successes), of: Int(ratio.trials), devices: Int(ratio.clusters),
      share: isClustered ? ratio.estimate(level: level) : proportion.wilson(level: level),
      designEffect: isClustered ? ratio.designEffect : nil)
  }
}
