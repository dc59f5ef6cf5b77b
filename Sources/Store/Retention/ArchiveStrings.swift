import Lifecycle

/// The strings of an archive: contexts, releases, names, in order of their numbers.
extension Archive {
  static func appendStrings(_ events: ArchivedEvents, to bytes: inout [UInt8]) {
    let hasTraits = holdsTraits(events)
    ArchiveBytes.append(UInt64(events.contexts.count), width: 4, to: &bytes)
    for (id, context) in events.contexts.sorted(by: { $0.key < $1.key }) {
      ArchiveBytes.append(UInt64(id), width: 8, to: &bytes)
      for text in [
        context.app, context.channel, context.platform, context.osVersion, context.appVersion, context.sdkVersion,
        context.network, context.arm,
      ] {
        ArchiveBytes.append(text, to: &bytes)
      }
      ArchiveBytes.append(context.emulator.map { $0 ? 2 : 1 } ?? 0, width: 1, to: &bytes)
      if hasTraits { ArchiveBytes.append(context.traits, to: &bytes) }
    }
    ArchiveBytes.append(UInt64(events.releases.count), width: 4, to: &bytes)
    for (id, release) in events.releases.sorted(by: { $0.key < $1.key }) {
      ArchiveBytes.append(UInt64(id), width: 8, to: &bytes)
      ArchiveBytes.append(release.app, to: &bytes)
      ArchiveBytes.append(release.label, to: &bytes)
    }
    ArchiveBytes.append(UInt64(events.names.count), width: 4, to: &bytes)
    for (id, name) in events.names.sorted(by: { $0.key < $1.key }) {
      ArchiveBytes.append(UInt64(id), width: 8, to: &bytes)
      ArchiveBytes.append(name, to: &bytes)
    }
  }

  /// Where no event names any, the archive is one that older programs read.
  static func holdsTraits(_ events: ArchivedEvents) -> Bool { events.contexts.values.contains { $0.traits != nil } }

  static func strings(
    _ reader: inout ArchiveBytes, hasTraits: Bool
  ) throws(DamagedArchive) -> ArchivedEvents {
    var events = ArchivedEvents()
    for _ in 0..<(try reader.number(width: 4)) {
      let id = try reader.signed()
      events.contexts[id] = try context(&reader)
      if hasTraits { events.contexts[id]?.traits = try reader.text() }
    }
    for _ in 0..<(try reader.number(width: 4)) {
      let id = try reader.signed()
      events.releases[id] = Interner.ReleaseKey(app: try reader.text() ?? "", label: try reader.text() ?? "")
    }
    for _ in 0..<(try reader.number(width: 4)) {
      let id = try reader.signed()
      events.names[id] = try reader.text() ?? ""
    }
    return events
  }

  private static func context(_ reader: inout ArchiveBytes) throws(DamagedArchive) -> Context {
    var context = Context(app: try reader.text() ?? "", channel: try reader.text() ?? "")
    context.platform = try reader.text()
    context.osVersion = try reader.text()
    context.appVersion = try reader.text()
    context.sdkVersion = try reader.text()
    context.network = try reader.text()
    context.arm = try reader.text()
    let emulator = try reader.number(width: 1)
    context.emulator = emulator == 0 ? nil : emulator == 2
    return context
  }
}
