/// One named finding of the catalogue: what is looked for, and what is said of it. A file each.
struct FindingRule: Sendable {
  let name: Diagnosis.Name
  let find: @Sendable (DiagnosisEvidence) -> [Diagnosis]

  init(_ name: Diagnosis.Name, find: @escaping @Sendable (DiagnosisEvidence) -> [Diagnosis]) {
    (self.name, self.find) = (name, find)
  }

  /// In the order of `Diagnosis.Name`.
  static let all: [FindingRule] = [
    releaseHarms, publicationWrong, updatesUndone, channelSilent, devicesSilent, stepNotOpened, buildLeftOut,
    versionBehind, refreshNeverRuns, pushesRefused, pushNeverWakes, tapsAsArrivals, pushesTooOften, pushesReplaced,
    downloadsOverrun,
    readyNotApplied, refreshRare, pushesLate,
    appsClosed, clocksWrong, idsChange, checksMissing, duplicates, devicesMadeUp,
  ]
}

extension FindingRule {
  /// A rule about the pushes of each platform: all of them, and else those for the releases that are looked at.
  ///
  /// - Parameter find: with the releases whose pushes these are; nil for all.
  static func ofPushes(
    _ name: Diagnosis.Name,
    _ find: @escaping @Sendable (String, PushLosses, DiagnosisEvidence, [String]?) -> Diagnosis?
  ) -> FindingRule {
    FindingRule(name) { evidence in
      let all = evidence.pushesByPlatform.compactMap { find($0, $1, evidence, nil) }
      let told = Set(all.compactMap { $0.group.parts["platform"] })
      return all
        + evidence.ownPushesByPlatform.compactMap { platform, losses in
          told.contains(platform) ? nil : find(platform, losses, evidence, evidence.looked)
        }
    }
  }
}
