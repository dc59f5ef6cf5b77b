import Console

extension FindingRule {
  /// Devices of which nothing is heard before they update: how long they waited nobody knows.
  static let checksMissing = FindingRule(.checksMissing) { evidence in
    evidence.updates.compactMap { place, counts -> Diagnosis? in
      let share = JudgedShare(counts.unheard, of: counts.applied, level: evidence.level)
      guard share.of >= Diagnosis.fewest, share.isAbove(0.5) else { return nil }
      return found(
        .checksMissing, .warning, place.group, devices: share.count,
        "devices are first heard of when they update\(place.words): \(share.words) devices that applied \(place.release)"
          + " never spoke before a stage of that update, so adoption and times to update look far better than they are",
        causes: ["the client sends no check", "a new build of the app, or of its client, came with the release"],
        check: "send check at each start and each refresh, with the release that runs",
        share.evidence(
          "devices whose first word was a stage of the update", evidence.about(place, "funnel")))
    }.sorted { $0.group < $1.group }
  }
}
