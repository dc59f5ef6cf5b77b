import Glibc

/// A share of trials that come several per device: Σl/Σm over devices, which need not be independent within one.
///
/// Mergeable: only sums are kept.
public struct ClusteredRatio: Hashable, Sendable {
  public private(set) var clusters: Int64 = 0
  public private(set) var successes: Int64 = 0
  public private(set) var trials: Int64 = 0
  private var successSquares = 0.0
  private var products = 0.0
  private var trialSquares = 0.0

  public init() {}

  /// One device: so many successes among so many trials; a device without trials does not count.
  public mutating func add(_ successes: Int64, of trials: Int64) {
    guard trials > 0 else { return }
    let (l, m) = (Double(successes), Double(trials))
    clusters += 1
    self.successes += successes
    self.trials += trials
    successSquares += l * l
    products += l * m
    trialSquares += m * m
  }

  /// - Parameter times: -1 takes out what was put in; the squares of counts are whole, so exactly.
  public mutating func add(_ other: ClusteredRatio, times: Int64 = 1) {
    clusters += times * other.clusters
    successes += times * other.successes
    trials += times * other.trials
    successSquares += Double(times) * other.successSquares
    products += Double(times) * other.products
    trialSquares += Double(times) * other.trialSquares
  }

  public static let sumCount = 6

  /// All that it is made of, to be kept; the squares of counts are whole.
  public var sums: [Int64] {
    [clusters, successes, trials] + [successSquares, products, trialSquares].map { Int64($0) }
  }

  /// nil where they are not as many as `sums` gives.
  public init?(sums: some Collection<Int64>) {
    let numbers = Array(sums)
    guard numbers.count == Self.sumCount else { return nil }
    (clusters, successes, trials) = (numbers[0], numbers[1], numbers[2])
    (successSquares, products, trialSquares) = (Double(numbers[3]), Double(numbers[4]), Double(numbers[5]))
  }

  public var share: Double? { trials > 0 ? Double(successes) / Double(trials) : nil }

  /// Var p = D/(D - 1) Σ(l - p m)²/(Σm)²; nil for fewer than two devices.
  var variance: Double? {
    guard let p = share, clusters > 1 else { return nil }
    let squares = max(successSquares - 2 * p * products + p * p * trialSquares, 0)
    return Double(clusters) / Double(clusters - 1) * squares / (Double(trials) * Double(trials))
  }

  /// How many times wider than for independent trials the variance is; nil where either is 0 or unknown.
  public var designEffect: Double? {
    guard let p = share, let variance, p > 0, p < 1 else { return nil }
    return variance / (p * (1 - p) / Double(trials))
  }

  /// The upper limit where no trial succeeded; else nil.
  ///
  /// As if all trials of a device ended alike: the exact limit of so many devices as (Σm)²/Σm² (Kish, Survey Sampling, 1965),
  /// which are all of them where each has equally many trials.
  public func boundWithoutEvents(level: Double) -> Double? {
    guard successes == 0, trials > 0 else { return nil }
    return Proportion.boundWithoutEvents(among: Int64(Double(trials) * Double(trials) / trialSquares), level: level)
  }

  /// Limits on the logit scale; none where no device or every device always succeeded.
  public func estimate(level: Double) -> Estimate {
    let bare = { (reason: Unestimable) in Estimate(share, level: level, method: .clusteredLogit, reason: reason) }
    guard let p = share else { return bare(.nothingAtRisk) }
    guard let variance else { return bare(.tooFew) }
    guard p > 0, p < 1 else { return bare(p > 0 ? .allEvents : .noEvents) }
    guard variance > 0 else { return bare(.noVariation) }
    let margin = normalQuantile(level: level) * variance.squareRoot() / (p * (1 - p))
    let logit = log(p / (1 - p))
    return Estimate(
      p, lo: 1 / (1 + exp(margin - logit)), hi: 1 / (1 + exp(-margin - logit)), level: level, method: .clusteredLogit)
  }
}
