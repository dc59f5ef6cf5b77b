public import Lifecycle

/// What a receiver was, or is to be, told of a release on a channel.
public struct RolloutTold: Equatable, Sendable {
  /// The word of the last verdict; nil where it was told of none.
  public var verdict: String?
  /// How many verdicts.
  public var verdicts = 0
  /// What had happened when that verdict was told.
  public var story: [RolloutFact.Chapter] = []
  /// Since that verdict it was told that the publication was taken back.
  public var isWithdrawn = false
  /// When it was published; another time is news, as of a release that came back.
  public var publishedAt: Timestamp?
  /// When another release took its place; a later time is news.
  public var supersededAt: Timestamp?

  public init() {}
}
