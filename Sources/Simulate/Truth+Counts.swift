public import Lifecycle

extension Truth {
  /// Whose times to update are counted.
  public enum Population: Sendable {
    /// Devices leave when they are uninstalled or abandoned, which only a simulation can know.
    case living
    /// Everybody ever heard of: who leaves without a word stays.
    case heardOf
  }

  /// Times to update of devices, by whole minutes since their clock started.
  public struct Times: Sendable {
    public private(set) var devices = 0
    private var updated: [UInt8: [Int32: Int]] = [:]
    private var left: [Int32: Int] = [:]

    init(_ pages: [TimesToUpdate]) {
      for page in pages {
        devices += page.eligible
        for (mechanism, counts) in page.updated { updated[mechanism, default: [:]].merge(counts, uniquingKeysWith: +) }
        for counts in page.left.values { left.merge(counts, uniquingKeysWith: +) }
      }
    }

    private var limit: ProductLimit { ProductLimit(eligible: devices, updated: updated, left: left) }

    /// The share that had updated by an age, and the part of each mechanism.
    public func share(byHours hours: Int) -> (all: Double, byMechanism: [Trigger: Double]) {
      let (share, parts) = limit.at(hours: Int32(hours))
      let byMechanism = parts.compactMap { code, part in Trigger(code: code).map { ($0, part) } }
      return (share, Dictionary(uniqueKeysWithValues: byMechanism))
    }

    /// The middle of the minute by which this share had updated, in seconds; nil when it was not reached.
    public func quantile(_ share: Double) -> Double? { limit.quantile(share).map { (Double($0) + 0.5) * 60 } }
  }

  /// Exactly this release on a channel, all platforms together.
  public func times(of release: String, on channel: String, _ population: Population) -> Times {
    Times(
      pages(of: release, on: channel).map {
        switch population {
        case .living: $0.exactly
        case .heardOf: $0.heardOf
        }
      })
  }

  /// Devices whose first download began an hour or more before the end, and those whose attempt failed.
  public func firstAttempts(of release: String, on channel: String) -> (devices: Int, failed: Int) {
    pages(of: release, on: channel).reduce((0, 0)) { ($0.0 + $1.attempts.started, $0.1 + $1.attempts.failed) }
  }

  /// Pushes that can be judged, and those of them that never arrived.
  public var pushes: (answerable: Int, lost: Int) {
    ledger.pushes.reduce((0, 0)) { ($0.0 + $1.answerable, $0.1 + $1.lost) }
  }

  private func pages(of release: String, on channel: String) -> [Ledger.Page] {
    ledger.pages.filter { page in
      let offer = world.offers[page.offer]
      return world.releases[offer.release].label == release
        && world.scenario.channels[Int(offer.channel)].name == channel
    }
  }
}
