/// Which of two numbers stands for the name that comes first: where a device said two things at one instant, neither the order
/// in which they arrived nor the numbers that came of it may decide.
public struct NameOrder: Sendable {
  /// Alphabetical places, by number.
  private final class Ranks: Sendable {
    let channels, releases: [Int64: Int]
    init(_ channels: [Int64: Int], _ releases: [Int64: Int]) { (self.channels, self.releases) = (channels, releases) }
  }
  private let ranks: Ranks

  /// - Parameters:
  ///   - channels: the place of each name.
  ///   - releases: in order of their labels.
  init(channels: [Int64: Int], releases: [ReleaseRecord]) {
    ranks = Ranks(
      channels, Dictionary(uniqueKeysWithValues: releases.enumerated().map { (key: $1.id, value: $0) }))
  }

  /// Of nothing; numbers decide.
  static let none = NameOrder(channels: [:], releases: [])

  public func channel(_ one: Int64, precedes other: Int64) -> Bool { Self.precedes(one, other, ranks.channels) }
  public func release(_ one: Int64, precedes other: Int64) -> Bool { Self.precedes(one, other, ranks.releases) }

  private static func precedes(_ one: Int64, _ other: Int64, _ ranks: [Int64: Int]) -> Bool {
    (ranks[one] ?? -1, one) < (ranks[other] ?? -1, other)
  }
}
