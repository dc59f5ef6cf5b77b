import Console
import Lifecycle

extension FindingRule {
  /// Background work that does not end within its thirty seconds.
  static let downloadsOverrun = FindingRule(.downloadsOverrun) { evidence in
    [Trigger.bgRefresh, .silentPush].flatMap { trigger in
      evidence.wakeUps.filter { $0.group.parts["trigger"] == trigger.rawValue }.compactMap { row in
        let (overrun, platform) = (row.overrun.atMost, row.group.parts["platform"] ?? Group.unnamed)
        let share = JudgedShare(overrun.count, of: overrun.of, level: evidence.level)
        guard overrun.devices >= Diagnosis.fewest, row.finished > 0, share.isAbove(0.15) else { return nil }
        let (wifi, cellular) = (row.surroundings.wifi, row.surroundings.cellular)
        return found(
          .downloadsOverrun, .warning, ["platform": platform, "trigger": trigger.rawValue], devices: overrun.devices,
          "work by \(trigger.rawValue) overruns its 30 seconds on \(platform): \(share.words) wake-ups ran out of time, or were killed",
          causes: [
            "the download is too large for one wake-up", "work that needs no network runs before the download",
            "the completion handler is called late, or not at all",
          ], check: "use a background transfer (URLSession background configuration, or WorkManager with a longer job)",
          share.evidence("wake-ups over 30 s, or without an end", "uptake wakeups --platform \(platform)"),
          Diagnosis.Evidence(
            what: "of the wake-ups on a network that was named, those on a mobile one", share: nil, count: cellular,
            of: wifi + cellular, command: "uptake wakeups --platform \(platform)"))
      }
    }
  }
}
