import Store

extension RowWriter {
  /// One row of the inlet; nothing where the file does not say what the event's numbers stand for.
  mutating func add(_ event: ShippedEvent, _ words: ShippedWords, node: UInt64) {
    guard let context = words.contexts[event.context] else { return }
    add(node)
    add(event.sequence)
    add(event.identity)
    add(context.app)
    add(event.device)
    add(event.at)
    add(event.received ?? .min)
    add(context.channel)
    add(context.network)
    add(context.networkText)
    add(context.profile)
    add(context.platform)
    add(words.releaseHashes[event.release] ?? 0)
    add(words.releaseHashes[event.from] ?? 0)
    add(event.stage)
    add(event.trigger)
    add(event.outcome)
    add(words.names[event.reason] ?? 0)
    add(event.duration.map { max(-1, $0) } ?? -1)
    add(event.bytes ?? -1)
    add(Int8(truncatingIfNeeded: event.bucket ?? -1))
    add(event.push)
    endRow()
  }
}

extension ShippedWords {
  func know(_ event: ShippedEvent) -> Bool {
    contexts[event.context] != nil && (event.release == 0 || releaseHashes[event.release] != nil)
      && (event.from == 0 || releaseHashes[event.from] != nil) && (event.reason == 0 || names[event.reason] != nil)
  }
}

/// What the hashes in rows of events stand for.
enum WordRows {
  static func texts(_ words: ShippedWords) -> RowWriter {
    rows(words.texts.sorted { $0.key < $1.key }) { rows, word in
      rows.add(word.key)
      rows.add(word.value)
    }
  }

  static func profiles(_ words: ShippedWords) -> RowWriter {
    rows(words.profiles) { rows, profile in
      let fields = profile.fields
      let texts = [fields.platform, fields.osVersion, fields.appVersion, fields.sdkVersion, fields.arm, fields.traits]
      rows.add(profile.hash)
      for text in texts { rows.add(text ?? "") }
      rows.add(texts.indices.reduce(UInt8(0)) { $0 | (texts[$1] == nil ? 0 : 1 << UInt8($1)) })
      rows.add(fields.emulator.map { $0 ? 1 : 0 } ?? Int8(-1))
    }
  }

  static func releases(_ words: ShippedWords) -> RowWriter {
    rows(words.releases) { rows, release in
      rows.add(release.hash)
      rows.add(release.app)
      rows.add(release.label)
    }
  }

  private static func rows<One>(_ list: [One], _ add: (inout RowWriter, One) -> Void) -> RowWriter {
    var rows = RowWriter()
    for one in list {
      add(&rows, one)
      rows.endRow()
    }
    return rows
  }
}
