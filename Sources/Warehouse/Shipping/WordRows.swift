import Store

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
