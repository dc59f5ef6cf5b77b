import Console

extension FindingRule {
  /// Hardly a device comes back under the name that it had.
  static let idsChange = FindingRule(.idsChange) { evidence in
    evidence.sums { $0.platform == 0 ? nil : $0.platform }.compactMap { number, counts -> Diagnosis? in
      let share = JudgedShare(counts.brief, of: counts.visitors, level: evidence.level)
      guard let platform = evidence.platform(number), share.of >= Diagnosis.fewest, share.isAbove(0.8) else {
        return nil
      }
      return found(
        .idsChange, .warning, ["platform": platform], devices: share.count,
        "devices do not come back on \(platform): \(share.words) of the last week were heard of within one hour only, so each start"
          + " counts as a device and hardly any is seen to update",
        causes: [
          "the client makes up a new id at each start, or keeps it where the system clears it",
          "the client speaks at its first start only", "the fleet is a day old, and nobody has opened the app again",
        ],
        check:
          "start the app twice on one phone: both events must have the same device; breadcrumbs of that device show both",
        share.evidence("devices heard of within one hour only", ShellCommand("uptake", "diagnose", "--json")))
    }.sorted { $0.group < $1.group }
  }
}
