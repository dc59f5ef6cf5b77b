internal import Console
internal import Lifecycle
internal import Report
internal import Store

/// Rows of single events.
extension StoredEvent {
  static let columns: [Parquet.Column] = [
    .init("sequence", .integer), .init("at", .instant), .init("received", .instant), .init("device", .text),
    .init("app", .text), .init("channel", .text), .init("stage", .text), .init("trigger", .text),
    .init("outcome", .text),
    .init("release", .text), .init("from", .text), .init("reason", .text), .init("platform", .text),
    .init("osVersion", .text), .init("appVersion", .text), .init("sdkVersion", .text), .init("network", .text),
    .init("arm", .text), .init("emulator", .flag), .init("durationMs", .integer), .init("bytes", .integer),
    .init("bucket", .integer), .init("region", .text), .init("deviceModel", .text), .init("tags", .text),
  ]

  static func values(_ events: [StoredEvent]) -> [Parquet.Values] {
    [
      .integer(events.map(\.sequence)), .instant(events.map(\.at.rawValue)),
      .instant(events.map { $0.received?.rawValue }), .text(events.map { hexadecimal($0.device.rawValue) }),
      .text(events.map(\.app)), .text(events.map(\.channel)), .text(events.map(\.stage.rawValue)),
      .text(events.map(\.trigger.rawValue)), .text(events.map { $0.outcome?.rawValue }), .text(events.map(\.release)),
      .text(events.map(\.from)), .text(events.map(\.reason)), .text(events.map(\.platform)),
      .text(events.map(\.osVersion)), .text(events.map(\.appVersion)), .text(events.map(\.sdkVersion)),
      .text(events.map(\.network)), .text(events.map(\.arm)), .flag(events.map(\.isEmulator)),
      .integer(events.map { $0.duration?.rawValue }), .integer(events.map(\.bytes)), .integer(events.map(\.bucket)),
      .text(events.map { $0.traits[DeviceTraits.region] }), .text(events.map { $0.traits[DeviceTraits.deviceModel] }),
      .text(events.map { $0.traits.tags?.text(.compact) }),
    ]
  }
}

extension DeviceTraits {
  /// As JSON, for programs that look into it; nil where there is none.
  fileprivate var tags: JSON? {
    let tags = values.filter { $0.key.hasPrefix(Self.tag) }
    guard !tags.isEmpty else { return nil }
    return .object(
      Dictionary(uniqueKeysWithValues: tags.map { (String($0.key.dropFirst(Self.tag.count)), .string($0.value)) }))
  }
}
