import Console
import Lifecycle

extension FindingRule {
  /// A channel whose devices all fell silent, or were never heard of, while others speak, that others spell otherwise, or that its
  /// devices left for one without releases.
  static let channelSilent = FindingRule(.channelSilent) { neverHeard($0) + fallenSilent($0) + left($0) }

  private static func left(_ evidence: DiagnosisEvidence) -> [Diagnosis] {
    evidence.leftChannels.filter { $0.gone >= Diagnosis.fewest }.map { left in
      found(
        .channelSilent, .problem, ["channel": left.channel], devices: left.gone, left.words,
        causes: [
          "the channel was renamed in the clients", "devices were moved to a channel whose releases nobody registers",
        ], check: "register the release there: ", with: left.command,
        Diagnosis.Evidence(
          what: "devices heard of in the last week that went there, of those and the ones that stayed", share: nil,
          count: left.gone, of: left.gone + left.stayed, command: evidence.asking("channels")))
    }
  }

  private static func neverHeard(_ evidence: DiagnosisEvidence) -> [Diagnosis] {
    let (counting, channels) = (evidence.counting, evidence.fleet.channels)
    guard let stray = StrayChannels(counting.names.vocabulary, app: counting.extent.app, now: counting.extent.now)
    else { return [] }
    let devices = channels.filter { stray.heard.contains(evidence.channel($0.key)) }.reduce(0) { $0 + $1.value.lately }
    guard devices >= Diagnosis.fewest else { return [] }
    let registered = ShellCommand("uptake", "release", "list")
    return [
      found(
        .channelSilent, .problem, ["channel": stray.areBothHeard ? stray.heard[0] : stray.registered[0]],
        devices: devices, stray.words,
        causes: ["the clients spell the channel otherwise than it was registered"]
          + (stray.areBothHeard ? [] : ["no build of this channel reports yet"]),
        check: "compare the channel that clients send with ", with: registered,
        Diagnosis.Evidence(
          what: "devices heard of in the last day on channels without a release", share: nil, count: devices,
          of: devices, command: registered))
    ]
  }

  private static func fallenSilent(_ evidence: DiagnosisEvidence) -> [Diagnosis] {
    let day = Milliseconds.days(1)
    guard let newest = evidence.fleet.newest.at, evidence.counting.cutOff - newest < day else { return [] }
    return evidence.fleet.channels.sorted { $0.key < $1.key }.compactMap { number, contacts in
      guard contacts.lately == 0, contacts.before >= Diagnosis.fewest else { return nil }
      let (name, last) = (evidence.channel(number), Timestamp(rawValue: contacts.newest))
      let label = evidence.target(of: number)?.label ?? "RELEASE"
      return found(
        .channelSilent, .problem, ["channel": name], devices: contacts.before,
        "no device on \(named(name)) was heard of since \(last.words); in the week before, \(counted(contacts.before, "device")) were",
        causes: [
          "the key or the address that builds of this channel send to no longer holds",
          "a build of this channel no longer reports", "the channel was renamed in the clients",
        ],
        check: "compare the channel's newest build with the last one that reported; uptake key list shows revoked keys",
        Diagnosis.Evidence(
          what: "devices heard of in the last day, of those of the week before", share: nil, count: 0,
          of: contacts.before, command: evidence.asking("reach").argument(label).option("by", "channel")))
    }
  }
}
