internal import Console
internal import HTTP
internal import Ingest
internal import Lifecycle
internal import Store

/// What a client gives as proof of what it is, and the device that it stands for.
struct AttestationToken: Sendable {
  var device: AttestedDevice
  /// As the client sends it: the command holds it against what the platform signed.
  var id: String
  var text: String

  /// Longer ones are not taken: App Attest's first takes about 8,000 characters, all others less.
  static let longest = 12 << 10

  /// A line for the command.
  func line(_ number: Int) -> [UInt8] {
    let fields: JSON = [
      "id": .integer(number), "app": .string(device.app), "device": .string(id), "at": .string(device.at.rfc3339),
      "token": .string(text),
    ]
    return Array((fields.text(.compact) + "\n").utf8)
  }
}

extension Service {
  /// Hands on the token that came with events which are stored now. Nobody waits for what becomes of it.
  func offerToken(_ request: Request, _ batch: EventBatch) {
    guard let attestation, let token = request.headers["x-uptake-attestation"], !token.isEmpty else { return }
    guard token.utf8.count <= AttestationToken.longest, let id = request.headers["x-uptake-device"],
      let device = attestedDevice(id, batch, attestation)
    else { return attestation.outcomes.add(1, "unfitting") }
    attestation.take(AttestationToken(device: device, id: id, text: token))
  }

  /// The device must be one that the events are of.
  private func attestedDevice(_ id: String, _ batch: EventBatch, _ keeper: AttestationKeeper) -> AttestedDevice? {
    var hashes: [String: DeviceHash] = [:]
    for event in batch.events {
      let app = batch.contexts[Int(event.context)].app
      let hash = hashes[app] ?? log.identityKeys.device(app: app, id: id)
      hashes[app] = hash
      guard event.device == hash else { continue }
      return AttestedDevice(device: hash, app: app, at: batch.received ?? now, generation: keeper.generation)
    }
    return nil
  }
}
