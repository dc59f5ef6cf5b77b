public import Query

/// What the explorer chooses among: adoption of the newest releases, split in every way that it offers.
public struct Explored: Sendable {
  /// One answer: each of its rows is a cut.
  public struct Split: Sendable {
    public var release: String
    public var by: [Grouping]
    public var asked: Asked<Counted<Adoption>>

    public init(release: String, by: [Grouping], asked: Asked<Counted<Adoption>>) {
      (self.release, self.by, self.asked) = (release, by, asked)
    }
  }

  /// Releases with all their splits, newest first.
  public var splits: [Split]
  /// How many releases are older than those.
  public var older: Int

  public init(splits: [Split], older: Int) { (self.splits, self.older) = (splits, older) }

  /// What devices can be chosen by.
  public static let parts: [Grouping] = [.channel, .platform, .appVersion]
  /// Every set of them, the smallest first.
  public static let groupings: [[Grouping]] = (0...parts.count).flatMap { size in
    (0..<1 << parts.count).map { set in parts.indices.filter { set >> $0 & 1 == 1 }.map { parts[$0] } }
      .filter { $0.count == size }
  }
  public static let mostReleases = 12
  /// In seconds.
  public static let ages: [Int64] = [1, 6, 24, 72, 168].map { $0 * 3600 }
  /// Of a curve.
  public static let points = 48
}
