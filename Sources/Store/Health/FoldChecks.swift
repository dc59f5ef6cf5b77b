import Lifecycle

/// Checks of what is derived from events, and of events that left.
enum FoldChecks {
  static func lag(_ connection: borrowing Connection, now: Timestamp) throws(StoreError) -> Word {
    let watermark = try connection.snapshot { () throws(StoreError) in
      let watermark = try Watermark.read(connection)
      try Removed.requireNone(after: watermark, connection)
      return watermark
    }
    let oldest = try connection.prepare("SELECT received FROM event WHERE seq > ? ORDER BY seq LIMIT 1")
    let waiting = try connection.prepare("SELECT count(*) FROM event WHERE seq > ?").first(.integer(watermark)) {
      $0.integer(0)
    }
    guard let waiting, waiting > 0 else { return .ok("everything up to event \(watermark) is folded") }
    let since = try oldest.first(.integer(watermark)) { $0.optionalInteger(0) } ?? nil
    let minutes = since.map { (now - Timestamp(stored: $0)).rawValue / 60_000 } ?? 0
    let words = "\(counted(Int(waiting), one: "event waits", many: "events wait")), the oldest for \(minutes) min"
    return waiting > 2_000_000 || minutes > 60
      ? .warn(words + ": every question folds them again", fix: "start uptake serve, or import something") : .ok(words)
  }

  /// One shard, another every day; all of them in a full examination.
  static func shards(_ examination: Examination) throws(StoreError) -> Word {
    let shard = examination.isFull ? nil : Int(examination.now.seconds / 86_400 & 63)
    let connection = try Connection(path: examination.path, mode: .read)
    try Schema.requireCurrent(connection)
    let different = try FreshFold.differences(connection, shard: shard)
    let which = shard.map { "shard \($0) of 64" } ?? "all shards"
    return different.isEmpty
      ? .ok("\(which): as a fresh fold of the events makes them")
      : .fail(
        "\(which): \(different.joined(separator: ", ")) differ from a fresh fold of the events",
        fix: "restore a backup; please report this")
  }

  /// - Parameter isFull: reads every archive instead of looking for its file.
  static func archives(_ connection: borrowing Connection, isFull: Bool) throws(StoreError) -> Word {
    let removed = try Removed.all(connection).filter { $0.state != .planned || $0.archive == nil }
    let missing = removed.compactMap(\.archive).filter { !DurableFile.exists($0) }
    if let first = missing.first {
      let place = missing.count == 1 ? first : DurableFile.directory(of: first)
      return .warn(
        "\(counted(missing.count, one: "is not where it was", many: "are not where they were")), such as \(first)",
        fix: "\(Remedy.lostArchive(place, of: connection.path)); until then uptake forget cannot reach it")
    }
    if isFull, let word = try unreadable(removed, connection) { return word }
    if isFull, let word = try stray(connection) { return word }
    let begun = try Removed.all(connection).count { $0.state != .gone }
    if begun > 0 {
      return .warn(
        "\(counted(begun, one: "removal is", many: "removals are")) half done", fix: "run uptake retain again")
    }
    return .ok("\(removed.count { $0.archive != nil }) hold \(removed.reduce(0) { $0 + $1.events }) events")
  }

  private static func stray(_ connection: borrowing Connection) throws(StoreError) -> Word? {
    guard let path = try StrayArchives.first(connection, IdentityKeys.required(connection)) else { return nil }
    return .warn(
      "\(path) is an archive that no retention names any more, so that uptake forget does not reach it",
      fix: "delete it where its events were put back; else uptake import it first")
  }

  private static func unreadable(
    _ removed: [Removed], _ connection: borrowing Connection
  ) throws(StoreError) -> Word? {
    let keys = try IdentityKeys.required(connection)
    var problems: [String] = []
    for path in removed.compactMap(\.archive) {
      do throws(StoreError) { _ = try Archive.load(path, keys) } catch { problems.append(error.description) }
    }
    guard let first = problems.first else { return nil }
    return .fail(
      "\(problems.count) cannot be read, the first: \(first)", fix: "copy them again from where they were kept")
  }
}
