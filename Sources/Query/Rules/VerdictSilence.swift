import Console
import Glibc
import Lifecycle
import Statistics

/// Devices that took a release and are not heard of again.
extension VerdictEvidence {
  /// Where nobody speaks any more, what takes events in may have stopped.
  private var isHeardOf: Bool { silence == nil && newest.map { now - $0 <= Verdict.stalest } ?? false }

  /// A stop where more of them are silent than of others like them, for certain, or were at an earlier look and still are beyond what is
  /// usual; a wait where they are beyond that, and too few others are left to tell whether it is a holiday that silences them.
  var silenceAfter: Verdict.Reason? {
    guard isHeardOf, let fellSilent else { return nil }
    let fewest = max(Diagnosis.fewest, minCell)
    if let all = fellSilent.beyondOthers(fellSilent.looks.count - 1, atLeast: fewest) {
      return silentReason(
        all.taken, .fallingSilent,
        "; of \(counted(all.others.devices, "other")) like them \(share(all.others.share.share ?? 0))")
    }
    if let (cutOff, then, all) = fellSilent.stillBeyondUsual(atLeast: fewest) {
      var reason = silentReason(all.taken, .fallingSilent, usually(all.others) + earlier(then, cutOff))
      reason.reachedAt = cutOff
      return reason
    }
    return fellSilent.aloneBeyondUsual(atLeast: fewest).map { all in
      silentReason(
        all.taken, .unsettled,
        usually(all.others) + "; too few others like them are left to tell whether that is its doing: start it on each"
          + " version of the system, and see whether its events arrive")
    }
  }

  private func earlier(_ sides: SilenceTally.Sides, _ cutOff: Timestamp) -> String {
    "; at \(cutOff.words) it was \(share(sides.taken.share.share ?? 0)) of \(counted(sides.taken.devices, "device")) and"
      + " \(share(sides.others.share.share ?? 0)) of \(counted(sides.others.devices, "other")) like them, of whom fewer are left"
  }

  /// Nothing where it is not known.
  private func usually(_ before: AffectedDevices) -> String {
    guard let fellSilent, let usual = before.share.share else { return "" }
    return ", \(share(usual)) of devices like them at \(fellSilent.usualAt.words), before it came"
  }

  private func silentReason(_ taken: AffectedDevices, _ condition: Verdict.Condition, _ more: String) -> Verdict.Reason
  {
    let rate = taken.share.wilson(level: level)
    var reason = Verdict.Reason(
      .silence, condition,
      "\(grouped(taken.affected)) of \(counted(taken.devices, "device")) that took it in a week fell silent, for a day and for longer than in"
        + " four weeks before: \(figure(rate))\(more)")
    // Where all are looked at, that goes without saying.
    if fellSilent?.isSample ?? false { reason.sentence += ", counted of a random part of all" }
    (reason.value, reason.events, reason.devices) = (rate, taken.affected, taken.devices)
    return reason
  }
}

extension Warning {
  /// Clients send checks alone, so that nothing of harm would be told.
  public static let checksOnly = "checks_only"
  /// Of many launches, on any release of the channel, no crash and no rollback was ever told.
  public static let harmNeverTold = "harm_never_told"
}
