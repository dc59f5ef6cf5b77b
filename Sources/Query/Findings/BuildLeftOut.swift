import Console
import Store

extension FindingRule {
  /// A store build whose devices never saw the release while those of others did.
  static let buildLeftOut = FindingRule(.buildLeftOut) { evidence in
    evidence.apart(by: \.appVersion, names: evidence.counting.names.profiles.versions).compactMap { part in
      let (own, rest) = (
        JudgedShare(part.own.touched, of: part.own.eligible, level: evidence.level),
        JudgedShare(part.rest.touched, of: part.rest.eligible, level: evidence.level)
      )
      guard own.of >= Diagnosis.fewest, rest.of >= Diagnosis.fewest, own.isBelow(0.2), rest.isAbove(0.5) else {
        return nil
      }
      let command = evidence.filtered("adoption", platform: part.platform).argument(part.target.label)
        .option("channel", part.target.channel).option("by", "appVersion")
      return found(
        .buildLeftOut, .problem, ["channel": part.target.channel, "platform": part.platform, "appVersion": part.name],
        devices: own.of,
        "app \(named(part.name)) on \(part.platform) never saw \(named(part.target.label)): \(own.words), other builds \(rest.words)",
        causes: [
          "the release is for newer store builds only (target version, runtime version, fingerprint)",
          "the build asks another server, or another channel",
        ],
        check:
          "see for which store builds the release was published, and whether those devices are to update from the store",
        own.evidence("devices of the build that saw the release", command),
        rest.evidence("devices of other builds that did", command))
    }
  }
}
