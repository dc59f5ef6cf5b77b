import Lifecycle
import Store

/// A release beside the one that is judged that a channel got rid of lately, or should have.
struct GoneRelease {
  let record: ReleaseRecord
  /// `harmful` until its launches say otherwise.
  let fault: Verdict.StillRun.Fault
  let since: Timestamp
}

extension Timeline {
  /// Those before it that were halted, and those that it replaced: within the reach window, as what devices still run of others is told
  /// where it is asked for. And whatever was withdrawn there.
  func gone(beside target: ReleaseRecord, on channel: String, _ selection: Selection) -> [GoneRelease] {
    let (now, platforms) = (selection.now, selection.platforms)
    func isLate(_ instant: Timestamp) -> Bool { instant <= now && now - instant < selection.reachWindow }
    let before = before(target, selection).prefix(Self.lookedBefore).compactMap { record -> GoneRelease? in
      if record.withdrawnAt(channel, platforms, until: now) != nil { return nil }
      if let halted = haltedAt(record.id, channel: channel, platforms: platforms), halted <= now {
        return GoneRelease(record: record, fault: .halted, since: halted)
      }
      // What the others still get has a verdict of its own.
      guard let replaced = replacedAt(record.id, channel: channel, platforms: platforms),
        !isRest(record.id, on: channel, platforms: platforms, at: now)
      else { return nil }
      return GoneRelease(record: record, fault: .harmful, since: replaced)
    }
    let withdrawn = named.filter { $0.id != target.id }.compactMap { record in
      record.withdrawnAt(channel, platforms, until: now).map {
        GoneRelease(record: record, fault: .withdrawn, since: $0)
      }
    }
    return (before + withdrawn).filter { isLate($0.since) }
  }

  /// As many as set limits.
  private static let lookedBefore = 5
}

extension ReleaseRecord {
  /// When it was last taken back from a channel, on one of some platforms where any are named; nil where it is published there, and
  /// where it never was.
  func withdrawnAt(_ channel: String, _ platforms: [String], until now: Timestamp) -> Timestamp? {
    func isThere(_ place: String?, _ platform: String?) -> Bool {
      place == channel && (platform.map(platforms.include) ?? true)
    }
    if withdrawals.isEmpty || publications.contains(where: { isThere($0.channel, $0.platform) }) { return nil }
    return withdrawals.filter { isThere($0.channel, $0.platform) && $0.at <= now }.map(\.at).max()
  }

  /// How it was last taken back, from this channel where it was; nil where it is registered somewhere, and where it never was.
  func lastWithdrawal(near channel: String? = nil, until now: Timestamp) -> Withdrawal? {
    guard publications.isEmpty else { return nil }
    return withdrawals.filter { $0.at <= now }.max {
      ($0.channel == channel ? 1 : 0, $0.at) < ($1.channel == channel ? 1 : 0, $1.at)
    }
  }
}

extension [ReleaseRecord] {
  /// When each of some releases of an app was taken back; nil for those that nobody registered.
  func withdrawnAt(_ labels: [String], until now: Timestamp) -> [String: Timestamp?] {
    let known = compactMap { record in record.lastWithdrawal(until: now).map { (record.label.rawValue, $0.at) } }
    let times = Dictionary(known) { first, _ in first }
    return Dictionary(labels.map { ($0, times[$0]) }) { first, _ in first }
  }
}
