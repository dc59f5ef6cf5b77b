public import Lifecycle
import Store

/// How far a rollout has come on a channel, where platforms may have got the release apart.
extension Timeline {
  /// Where platforms differ, on the one where it is furthest; nil before the publication.
  ///
  /// - Parameter platform: nil for all.
  func percent(_ id: Int64, channel: String, platform: String?, at instant: Timestamp) -> Double? {
    starts(id, channel: channel, platform: platform).compactMap { $0.percent(at: instant) }.max()
  }

  /// From when on no other device may have it, on any platform.
  public func haltedAt(_ id: Int64, channel: String, platform: String?) -> Timestamp? {
    let halts = starts(id, channel: channel, platform: platform).map(\.haltedAt)
    return halts.allSatisfy { $0 != nil } ? halts.compactMap(\.self).max() : nil
  }

  func isHalted(_ id: Int64, channel: String, platform: String?, at instant: Timestamp) -> Bool {
    haltedAt(id, channel: channel, platform: platform).map { $0 <= instant } ?? false
  }

  /// Each publication on the channel; of a release that nobody registered the one that stands in.
  private func starts(_ id: Int64, channel: String, platform: String?) -> [Start] {
    let apart = releases.first { $0.id == id }?.publications.filter { $0.channel == channel } ?? []
    if platform == nil, !apart.isEmpty { return apart.map(Start.init) }
    return [start(id, channel: channel, platform: platform)].compactMap(\.self)
  }
}

extension [String] {
  /// nil where there are none, or several.
  var onlyOne: String? { count == 1 ? self[0] : nil }
}
