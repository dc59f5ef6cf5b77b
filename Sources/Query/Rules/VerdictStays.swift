import Console
import Lifecycle
import Statistics
import Store

/// Whether devices that updated still run the release: they may go back whenever they like, and say nothing of it.
struct StaysCase {
  private let standings: ReachCounting
  private let older: Set<Int64>
  /// From the store, in which devices may have got an update of the app since.
  private let builds: Set<Int64>
  private let updates: StoreUpdateCounting

  /// nil where silence or a halt may be why they do not.
  init?(_ vocabulary: Vocabulary, _ standings: ReachCounting, _ channel: String, _ start: Timeline.Start) {
    let (chosen, cutOff, window) = (standings.chosen, standings.cutOff, standings.windows[0])
    guard start.publishedAt < cutOff, cutOff - start.publishedAt < window, start.haltedAt.map({ $0 > cutOff }) ?? true
    else { return nil }
    older = chosen.timeline.older(than: chosen.target.id, channel: channel)
    builds = older.intersection(chosen.timeline.storeBuilds)
    updates = StoreUpdateCounting(vocabulary, chosen, channel, cutOff, builds)
    self.standings = standings
  }

  struct Found {
    var updated: Int
    /// Of these, at least: they run another release, which is not newer.
    var undone: Int
  }

  /// So many went back at least: devices that are no longer here, or run what is neither older nor newer, may all have updated, and
  /// those that run it need not have.
  func found(_ ledger: Ledger, _ counts: RiskCounts) -> Found? {
    guard counts.events > 0 else { return nil }
    let now = ledger[standings].groups.values.reduce(into: ReachCounts()) { $0.add($1.now[0], times: 1) }
    let gone = max(0, counts.devices - now.eligible)
    let other = now.byRelease.reduce(0) { older.contains($1.key) ? $0 : $0 + $1.value } - now.exactly - now.newer
    let fromStore = ledger.known(updates)?.devices ?? 0
    let stayed = now.eligibleExactly + now.eligibleNewer + gone + max(0, other) + fromStore
    return Found(updated: counts.events, undone: max(0, counts.events - stayed))
  }

  /// Where some run a build from the store, whether they had it before is asked of each device, in a scan of its own.
  func more(_ ledger: Ledger) -> StoreUpdateCounting? {
    let now = ledger[standings].groups.values.reduce(into: ReachCounts()) { $0.add($1.now[0], times: 1) }
    return now.byRelease.contains { builds.contains($0.key) && $0.value > 0 } ? updates : nil
  }
}

extension VerdictEvidence {
  /// So large a share of them is more than phones that are set up anew; and so large a one is no choice of their owners.
  private static let (mostUndone, mostUndoneByChoice) = (0.1, 0.5)

  var running: Verdict.Reason? {
    guard let stays, stays.updated >= Diagnosis.fewestUndone else { return nil }
    let share = JudgedShare(stays.undone, of: stays.updated, level: level)
    guard share.isAbove(Self.mostUndone) else { return nil }
    // So many are known to be, so the share has no upper limit.
    var least = share.shown
    least.hi = nil
    var reason = Verdict.Reason(
      .running, .undone,
      "at least \(grouped(stays.undone)) of \(counted(stays.updated, "device")) that updated run another release again:"
        + (stays.undone < stays.updated ? " \(Console.share(least.value ?? 0)) or more" : " all of them"))
    (reason.value, reason.events, reason.devices) = (least, stays.undone, stays.updated)
    if share.isAbove(Self.mostUndoneByChoice) { reason.decision = .stop }
    return reason
  }
}
