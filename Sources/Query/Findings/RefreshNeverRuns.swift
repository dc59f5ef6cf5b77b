import Console

extension FindingRule {
  /// A platform on which hardly any device was ever woken by its own schedule.
  static let refreshNeverRuns = FindingRule(.refreshNeverRuns) { evidence in
    evidence.sums { $0.platform == 0 ? nil : $0.platform }.compactMap { number, counts -> Diagnosis? in
      let share = JudgedShare(counts.refreshed, of: counts.settled, level: evidence.level)
      guard let platform = evidence.platform(number), share.of >= Diagnosis.fewest, share.isBelow(0.05) else {
        return nil
      }
      guard counts.reporting > 0 else { return unreported(platform, counts, evidence) }
      return found(
        .refreshNeverRuns, .problem, ["platform": platform], devices: share.of - share.count,
        "background refresh does not run on \(platform): it woke \(share.words) devices that were around for days",
        causes: causes(platform),
        check:
          "uptake app check on the app's project; then one device on the desk, for a day, unplugged and plugged in",
        share.evidence("devices that a background refresh woke", evidence.asking("wakeups", platform: platform)))
    }.sorted { $0.group < $1.group }
  }

  /// Reports of background work are optional: without any, nothing says that none is done.
  private static func unreported(
    _ platform: String, _ counts: FleetCounts, _ evidence: DiagnosisEvidence
  ) -> Diagnosis? {
    guard counts.refreshed == 0 else { return nil }
    return found(
      .refreshNeverRuns, .note, ["platform": platform], devices: counts.settled,
      "whether background refresh runs on \(platform) is not known: none of \(counted(counts.settled, "device")) that were around for"
        + " days reports work in the background, and none got the newest release by it",
      causes: ["the client does not send wakeStarted", "nothing wakes the app"],
      check: "send wakeStarted, and wakeFinished with outcome and durationMs, for work in the background",
      Diagnosis.Evidence(
        what: "devices that reported work in the background", share: nil, count: 0, of: counts.settled,
        command: evidence.asking("wakeups", platform: platform)))
  }

  private static func causes(_ platform: String) -> [String] {
    PlatformSystem(platform).choose(
      apple: [
        "the background mode fetch is missing, or the task's identifier is not permitted in Info.plist",
        "the task is registered after launch ended, or not scheduled anew when it ran",
      ],
      android: [
        "the periodic work is never enqueued, or replaced at each launch before it ran",
        "its constraints are never met together (unmetered network, charging, idle)",
        "WorkManager's initializer or permissions were taken out of the manifest",
      ]) + ["wake-ups run, and the client does not report them"]
  }
}
