import Lifecycle
public import Store

extension Timeline {
  /// When a release first came to any of the channels and platforms that a selection looks at; nil: never.
  func firstStart(_ record: ReleaseRecord, _ selection: Selection) -> Timestamp? {
    let channels = selection.channels.isEmpty ? self.channels : selection.channels
    let platforms = selection.platforms.isEmpty ? [nil] : selection.platforms.map(Optional.some)
    return channels.flatMap { channel in
      platforms.compactMap { start(record.id, channel: channel, platform: $0)?.publishedAt }
    }.min()
  }

  /// The releases that came before this one where the selection looks, on channels of its own, the newest first.
  public func before(_ target: ReleaseRecord, _ selection: Selection) -> [ReleaseRecord] {
    var selection = selection
    if selection.channels.isEmpty { selection.channels = channels(of: target.id) }
    guard !selection.channels.isEmpty, let own = firstStart(target, selection) else { return [] }
    return releases.compactMap { record in
      firstStart(record, selection).map { (record: record, at: $0) }
    }
    .filter { $0.at < own && $0.record.id != target.id && !misspelt.contains($0.record.id) }
    .sorted { ($0.at, $0.record.label.rawValue) > ($1.at, $1.record.label.rawValue) }
    .map(\.record)
  }

  /// Those of them that say what is usual: a release that was halted does not, nor one that was halted on some platform, where
  /// there are others. The newest first.
  public func precedents(of target: ReleaseRecord, _ selection: Selection) -> [ReleaseRecord] {
    let (instant, platforms) = (selection.now, selection.platforms)
    func channels(_ record: ReleaseRecord) -> [String] {
      selection.channels.isEmpty ? self.channels(of: record.id) : selection.channels
    }
    let open = before(target, selection).filter { record in
      !channels(record).allSatisfy { isHalted(record.id, channel: $0, platforms: platforms, at: instant) }
    }
    let untouched = open.filter { record in
      !channels(record).contains { isHaltedSomewhere(record.id, channel: $0, platforms: platforms, at: instant) }
    }
    return untouched.isEmpty ? open : untouched
  }

  /// The one of these that its speed is held against: the newest that was the channel's long enough.
  func precedent(of target: ReleaseRecord, _ selection: Selection) -> ReleaseRecord? {
    let all = precedents(of: target, selection)
    return all.first { lived($0, selection) >= Self.fewestHours } ?? all.first
  }

  /// A release that was replaced sooner tells hardly anything of speed.
  private static let fewestHours = Milliseconds.hours(6)

  private func lived(_ record: ReleaseRecord, _ selection: Selection) -> Milliseconds {
    guard let start = firstStart(record, selection) else { return .seconds(0) }
    let next = selection.channels.compactMap { channel in
      replacedAt(record.id, channel: channel, platforms: selection.platforms)
    }.min()
    return min(next ?? selection.now, selection.now) - start
  }
}
