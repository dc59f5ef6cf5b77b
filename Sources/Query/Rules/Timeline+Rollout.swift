public import Lifecycle
import Store

/// How far a rollout has come on a channel, where platforms may have got the release apart.
///
/// Of the platforms that are named, or of all where none are.
extension Timeline {
  /// How a release came to a platform; to all that have no publication of their own where it names none.
  public struct PlatformStart: Equatable, Sendable {
    public var platform: String?
    public var start: Start
  }

  /// When it came to the first of them.
  func start(_ id: Int64, channel: String, platforms: [String]) -> Start? {
    if platforms.isEmpty { return start(id, channel: channel, platform: nil) }
    return starts(id, channel: channel, platforms: platforms).map(\.start).min { $0.publishedAt < $1.publishedAt }
  }

  func progress(_ id: Int64, channel: String, platforms: [String], at instant: Timestamp) -> RolloutProgress {
    RolloutProgress(starts(id, channel: channel, platforms: platforms), at: instant)
  }

  /// From when on no other device may have it, on any of them.
  public func haltedAt(_ id: Int64, channel: String, platforms: [String] = []) -> Timestamp? {
    let halts = starts(id, channel: channel, platforms: platforms).map(\.start.haltedAt)
    return halts.allSatisfy { $0 != nil } ? halts.compactMap(\.self).max() : nil
  }

  func isHalted(_ id: Int64, channel: String, platforms: [String], at instant: Timestamp) -> Bool {
    haltedAt(id, channel: channel, platforms: platforms).map { $0 <= instant } ?? false
  }

  func isHaltedSomewhere(_ id: Int64, channel: String, platforms: [String], at instant: Timestamp) -> Bool {
    starts(id, channel: channel, platforms: platforms).contains { $0.start.haltedAt.map { $0 <= instant } ?? false }
  }

  /// Each publication on the channel; of a release that nobody registered the one that stands in.
  public func starts(_ id: Int64, channel: String, platforms: [String] = []) -> [PlatformStart] {
    let apart = record(id)?.publications.filter { $0.channel == channel } ?? []
    if platforms.isEmpty, !apart.isEmpty {
      return apart.map { PlatformStart(platform: $0.platform, start: Start($0)) }
    }
    let asked = platforms.isEmpty ? [nil] : platforms.map(Optional.some)
    return asked.compactMap { platform in
      start(id, channel: channel, platform: platform).map { PlatformStart(platform: platform, start: $0) }
    }
  }
}

extension [String] {
  /// nil where there are none, or several.
  var onlyOne: String? { count == 1 ? self[0] : nil }

  /// Of platforms to look at: all where none are named, and an empty name is for devices that name none.
  func include(_ platform: String?) -> Bool { isEmpty || contains(platform ?? "") }
}
