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
