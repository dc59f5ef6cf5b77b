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
  /// That all of them were asked about, in seconds.
  public var ages: [Int64]

  public init(splits: [Split], older: Int, ages: [Int64]) {
    (self.splits, self.older, self.ages) = (splits, older, ages)
  }

  /// What devices can be chosen by.
  public static let parts: [Grouping] = [.channel, .platform, .appVersion]
  /// Every set of them, the smallest first.
  public static let groupings: [[Grouping]] = (0...parts.count).flatMap { size in
    (0..<1 << parts.count).map { set in parts.indices.filter { set >> $0 & 1 == 1 }.map { parts[$0] } }
      .filter { $0.count == size }
  }
  public static let mostReleases = 12
  /// Of the table, in seconds.
  public static let usual: [Int64] = [1, 6, 24, 72, 168].map { $0 * 3600 }
  /// Of a curve, of which those are kept that its picture needs.
  public static let points = 300

  /// What readers can ask about: the usual ages, and others up to what releases were followed for, farther and farther apart.
  public static func ages(upTo followed: Int64) -> [Int64] {
    let grid: [(step: Int64, until: Int64)] = [(1, 12), (3, 48), (6, 96), (12, 168), (24, 672), (168, 4368)]
    var (hours, last) = ([Int64](), Int64(0))
    for (step, until) in grid {
      hours += stride(from: last + step, through: until, by: Int(step))
      last = until
    }
    return hours.map { $0 * 3600 }.filter { $0 <= followed || usual.contains($0) }
  }
}
