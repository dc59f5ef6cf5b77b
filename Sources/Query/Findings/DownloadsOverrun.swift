import Console
import Lifecycle
import Statistics

extension FindingRule {
  /// Background work that does not end within its thirty seconds, and the downloads in it by size and network.
  static let downloadsOverrun = FindingRule(.downloadsOverrun) { evidence in
    [Trigger.bgRefresh, .silentPush].flatMap { trigger in
      evidence.wakeUps.filter { $0.group.parts["trigger"] == trigger.rawValue }.compactMap { row -> Diagnosis? in
        let (overrun, platform) = (row.overrun.atMost, row.group.parts["platform"] ?? Group.unnamed)
        let share = JudgedShare(overrun.count, of: overrun.of, level: evidence.level)
        guard overrun.devices >= Diagnosis.fewest, row.finished > 0, share.isAbove(0.15) else { return nil }
        let downloads = Self.downloads(platform, evidence)
        var finding = found(
          .downloadsOverrun, .warning, ["platform": platform, "trigger": trigger.rawValue], devices: overrun.devices,
          "work by \(trigger.rawValue) overruns its 30 seconds on \(platform): \(share.words) wake-ups ran out of time, or were killed"
            + worst(downloads),
          causes: [
            "the download is too large for one wake-up", "work that needs no network runs before the download",
            "the completion handler is called late, or not at all",
          ], check: "use a background transfer (URLSession background configuration, or WorkManager with a longer job)",
          share.evidence("wake-ups over 30 s, or without an end", evidence.asking("wakeups", platform: platform)),
          mobile(row, evidence.asking("wakeups", platform: platform)))
        finding.evidence += downloads.map { kind, share in
          share.evidence(
            "downloads \(words(kind)) that had not ended after 30 s", evidence.asking("diagnose", platform: platform))
        }
        return finding
      }
    }
  }

  private static func mobile(_ row: WakeUps, _ command: ShellCommand) -> Diagnosis.Evidence {
    let (wifi, cellular) = (row.surroundings.wifi, row.surroundings.cellular)
    return Diagnosis.Evidence(
      what: "of the wake-ups on a network that was named, those on a mobile one", share: nil, count: cellular,
      of: wifi + cellular, command: command)
  }

  /// Of a platform, as far as the newest events tell of enough of a kind; in order of size and network.
  private static func downloads(
    _ platform: String, _ evidence: DiagnosisEvidence
  ) -> [(kind: DownloadKind, share: JudgedShare)] {
    evidence.recent.overruns.filter { $0.key.platform == platform && $0.value.ratio.trials >= Diagnosis.fewest }
      .sorted { $0.key < $1.key }.map { ($0.key, JudgedShare($0.value, level: evidence.level)) }
  }

  private static func worst(_ downloads: [(kind: DownloadKind, share: JudgedShare)]) -> String {
    guard let worst = downloads.max(by: { ($0.share.shown.value ?? 0) < ($1.share.shown.value ?? 0) }),
      worst.share.isAbove(0.15)
    else { return "" }
    return "; of downloads \(words(worst.kind)) \(worst.share.words) had not ended by then"
  }

  /// `of 20 to 50 MB on cellular`.
  private static func words(_ kind: DownloadKind) -> String {
    let size = DownloadSize.words[kind.size]
    let network = kind.network == Group.unnamed ? "an unknown network" : kind.network
    return (size.hasPrefix("of") ? size : "of " + size) + " on \(network)"
  }
}
