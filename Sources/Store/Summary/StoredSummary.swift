internal import Lifecycle

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
  func generation() throws(StoreError) -> Int64 { try Generation.read(connection) }

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
    ).first(.integer(appID)) { row -> SummaryState? in
      VersionedGround(stored: row.text(4)).map { ground in
        SummaryState(
          folded: row.integer(0), since: Timestamp(rawValue: row.integer(1)),
          until: Timestamp(rawValue: row.integer(2)),
          dataThrough: row.optionalInteger(3).map(Timestamp.init(rawValue:)), ground: ground.text)
      }
    } ?? nil
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
    guard let app = appID(app).map(kind.key), let version = try SummaryRows.version(connection, app) else { return [] }
    var parts: [SummaryPart] = []
    for release in releases {
      parts += try SummaryRows.parts(connection, app, release: release, numbers, upTo: version)
    }
    for part in parts where part.packed.withUnsafeBytes(PackedColumn.count) == nil {
      throw StoreError(
        .corrupt, path: connection.path,
        reason: "table summary, app \(app), release \(part.release), column \(part.number): is no packed column")
    }
    return parts
  }
}

extension Snapshot {
  /// Keeps a summary of this snapshot where it came from, and ends the snapshot: the log of a file grows as long as somebody reads,
  /// and writing takes long.
  public consuming func keep(
    _ state: SummaryState, _ parts: [SummaryPart], app: String, as kind: SummaryKind = .whole
  ) throws(StoreError) {
    if let remote {
      if let id = appID(app) { try remote.keep(state, parts, id) }
      return
    }
    let (path, generation) = (connection.path, try generation())
    _ = consume self
    try SummaryWriter(path: path).store(state, parts, app: app, generation: generation, as: kind)
  }
}
