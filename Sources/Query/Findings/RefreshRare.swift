import Console

extension FindingRule {
  /// Periodic work that runs, and seldom.
  static let refreshRare = FindingRule(.refreshRare) { evidence in
    evidence.wakeUps.filter { $0.group.parts["trigger"] == "bgRefresh" }.compactMap { row in
      let intervals = row.refreshIntervals
      guard let platform = row.group.parts["platform"], intervals.devices >= Diagnosis.fewest,
        let median = intervals.quantiles.first(where: { $0.p == 0.5 })?.seconds,
        median >= (PlatformSystem(platform) == .apple ? 36 : 20) * 3600
      else { return nil }
      return found(
        .refreshRare, .warning, ["platform": platform], devices: intervals.devices,
        "background refresh is rare on \(platform): half of the waits from one to the next are longer than \(duration(seconds: Double(median)))",
        causes: PlatformSystem(platform).choose(
          apple: ["earliestBeginDate lies far ahead", "the app is seldom opened, and the system grants little"],
          android: [
            "its period is long", "its constraints are seldom met together", "Doze and standby buckets hold it back",
          ]),
        check:
          "look at the period and the constraints that the app asks for; uptake app check reads periods in the source",
        Diagnosis.Evidence(
          what: "waits from one refresh to the next", share: nil, count: intervals.count, of: intervals.count,
          command: evidence.asking("wakeups", platform: platform)))
    }
  }
}
