import Lifecycle

/// What became of the devices that deletion logs name.
struct Replay {
  var forgotten = Forgotten()
  /// Entries of devices that may be in an archive which cannot be read: everything of them stays, so that the archive can be cleaned
  /// once it is back.
  var waiting: [DeletionLog.Entry] = []
  /// Those archives.
  var archives: [String] = []
  /// Why the first of them cannot be read.
  var reason: StoreError?
}

extension Forgetting {
  /// Forgets the devices of logs that the database has not forgotten yet. Who asked for that then, no log says.
  ///
  /// An archive that is away holds up its own devices alone.
  func replay(_ logs: [String], now: Timestamp) throws(StoreError) -> Replay {
    try ArchiveSwap.finish(connection)
    let pending = try DeletionLog.pending(logs, connection)
    guard !pending.isEmpty else { return Replay() }
    let digests = Set(pending.map(\.digest))
    let devices = try Trails.devices(connection).union(Trails.askers(connection)).filter {
      digests.contains(DeletionLog.digest($0, keys))
    }
    do throws(StoreError) {
      return Replay(forgotten: try forgetAgain(devices, pending, isWhole: true, now))
    } catch {
      guard try Removed.all(connection).contains(where: { $0.archive == error.path }) else { throw error }
    }
    return try replayReachable(devices, pending, now)
  }

  private func replayReachable(
    _ devices: Set<UInt64>, _ pending: [DeletionLog.Entry], _ now: Timestamp
  ) throws(StoreError) -> Replay {
    var (replay, waiting) = (Replay(), Set<UInt64>())
    let stretches = try Trails.stretches(devices, connection)
    for removed in try Removed.all(connection) {
      let held = stretches.filter { $0.numbers.overlaps(removed.first...removed.last) }.map { $0.device }
      guard !held.isEmpty, let path = removed.archive, let reason = removed.problem(keys) else { continue }
      waiting.formUnion(held)
      replay.archives.append(path)
      replay.reason = replay.reason ?? reason
    }
    let digests = Set(waiting.map { DeletionLog.digest($0, keys) })
    replay.waiting = pending.filter { digests.contains($0.digest) }
    let others = pending.filter { !digests.contains($0.digest) }
    guard !others.isEmpty else { return replay }
    replay.forgotten = try forgetAgain(devices.subtracting(waiting), others, isWhole: false, now)
    return replay
  }

  private func forgetAgain(
    _ devices: Set<UInt64>, _ entries: [DeletionLog.Entry], isWhole: Bool, _ now: Timestamp
  ) throws(StoreError) -> Forgotten {
    try forget(devices, entries, isWhole: isWhole) { forgotten, connection throws(StoreError) in
      try AuditEntry.write(.forgetAgain, by: .thisUser, at: now, forgotten.auditFacts, connection)
    }
  }
}

extension Snapshot {
  /// How many devices were to be forgotten, and are not yet.
  public func pendingForgetting() throws(StoreError) -> Int {
    isFile ? try DeletionLog.pending([DeletionLog.path(connection.path)], connection).count : 0
  }
}

extension Removed {
  /// Why its archive cannot be read; nil where it can, or where there is none.
  fileprivate func problem(_ keys: IdentityKeys) -> StoreError? {
    guard state != .planned, let archive else { return nil }
    do throws(StoreError) {
      _ = try Archive.load(archive, keys)
      return nil
    } catch { return error }
  }
}
