import Console
import Lifecycle

extension FindingRule {
  /// Devices of a platform, or of all, of which far fewer are heard of than in the same hours before.
  ///
  /// The widest part is named: all, where each platform of which enough are known fell silent, then a platform, then one on a channel.
  /// Where nobody at all speaks, answers warn of that (`silent_fleet`).
  static let devicesSilent = FindingRule(.devicesSilent) { evidence in
    let fleet = evidence.fleet.cells.values.reduce(into: FleetCounts()) { $0.add($1) }
    let whole = SilentPart(group: [:], fleet, of: fleet, in: evidence)
    if whole.counts.lately == 0 { return [] }
    let platforms = SilentPart.parts(evidence, of: fleet) { cell in
      evidence.platform(cell.platform).map { ["platform": $0] }
    }
    if whole.isSilent, platforms.allSatisfy(\.mayBeSilent) { return [finding(whole, evidence)] }
    let places = SilentPart.parts(evidence, of: fleet) { cell in
      evidence.platform(cell.platform).map { ["platform": $0, "channel": evidence.channel(cell.channel)] }
    }
    let silent = platforms.filter { one in
      one.isSilent && places.allSatisfy { $0.mayBeSilent || $0.group["platform"] != one.group["platform"] }
    }
    let told = Set(silent.compactMap { $0.group["platform"] })
    let rest = places.filter { $0.isSilent && !told.contains($0.group["platform"] ?? "") }
    return (silent + rest).map { finding($0, evidence) }
  }

  private static func finding(_ part: SilentPart, _ evidence: DiagnosisEvidence) -> Diagnosis {
    let (end, hours) = (evidence.counting.cutOff, lengthWords(FleetCounting.hours))
    let place = [part.group["platform"], part.group["channel"]].compactMap { $0.map(named) }.joined(separator: " on ")
    let label = evidence.counting.targets.first?.label ?? "RELEASE"
    return found(
      .devicesSilent, .problem, part.group, devices: max(0, part.usual - part.counts.lately),
      "\(counted(part.counts.lately, "device"))\(place.isEmpty ? "" : " of \(place)") spoke in the \(hours) until \(end.words),"
        + " and \(grouped(part.usual)) in the same hours a \(part.isSilentForLong ? "week" : "day") before:"
        + " what they did since is not known",
      causes: young(part, evidence) + [
        "the key or the address that they send to no longer holds, or is not reached from where they are",
        "a build that went out lately no longer reports",
      ],
      check:
        "compare the newest build of these devices with the last one that reported; uptake key list shows revoked keys",
      Diagnosis.Evidence(
        what: "devices that spoke in the last hours, of those usual in them", share: nil, count: part.counts.lately,
        of: part.usual, command: evidence.asking("reach").argument(label).option("by", "platform")))
  }
}

extension FindingRule {
  /// Releases that came to these devices within three days: one that does not start says nothing of it.
  private static func young(_ part: SilentPart, _ evidence: DiagnosisEvidence) -> [String] {
    let (end, channel) = (evidence.counting.cutOff, part.group["channel"])
    return evidence.counting.targets.filter { target in
      let age = end - target.start.publishedAt
      return (channel ?? target.channel) == target.channel && age > .seconds(0) && age < .days(3)
    }.prefix(3).map { target in
      "\(named(target.label)), which came to \(named(target.channel)) \(lengthWords(end - target.start.publishedAt)) before, does not start,"
        + " or no longer reports: start it on a device"
    }
  }
}

/// How many devices of a part of the fleet were heard of lately, beside how many are usual in these hours.
private struct SilentPart {
  let group: [String: String]
  let counts: FleetCounts
  let usual: Int
  /// It began more than a day ago, or within the hours that are looked at of that day.
  let isSilentForLong: Bool
  private let share: JudgedShare

  /// Fewer than half of the usual ones, for certain, means silence: a night is no other than the last one, and a quiet day of the
  /// week no other than a week ago.
  private static let limit = 1.0 / 3

  init(group: [String: String], _ counts: FleetCounts, of fleet: FleetCounts, in evidence: DiagnosisEvidence) {
    (self.group, self.counts) = (group, counts)
    isSilentForLong = Self.isSilentForLong(counts, of: fleet)
    usual =
      isSilentForLong
      ? counts.aWeekBefore : fleet.aWeekBefore > 0 ? min(counts.aDayBefore, counts.aWeekBefore) : counts.aDayBefore
    // Half as many as usual are a third of both together.
    share = JudgedShare(counts.lately, of: counts.lately + usual, level: evidence.level)
  }

  /// Hardly one of those of a week ago speaks, and a day before few did, while the rest of the fleet speaks as it did then: a
  /// silence that goes on must not become what is usual. Where the rest is quiet, too, it is a holiday.
  private static func isSilentForLong(_ counts: FleetCounts, of fleet: FleetCounts) -> Bool {
    let rest = (lately: fleet.lately - counts.lately, aWeekBefore: fleet.aWeekBefore - counts.aWeekBefore)
    return counts.lately * 20 <= counts.aWeekBefore && counts.aDayBefore * 2 <= counts.aWeekBefore
      && counts.aWeekBefore >= Diagnosis.fewest && rest.aWeekBefore >= Diagnosis.fewest
      && rest.lately * 2 >= rest.aWeekBefore
  }

  var isSilent: Bool { usual >= Diagnosis.fewest && share.isBelow(Self.limit) }
  /// Not with certainty more than half of the usual ones; of few nothing is certain.
  var mayBeSilent: Bool { usual < Diagnosis.fewest || !share.isAbove(Self.limit) }

  /// In order of name.
  static func parts(
    _ evidence: DiagnosisEvidence, of fleet: FleetCounts, by group: (FleetKey) -> [String: String]?
  ) -> [SilentPart] {
    evidence.sums(by: group).map { SilentPart(group: $0.key, $0.counts, of: fleet, in: evidence) }
      .sorted { Labels($0.group) < Labels($1.group) }
  }
}
