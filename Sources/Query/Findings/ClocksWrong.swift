import Console

extension FindingRule {
  /// Devices whose newest event lies ahead of the present.
  static let clocksWrong = FindingRule(.clocksWrong) { evidence in
    evidence.sums { $0.platform == 0 ? nil : $0.platform }.compactMap { number, counts -> Diagnosis? in
      let share = JudgedShare(counts.ahead, of: counts.known, level: evidence.level)
      guard let platform = evidence.platform(number), share.of >= Diagnosis.fewest, share.isAbove(0.02) else {
        return nil
      }
      return found(
        .clocksWrong, .warning, ["platform": platform], devices: share.count,
        "clocks are wrong on \(platform): \(share.words) devices speak from the future",
        causes: ["local times are sent as if they were UTC", "people set their clocks", "--now lies in the past"],
        check: "send times with a zone, and sentAt with each batch: then a wrong clock is taken off",
        share.evidence("devices with events ahead of now", ShellCommand("uptake", "doctor")))
    }.sorted { $0.group < $1.group }
  }
}
