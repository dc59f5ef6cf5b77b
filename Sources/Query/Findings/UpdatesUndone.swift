import Console

extension FindingRule {
  /// Devices that applied the newest release and say later that they run an older one, though nobody reports a rollback.
  static let updatesUndone = FindingRule(.updatesUndone) { evidence in
    evidence.updates.compactMap { place, counts -> Diagnosis? in
      let share = JudgedShare(counts.undone, of: counts.applied, level: evidence.level)
      guard share.of >= Diagnosis.fewestUndone, share.isAbove(0.1) else { return nil }
      return found(
        .updatesUndone, .problem, place.group, devices: share.count,
        "updates do not stay\(place.words): \(share.words) devices that applied \(place.release) said later that they run another release, which"
          + " is not newer, and reported no rollback",
        causes: [
          "the update is undone at the next start, and the client does not send rolledBack",
          "check names the release that the app was built with, not the one that runs",
          "check and applied spell the release in two ways",
        ],
        check: "breadcrumbs of one such device: uptake reach shows which release they name",
        share.evidence(
          "devices that said later that they run another release", evidence.about(place, "reach")))
    }.sorted { $0.group < $1.group }
  }
}
