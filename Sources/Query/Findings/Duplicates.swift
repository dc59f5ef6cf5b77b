import Console
import Statistics

extension FindingRule {
  /// Events that came again under another id.
  static let duplicates = FindingRule(.duplicates) { evidence in
    let share = JudgedShare(evidence.recent.repeats, level: evidence.level)
    let devices = Int(evidence.recent.repeats.ratio.clusters)
    guard devices >= Diagnosis.fewest, share.isAbove(0.05) else { return [] }
    return [
      found(
        .duplicates, .warning, devices: devices,
        "events come several times under other ids: \(share.words) of the newest equal another one of the same device, instant and stage",
        causes: [
          "the client makes a new id at each try, so a resend is taken for another event",
          "the client's code runs twice in the app", "a batch stays in the queue after the answer 200",
        ],
        check:
          "give each event its id where it happens, and keep it until 200 is answered; counts of devices are right, the file grows",
        share.evidence("of the newest events, those that another one equals", evidence.asking("diagnose")))
    ]
  }
}
