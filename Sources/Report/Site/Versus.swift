public import Query

/// The newest release of a channel held against the one before it there.
public struct Versus: Sendable {
  public var channel: String
  public var release: String
  /// nil where the channel had no release before, and nothing is compared.
  public var other: String?
  /// At `ages`, as far as both have lived.
  public var compared: Asked<Compare>?

  public init(channel: String, release: String, other: String?, compared: Asked<Compare>?) {
    (self.channel, self.release, self.other, self.compared) = (channel, release, other, compared)
  }

  /// Of more a page would be too long to be read.
  public static let mostChannels = 12
  /// In seconds.
  public static let ages: [Int64] = [1, 3, 6, 12, 24, 48, 72, 168].map { $0 * 3600 }
}
