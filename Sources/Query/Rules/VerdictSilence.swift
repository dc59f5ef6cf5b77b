import Console
import Lifecycle
import Statistics

extension VerdictEvidence {
  /// So much larger the share of those that fell silent is than among others of their kind.
  private static let margin = 0.1

  /// Where nobody speaks any more, what takes events in may have stopped.
  private var isHeardOf: Bool { silence == nil && newest.map { now - $0 <= Verdict.stalest } ?? false }

  /// Devices that took it fell silent, more than others like them for certain.
  var silenceAfter: Verdict.Reason? {
    guard isHeardOf, let fellSilent = aftermath?.silence else { return nil }
    let certain = fellSilent.sides(atLeast: max(Diagnosis.fewest, minCell)).filter { sides in
      let pair = ProportionPair(sides.taken.share, sides.others.share)
      return pair.difference(level: Diagnosis.confidence).lo ?? 0 > Self.margin
    }
    guard !certain.isEmpty else { return nil }
    let all = certain.reduce(into: SilenceTally.Sides()) { $0.add($1) }
    return silentReason(all.taken, beside: all.others, drawn)
  }

  /// Where everybody took it nobody is left who tells whether a holiday silences them, or the release.
  var silenceAlone: Warning? {
    guard isHeardOf, silenceAfter == nil, let fellSilent = aftermath?.silence else { return nil }
    let taken = fellSilent.alone(atLeast: max(Diagnosis.fewest, minCell))
    guard taken.share.wilson(level: Diagnosis.confidence).lo ?? 0 > Self.margin else { return nil }
    return Warning(
      Warning.silenceAlone,
      "\(named(release)) on \(named(channel)): \(silentWords(taken))\(drawn), and too few others like them are left to tell whether that is its"
        + " doing: start it on each version of the system, and see whether its events arrive")
  }

  /// Where all are looked at, that goes without saying.
  var drawn: String { aftermath?.isSample == true ? ", counted of a random part of all" : "" }

  /// `3 of 60 devices that took it in a week fell silent, …`.
  private func silentWords(_ taken: SilentDevices) -> String {
    "\(grouped(taken.silent)) of \(counted(taken.devices, "device")) that took it in a week fell silent, for a day and for longer than in four"
      + " weeks before: \(figure(taken.share.wilson(level: level)))"
  }

  private func silentReason(_ taken: SilentDevices, beside others: SilentDevices, _ drawn: String) -> Verdict.Reason {
    let rate = taken.share.wilson(level: level)
    var reason = Verdict.Reason(
      .silence, .fallingSilent,
      "\(silentWords(taken)); of \(counted(others.devices, "other")) like them \(share(others.share.share ?? 0))"
        + drawn)
    (reason.value, reason.events, reason.devices) = (rate, taken.silent, taken.devices)
    return reason
  }
}

extension Warning {
  /// Devices that took a release fell silent, and none are left to compare them with.
  public static let silenceAlone = "silence_alone"
}
