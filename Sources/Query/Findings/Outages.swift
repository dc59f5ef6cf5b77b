internal import Lifecycle
public import Store

/// What no longer gets through, of an app: devices that fell silent or left their channel, and pushes that the gateway refuses.
///
/// By the rules of `diagnose`, for whoever asks every few seconds: about 20,000 devices are gone through, a random part of them
/// where there are more, and as many of the newest events. A warehouse tells of devices alone: refused pushes are in single events.
public struct Outages: Sendable {
  public private(set) var findings: [Diagnosis] = []
  /// Platforms whose devices speak from the future: what they say does not count yet.
  public private(set) var clocks: [Diagnosis] = []
  /// However few devices left them.
  public private(set) var leftChannels: [LeftChannel] = []
  /// Whether a random part of the devices was looked at.
  public private(set) var isSample = false

  /// What is looked for.
  public static let names = rules.map(\.name)
  private static let rules: [FindingRule] = [.devicesSilent, .pushesRefused]
  private static let sample = 20_000

  public init(_ snapshot: borrowing Snapshot, _ extent: FleetScope) throws {
    var extent = extent
    extent.since = extent.since ?? extent.now - Diagnosis.period
    let shards = Self.shards(of: try snapshot.roughDevices(of: extent.app))
    let evidence = try Self.evidence(snapshot, extent, shards)
    findings = Self.rules.flatMap { $0.find(evidence) }
    clocks = FindingRule.clocksWrong.find(evidence)
    leftChannels = evidence.leftChannels
    isSample = shards.count < Need.allShards.count
  }

  /// Devices lie in shards by their hash.
  private static func shards(of devices: Int) -> Range<Int> {
    let all = Need.allShards.count
    return 0..<min(max(all * sample / max(devices, 1), 1), all)
  }

  private static func evidence(
    _ snapshot: borrowing Snapshot, _ extent: FleetScope, _ shards: Range<Int>
  ) throws -> DiagnosisEvidence {
    let fleet = FleetCounting(snapshot.vocabulary, extent, shards: shards)
    let own = Set(fleet.targets.map(\.release))
    let losses = PushLossCounting(snapshot.vocabulary, extent, own: own, shards: shards)
    let recent = RecentEventsCounting(snapshot.vocabulary, extent, newest: Int64(sample))
    let ledger = Ledger()
    try snapshot.count([Counts(fleet, losses, recent)], into: ledger)
    return DiagnosisEvidence(
      fleet: ledger[fleet], losses: ledger[losses], recent: ledger[recent], impossible: ImpossibleDevices(),
      wakeUps: [],
      verdicts: [], funnels: [], counting: fleet, level: extent.level)
  }
}
