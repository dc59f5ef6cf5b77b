public import Lifecycle

/// What holds for a whole summary: from which events it was made, and for which questions.
public struct SummaryState: Equatable, Sendable {
  /// The number of the last event in it; of another engine, the number of its state.
  public var folded: Int64
  /// The cut-offs for which it holds, both included.
  public var since: Timestamp
  public var until: Timestamp
  public var dataThrough: Timestamp?
  /// Everything else that it was made from, in words.
  public var ground: String

  public init(folded: Int64, since: Timestamp, until: Timestamp, dataThrough: Timestamp?, ground: String) {
    self.folded = folded
    self.since = since
    self.until = until
    self.dataThrough = dataThrough
    self.ground = ground
  }
}

/// What a summary is about: all releases, or above all the newest, which is made anew more often while events come in. The latter lies
/// under the number of its app with a minus before it.
public enum SummaryKind: Sendable {
  case whole
  case open

  func key(_ app: Int64) -> Int64 { self == .whole ? app : -app }
}

/// One column of a summary. What its number means is the question's to say.
public struct SummaryPart: Sendable {
  /// 0 where it is about no release.
  public var release: Int64
  public var channel: String
  /// Empty where nobody said.
  public var platform: String
  public var number: Int64
  public let packed: [UInt8]

  /// Unpacked whenever asked for: a column takes ten times the room that its bytes do.
  public var values: [Int64] { packed.withUnsafeBytes(PackedColumn.unpack) }

  public init(release: Int64, channel: String, platform: String, number: Int64, values: [Int64]) {
    self.init(release, channel, platform, number, packed: PackedColumn.pack(values))
  }

  fileprivate init(_ release: Int64, _ channel: String, _ platform: String, _ number: Int64, packed: [UInt8]) {
    self.release = release
    self.channel = channel
    self.platform = platform
    self.number = number
    self.packed = packed
  }

  /// nil where the bytes are no packed column.
  public init?(release: Int64, channel: String, platform: String, number: Int64, packed: [UInt8]) {
    guard packed.withUnsafeBytes(PackedColumn.count) != nil else { return nil }
    self.init(release, channel, platform, number, packed: packed)
  }
}

extension Snapshot {
  /// The number of the last event where all are folded or sorted; nil where others wait.
  public var lastOfWhole: Int64? { waiting.count == 0 ? waiting.last : nil }

  /// The same, or the state of another engine: what a summary made now would hold for; nil where none can be made.
  public func summarisable() throws(StoreError) -> Int64? {
    if let remote { try remote.settledState() } else { lastOfWhole }
  }

  /// The number of the last event that is folded or sorted, so that a summary up to there can be made while others come in;
  /// nil of another engine.
  public var lastSorted: Int64? { isFile ? waiting.sorted : nil }

  /// Changes whenever rows are taken back.
  public func generation() throws(StoreError) -> Int64 { try Generation.read(connection) }

  /// What the summary of an app holds for; nil where there is none that knows every event.
  public func summaryState(app: String) throws(StoreError) -> SummaryState? {
    if let remote { return try appID(app).flatMap { id throws(StoreError) in try remote.summaryState(id) } }
    guard let lastOfWhole else { return nil }
    return try storedState(app, of: lastOfWhole)
  }

  /// The same of one that does not know the last events: what was known of each device up to its last one can be told, too. nil
  /// where there is none.
  public func earlierSummaryState(app: String, _ kind: SummaryKind = .whole) throws(StoreError) -> SummaryState? {
    guard isFile, let state = try storedState(app, kind), waiting.tells(upTo: state.folded) else { return nil }
    return state
  }

  private func storedState(_ app: String, of last: Int64) throws(StoreError) -> SummaryState? {
    try storedState(app, .whole).flatMap { $0.folded == last ? $0 : nil }
  }

  private func storedState(_ app: String, _ kind: SummaryKind) throws(StoreError) -> SummaryState? {
    guard let appID = appID(app).map(kind.key) else { return nil }
    return try connection.prepare(
      "SELECT folded, since, until, data_through, ground FROM summary_state WHERE app = ?"
    ).first(.integer(appID)) { row in
      SummaryState(
        folded: row.integer(0), since: Timestamp(rawValue: row.integer(1)), until: Timestamp(rawValue: row.integer(2)),
        dataThrough: row.optionalInteger(3).map(Timestamp.init(rawValue:)), ground: row.text(4))
    }
  }

  /// The columns about some releases, or with 0 those about none; nil where another summary took its place meanwhile.
  ///
  /// - Parameter numbers: the columns that are read.
  public func summary(
    app: String, releases: [Int64], _ numbers: Range<Int64>, _ kind: SummaryKind = .whole
  ) throws(StoreError) -> [SummaryPart]? {
    if let remote {
      return try appID(app).map { id throws(StoreError) in try remote.summary(id, on: releases, numbers) } ?? []
    }
    var parts: [SummaryPart] = []
    for release in releases { parts += try summary(app: app, release: release, numbers, kind) }
    return parts
  }

  /// Of a file.
  func summary(
    app: String, release: Int64, _ numbers: Range<Int64>, _ kind: SummaryKind = .whole
  ) throws(StoreError) -> [SummaryPart] {
    guard let appID = appID(app).map(kind.key) else { return [] }
    let statement = try connection.prepare(
      """
      SELECT channel, platform, part, packed FROM summary
      WHERE app = ? AND release = ? AND part >= ? AND part < ? ORDER BY 1, 2, 3
      """)
    let parts = try statement.rows(
      .integer(appID), .integer(release), .integer(numbers.lowerBound), .integer(numbers.upperBound)
    ) { row in
      SummaryPart(release, row.text(0), row.text(1), row.integer(2), packed: row.withBlob(3) { Array($0) })
    }
    for part in parts where part.packed.withUnsafeBytes(PackedColumn.count) == nil {
      throw StoreError(
        .corrupt, path: connection.path,
        reason: "table summary, app \(appID), release \(release), part \(part.number): is no packed column")
    }
    return parts
  }
}

extension Snapshot {
  /// Keeps a summary of this snapshot where it came from.
  ///
  /// - Parameter generation: of the snapshot.
  public func keep(
    _ state: SummaryState, _ parts: [SummaryPart], app: String, generation: Int64, as kind: SummaryKind = .whole
  ) throws(StoreError) {
    if let remote {
      if let id = appID(app) { try remote.keep(state, parts, id) }
      return
    }
    try SummaryWriter(path: connection.path).store(state, parts, app: app, generation: generation, as: kind)
  }
}

/// Writes summaries. They are derived: losing one costs time, never an answer.
public struct SummaryWriter: ~Copyable {
  private let connection: Connection

  public init(path: String) throws(StoreError) {
    let connection = try Connection(path: path, mode: .write)
    try Schema.requireCurrent(connection)
    try connection.execute("PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864")
    self.connection = connection
  }

  /// Puts a summary in place of the one before; nothing is written where events were folded or rows taken back meanwhile.
  ///
  /// What it knows is what was known at its last event, which can still be told.
  public func store(
    _ state: SummaryState, _ parts: [SummaryPart], app: String, generation: Int64, as kind: SummaryKind = .whole
  ) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      guard try SummarisedEnd.tells(connection, upTo: state.folded), try Generation.read(connection) == generation,
        let id = try connection.prepare("SELECT id FROM name WHERE text = ?").first(
          .text(app), row: { kind.key($0.integer(0)) })
      else { return }
      try replace(parts, id)
      try connection.prepare("INSERT OR REPLACE INTO summary_state VALUES (?, ?, ?, ?, ?, ?)").run(
        .integer(id), .integer(state.folded), .integer(state.since.rawValue), .integer(state.until.rawValue),
        .optional(state.dataThrough?.rawValue), .text(state.ground))
    }
  }

  /// Columns that are as they were stay: those of releases that nobody waits for are nearly all.
  private func replace(_ parts: [SummaryPart], _ app: Int64) throws(StoreError) {
    let find = try connection.prepare(
      "SELECT packed = ?6 FROM summary WHERE app = ?1 AND release = ?2 AND channel = ?3 AND platform = ?4 AND part = ?5"
    )
    let insert = try connection.prepare("INSERT OR REPLACE INTO summary VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
    for part in parts {
      let values: [Value] = [
        .integer(app), .integer(part.release), .text(part.channel), .text(part.platform), .integer(part.number),
        .blob(part.packed),
      ]
      if try find.first(all: values, row: { $0.integer(0) }) != 1 { try insert.run(all: values) }
    }
    try removeOthers(than: Set(parts.map(SummaryPart.Place.init)), app)
  }

  private func removeOthers(than kept: Set<SummaryPart.Place>, _ app: Int64) throws(StoreError) {
    let rows = try connection.prepare("SELECT rowid, release, channel, platform, part FROM summary WHERE app = ?").rows(
      .integer(app)
    ) { row in
      (
        row: row.integer(0),
        place: SummaryPart.Place(
          release: row.integer(1), channel: row.text(2), platform: row.text(3), number: row.integer(4))
      )
    }
    let delete = try connection.prepare("DELETE FROM summary WHERE rowid = ?")
    for (row, place) in rows where !kept.contains(place) { try delete.run(.integer(row)) }
  }
}

extension SummaryPart {
  fileprivate struct Place: Hashable {
    var release: Int64
    var channel: String
    var platform: String
    var number: Int64
  }
}

extension SummaryPart.Place {
  fileprivate init(_ part: SummaryPart) {
    self.init(release: part.release, channel: part.channel, platform: part.platform, number: part.number)
  }
}
