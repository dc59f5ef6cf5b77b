import Console
import Lifecycle

extension FindingRule {
  /// A release that devices take, and that is not registered as of then: what is judged is an older one.
  static let publicationWrong = FindingRule(.publicationWrong) { evidence in
    evidence.strays.map { stray in
      found(
        .publicationWrong, .problem, ["channel": stray.channel], devices: stray.devices, stray.words,
        causes: causes(stray.fault), check: check(stray.fault), with: stray.command,
        Diagnosis.Evidence(
          what: "devices that tried to get it", share: nil, count: stray.devices, of: nil,
          command: evidence.asking("failures").argument(stray.release.rawValue).option("channel", stray.channel)))
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
    case .ahead: ["a local time was registered as if it were UTC", "devices were let have it before its time"]
    case .replaced: ["the registered time is wrong"]
    }
  }

  private static func check(_ fault: StrayPublication.Fault) -> String {
    switch fault {
    case .withdrawn:
      "end it at the update server; to have it judged, put it back with uptake release publish and end it with uptake release halt;"
        + " how many run it: "
    case .unregistered, .ahead, .replaced: "register it as of then: "
    }
  }
}
