import Console
import Lifecycle

extension FindingRule {
  /// A release that devices take, and that is not registered as of then: what is judged is an older one. Or one that is registered, and
  /// that none of them tries to get.
  static let publicationWrong = FindingRule(.publicationWrong) { taken($0) + givenToNobody($0) }

  private static func givenToNobody(_ evidence: DiagnosisEvidence) -> [Diagnosis] {
    evidence.verdicts.filter { $0.isGivenToNobody && $0.devices >= Diagnosis.fewest }.map { row in
      let funnel = evidence.filtered("funnel").argument(row.release).option("channel", row.channel)
      return found(
        .publicationWrong, .problem, ["channel": row.channel, "release": row.release], devices: row.devices,
        "none of \(counted(row.devices, "eligible device")) on \(named(row.channel)) is known to have tried to get \(named(row.release))",
        causes: [
          "the update server does not give it out there: it is not uploaded, or on another channel, or its rollout has not begun",
          "it was registered under another name than clients give it", "clients report no step of an update",
        ], check: "compare the release, its channel and its percentage on the update server with ",
        with: ShellCommand("uptake", "release", "show").argument(row.release),
        Diagnosis.Evidence(
          what: "eligible devices that took any step towards it", share: nil, count: 0, of: row.devices, command: funnel
        ))
    }
  }

  private static func taken(_ evidence: DiagnosisEvidence) -> [Diagnosis] {
    evidence.strays.map { stray in
      var (group, failures) = (
        ["channel": stray.channel],
        evidence.asking("failures").argument(stray.release.rawValue).option("channel", stray.channel)
      )
      if let platform = stray.platform {
        (group["platform"], failures) = (platform, failures.option("platform", platform))
      }
      return found(
        .publicationWrong, .problem, group, devices: stray.devices, stray.words(hasRow: true),
        causes: causes(stray.fault), check: check(stray.fault), with: stray.command,
        Diagnosis.Evidence(
          what: "devices that tried to get it", share: nil, count: stray.devices, of: nil, command: failures))
    }
  }

  private static func causes(_ fault: StrayPublication.Fault) -> [String] {
    switch fault {
    case .unregistered:
      ["its publication was not registered", "it was registered under another name, or on another channel"]
    case .withdrawn:
      [
        "an update server still offers it",
        "its rollout was ended by withdrawing its publication, where a halt ends it",
      ]
    case .elsewhere:
      ["an update server offers it there as well", "it was published there, and that was not registered"]
    case .otherPlatforms:
      ["an update server offers it on more platforms", "it was published for them, and that was not registered"]
    case .ahead: ["a local time was registered as if it were UTC", "devices were let have it before its time"]
    case .replaced: ["the registered time is wrong"]
    }
  }

  private static func check(_ fault: StrayPublication.Fault) -> String {
    switch fault {
    case .withdrawn:
      "end it at the update server; to have it judged, put it back with uptake release publish and end it with uptake release halt;"
        + " how many run it: "
    case .elsewhere, .otherPlatforms:
      "end it there at the update server where it was not meant; to have it judged meanwhile, register it as of then: "
    case .unregistered, .ahead, .replaced: "register it as of then: "
    }
  }
}
