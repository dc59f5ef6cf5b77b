import Lifecycle

/// Writes events as the fields of the ingest contract.
///
/// iOS clients send times as RFC 3339, Android clients as milliseconds; both occur in the wild.
struct Wire: Sendable {
  /// Whether each event carries `received` and `sentAt`, for imports that want the times of transport.
  let stampsTransport: Bool
  private let app: [UInt8]
  private let releases: [[UInt8]]
  private let origins: [[UInt8]]
  private let channels: [[UInt8]]
  private let campaigns: [[UInt8]]
  private let models: [[[UInt8]]]
  let words = Words()

  init(_ world: World, stampsTransport: Bool) {
    self.stampsTransport = stampsTransport
    app = field("app", world.scenario.app)
    releases = world.releases.map { field("release", $0.label) }
    origins = world.releases.map { field("from", $0.label) }
    channels = world.scenario.channels.map { field("channel", $0.name) }
    campaigns = world.campaigns.map { field("push", $0.name) }
    models = Platform.allCases.map(modelFields)
  }

  /// What every event of a device begins with.
  func setPrefix(of traits: Traits, in scenario: Scenario, into bytes: inout [UInt8]) {
    bytes.removeAll(keepingCapacity: true)
    append(device: traits.key, to: &bytes)
    bytes += models[Int(traits.platform.rawValue)][Int(traits.osVersion) * appVersions.count + Int(traits.appVersion)]
    if traits.emulator { bytes += words.emulator }
    if scenario.client.reportsBucket {
      bytes += words.bucket
      append(Int64(traits.bucket), to: &bytes)
    }
    if scenario.silentPush.holdout > 0 { bytes += traits.isHeldOut(scenario) ? words.heldOut : words.pushed }
  }

  func append(_ record: Record, of traits: Traits, envelope: Envelope, prefix: [UInt8], to bytes: inout [UInt8]) {
    bytes += prefix
    append(identity: mixed(traits.key ^ mixed(UInt64(record.sequence) &+ 1 << 40)), to: &bytes)
    bytes += words.stages[Int(record.stage.code)]
    if let trigger = record.trigger { bytes += words.triggers[Int(trigger.code)] }
    append(at: record.at + traits.skew, asText: traits.platform == .ios, to: &bytes)
    if record.channel != 0 { bytes += channels[Int(record.channel)] }
    if record.release != .none { bytes += releases[Int(record.release)] }
    appendRare(record, to: &bytes)
    if stampsTransport {
      bytes += words.received
      append(envelope.received.rawValue, to: &bytes)
      bytes += words.sentAt
      append(envelope.sentAt.rawValue, to: &bytes)
    }
    bytes += words.end
  }

  private func appendRare(_ record: Record, to bytes: inout [UInt8]) {
    if record.from != .none { bytes += origins[Int(record.from)] }
    if record.network != .none { bytes += words.networks[Int(record.network.rawValue)] }
    if let outcome = record.outcome { bytes += words.outcomes[Int(outcome.code)] }
    if record.reason != .none { bytes += words.reasons[Int(record.reason.rawValue)] }
    if record.duration >= 0 { append(words.duration, Int64(record.duration), to: &bytes) }
    if record.bytes >= 0 { append(words.bytes, Int64(record.bytes), to: &bytes) }
    switch record.push {
    case .none: break
    case .campaign(let number): bytes += campaigns[Int(number)]
    case .notice(let number):
      append(words.notice, Int64(number), to: &bytes)
      bytes += words.quote
    }
    if let state = record.appState {
      bytes += words.appStates[AppState.allCases.firstIndex(of: state) ?? 0]
      bytes += record.isStarting ? words.starting : words.notStarting
    }
  }

  /// The push server's report about one device.
  func append(
    push campaign: Int, release: Int, to traits: Traits, channel: UInt8, accepted: Bool, at instant: Timestamp,
    bytes: inout [UInt8]
  ) {
    append(device: traits.key, to: &bytes)
    bytes += words.platforms[Int(traits.platform.rawValue)]
    append(identity: mixed(traits.key ^ mixed(UInt64(campaign) &+ 1 << 41)), to: &bytes)
    bytes += words.stages[Int(Stage.pushSent.code)]
    append(at: instant, asText: true, to: &bytes)
    if channel != 0 { bytes += channels[Int(channel)] }
    bytes += releases[release]
    bytes += campaigns[campaign]
    bytes += words.outcomes[Int(accepted ? Outcome.accepted.code : Outcome.rejected.code)]
    if stampsTransport { append(words.received, (instant + .seconds(1)).rawValue, to: &bytes) }
    bytes += words.end
  }

  private func append(device key: UInt64, to bytes: inout [UInt8]) {
    bytes += words.device
    appendID(key, to: &bytes)
    bytes += words.quote
    bytes += app
  }

  private func append(_ field: [UInt8], _ number: Int64, to bytes: inout [UInt8]) {
    bytes += field
    append(number, to: &bytes)
  }
}
