import Console
import Lifecycle
import Statistics
import Store

/// Whether devices that updated still run the release: they may go back whenever they like, and say nothing of it.
struct StaysCase {
  private let standings: ReachCounting

  /// nil where silence or a halt may be why they do not.
  init?(_ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ start: Timeline.Start) {
    let (cutOff, window) = (CutOff(vocabulary, chosen.selection).at, chosen.selection.reachWindow)
    guard start.publishedAt < cutOff, cutOff - start.publishedAt < window, start.haltedAt.map({ $0 > cutOff }) ?? true
    else { return nil }
    standings = ReachCounting(vocabulary, chosen, windows: [window], instants: [], past: [], cutOff: cutOff)
  }

  var counts: Counts { Counts(standings) }

  struct Found {
    var updated: Int
    /// Of these, at least: they run another release, which is not newer.
    var undone: Int
  }

  /// Devices that are no longer here may all have updated, and those that run it need not have, so that fewer went back for certain
  /// than it seems.
  func found(_ ledger: Ledger, _ counts: RiskCounts) -> Found? {
    let now = ledger[standings].groups.values.reduce(into: ReachCounts()) { $0.add($1.now[0], times: 1) }
    let gone = max(0, counts.devices - now.eligible)
    guard counts.events > 0 else { return nil }
    return Found(
      updated: counts.events, undone: max(0, counts.events - now.eligibleExactly - now.eligibleNewer - gone))
  }
}

extension VerdictEvidence {
  /// So large a share of them is more than phones that are set up anew.
  private static let mostUndone = 0.1

  var running: Verdict.Reason? {
    guard let stays, stays.updated >= Diagnosis.fewest else { return nil }
    let share = JudgedShare(stays.undone, of: stays.updated, level: level)
    guard share.isAbove(Self.mostUndone) else { return nil }
    var reason = Verdict.Reason(
      .running, .undone,
      "at least \(grouped(stays.undone)) of \(counted(stays.updated, "device")) that updated run another release again: \(figure(share.shown))")
    (reason.value, reason.events, reason.devices) = (share.shown, stays.undone, stays.updated)
    return reason
  }
}
