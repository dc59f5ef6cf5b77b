import Console
import Lifecycle

extension FindingRule {
  /// Devices of a platform, or of all, of which far fewer are heard of than in the same hours before.
  ///
  /// The widest part is named: all, where each platform of which enough are known fell silent, then a platform, then one on a channel.
  /// Where nobody at all speaks, answers warn of that (`silent_fleet`).
  static let devicesSilent = FindingRule(.devicesSilent) { evidence in
    let whole = SilentPart(group: [:], evidence.fleet.cells.values.map(\.self), in: evidence)
    if whole.counts.lately == 0 { return [] }
    let platforms = SilentPart.parts(evidence) { cell in evidence.platform(cell.platform).map { ["platform": $0] } }
    if whole.isSilent, platforms.allSatisfy(\.mayBeSilent) { return [finding(whole, evidence)] }
    let places = SilentPart.parts(evidence) { cell in
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
        + " and \(grouped(part.usual)) in the same hours a day before: what they did since is not known",
      causes: [
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

/// How many devices of a part of the fleet were heard of lately, beside how many are usual in these hours.
private struct SilentPart {
  let group: [String: String]
  let counts: FleetCounts
  let usual: Int
  private let share: JudgedShare

  /// Fewer than half of the usual ones, for certain, means silence: a night is no other than the last one, and a quiet day of the
  /// week no other than a week ago.
  private static let limit = 1.0 / 3

  init(group: [String: String], _ all: [FleetCounts], in evidence: DiagnosisEvidence) {
    var sum = FleetCounts()
    for counts in all { sum.add(counts) }
    let isKnownForAWeek = evidence.fleet.cells.values.contains { $0.aWeekBefore > 0 }
    (self.group, counts) = (group, sum)
    usual = isKnownForAWeek ? min(sum.aDayBefore, sum.aWeekBefore) : sum.aDayBefore
    // Half as many as usual are a third of both together.
    share = JudgedShare(sum.lately, of: sum.lately + usual, level: evidence.level)
  }

  var isSilent: Bool { usual >= Diagnosis.fewest && share.isBelow(Self.limit) }
  /// Not with certainty more than half of the usual ones; of few nothing is certain.
  var mayBeSilent: Bool { usual < Diagnosis.fewest || !share.isAbove(Self.limit) }

  /// In order of name.
  static func parts(
    _ evidence: DiagnosisEvidence, by group: (FleetKey) -> [String: String]?
  ) -> [SilentPart] {
    evidence.sums(by: group).map { SilentPart(group: $0.key, [$0.counts], in: evidence) }
      .sorted { Labels($0.group) < Labels($1.group) }
  }
}
