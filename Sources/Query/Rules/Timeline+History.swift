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

  /// The releases that came before this one where the selection looks, the newest first.
  public func before(_ target: ReleaseRecord, _ selection: Selection) -> [ReleaseRecord] {
    guard let own = firstStart(target, selection) else { return [] }
    return releases.compactMap { record in
      firstStart(record, selection).map { (record: record, at: $0) }
    }
    .filter { $0.at < own && $0.record.id != target.id }
    .sorted { ($0.at, $0.record.label.rawValue) > ($1.at, $1.record.label.rawValue) }
    .map(\.record)
  }
}
