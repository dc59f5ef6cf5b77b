import Console
import Statistics
import Store

extension FindingRule {
  /// One version of the system, or of the client, that is far behind all others.
  static let versionBehind = FindingRule(.versionBehind) { evidence in
    let counting = evidence.counting
    return [
      ("osVersion", "system", evidence.apart(by: \.osVersion, names: counting.systems.names)),
      ("sdkVersion", "client", evidence.apart(by: \.sdkVersion, names: counting.clients.names)),
    ].flatMap { kind, word, parts in parts.compactMap { behind(kind, word, $0, evidence) } }
  }

  /// So much less than the others must have updated, for certain.
  private static let margin = 0.15

  private static func behind(
    _ kind: String, _ word: String, _ part: FleetPart, _ evidence: DiagnosisEvidence
  ) -> Diagnosis? {
    let pair = ProportionPair(
      Proportion(Int64(part.own.updated), of: Int64(part.own.eligible)),
      Proportion(Int64(part.rest.updated), of: Int64(part.rest.eligible)))
    guard part.own.eligible >= Diagnosis.fewest, part.rest.eligible >= Diagnosis.fewest,
      let hi = pair.difference(level: Diagnosis.confidence).hi, hi < -margin
    else { return nil }
    let (own, rest) = (
      JudgedShare(part.own.updated, of: part.own.eligible, level: evidence.level),
      JudgedShare(part.rest.updated, of: part.rest.eligible, level: evidence.level)
    )
    let command = evidence.asking("diagnose", platform: part.platform).argument(part.target.label)
    return found(
      .versionBehind, own.isBelow(0.1) ? .problem : .warning,
      ["channel": part.target.channel, "platform": part.platform, kind: part.name],
      devices: part.own.eligible - part.own.updated,
      "\(word) \(named(part.name)) on \(part.platform) is behind all others with \(named(part.target.label)): \(own.words) updated, of the others \(rest.words)",
      causes: [
        "the \(word) handles background work, downloads or storage otherwise since that version",
        "the release does not install there", "clients of that version do not report all they do",
      ], check: "try the release on one device with \(word) \(named(part.name)), and look at what it reports",
      own.evidence("devices of the version that updated", command),
      rest.evidence("devices of other versions that did", command))
  }
}
