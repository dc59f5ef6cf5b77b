import Console
import Lifecycle
import Statistics
import Store

/// Whether devices that took a release were heard of again: who cannot start it, or cannot report any more, says nothing of that.
struct SilenceCase {
  private let vocabulary: Vocabulary
  private let chosen: ReleaseScope
  private let channel: String
  private let cutOff: Timestamp

  /// nil where nobody can have been silent for a day after taking it.
  init?(
    _ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ channel: String, _ start: Timeline.Start, _ cutOff: Timestamp
  ) {
    // Who took it more than a week ago is not looked at, so a rollout that ended long ago has none.
    let lastStep = start.rollout.map(\.at).filter { $0 <= cutOff }.max() ?? start.publishedAt
    guard start.publishedAt < cutOff - .days(1), lastStep > cutOff - .days(60) else { return nil }
    (self.vocabulary, self.chosen, self.channel, self.cutOff) = (vocabulary, chosen, channel, cutOff)
  }

  /// So many devices are looked at, and so many of those that took it, where there are more: a random part of them.
  private static let (sample, takenSample) = (20_000, 2_000)

  /// nil where too few took it.
  ///
  /// - Parameters:
  ///   - fleet: devices that are known on the channel.
  ///   - taken: how many of them tried to get it.
  func counting(fleet: Int, taken: Int) -> SilenceCounting? {
    guard taken >= Diagnosis.fewest else { return nil }
    let part = max(Double(Self.sample) / Double(max(fleet, 1)), Double(Self.takenSample) / Double(taken))
    let all = Need.allShards.count
    let shards = min(max(Int((Double(all) * min(part, 1)).rounded()), 1), all)
    return SilenceCounting(vocabulary, chosen, channel, cutOff, shards: shards)
  }
}

extension VerdictEvidence {
  /// So much larger the share of those that fell silent is than among others of their kind.
  private static let margin = 0.1

  /// Where nobody speaks any more, what takes events in may have stopped.
  private var isHeardOf: Bool { silence == nil && newest.map { now - $0 <= Verdict.stalest } ?? false }

  /// Devices that took it fell silent, more than others like them for certain.
  var silenceAfter: Verdict.Reason? {
    guard isHeardOf, let fellSilent else { return nil }
    let certain = fellSilent.sides(atLeast: max(Diagnosis.fewest, minCell)).filter { sides in
      let pair = ProportionPair(sides.taken.share, sides.others.share)
      return pair.difference(level: Diagnosis.confidence).lo ?? 0 > Self.margin
    }
    guard !certain.isEmpty else { return nil }
    let all = certain.reduce(into: SilenceTally.Sides()) { $0.add($1) }
    return silentReason(all.taken, beside: all.others, Self.drawn(fellSilent))
  }

  /// Where everybody took it nobody is left who tells whether a holiday silences them, or the release.
  var silenceAlone: Warning? {
    guard isHeardOf, silenceAfter == nil, let fellSilent else { return nil }
    let taken = fellSilent.alone(atLeast: max(Diagnosis.fewest, minCell))
    guard taken.share.wilson(level: Diagnosis.confidence).lo ?? 0 > Self.margin else { return nil }
    return Warning(
      Warning.silenceAlone,
      "\(named(release)) on \(named(channel)): \(silentWords(taken))\(Self.drawn(fellSilent)), and too few others like them are left to tell whether that is its"
        + " doing: start it on each version of the system, and see whether its events arrive")
  }

  /// Where all are looked at, that goes without saying.
  private static func drawn(_ tally: SilenceTally) -> String {
    tally.isSample ? ", counted of a random part of all" : ""
  }

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
  /// Clients send checks alone, so that nothing of harm would be told.
  public static let checksOnly = "checks_only"
}
