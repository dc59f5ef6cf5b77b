internal import Ingest
internal import Lifecycle
internal import Locks

/// What the devices of one request name, for native events in shapes that leave it out. It is remembered only of events that are stored:
/// what is refused says nothing.
final class NamedNotes: Sendable {
  private struct Device {
    var app: String
    var words: String?
    var namings: [NamedReleases.Naming] = []
  }
  private struct Stored: Hashable {
    var device: DeviceHash
    var naming: NamedReleases.Naming
  }
  private let service: Service
  private let devices = Lock<[DeviceHash: Device]>([:])

  init(_ service: Service) { self.service = service }

  var releases: NamedReleases {
    NamedReleases(
      last: { [self] app, id in last(service.device(app, id), app) },
      note: { [self] naming, app, id in
        let device = service.device(app, id)
        let words = last(device, app)
        devices.withLock { devices in
          devices[device, default: Device(app: app)].words = naming.words(after: words) ?? words
          devices[device]?.namings.append(naming)
        }
      })
  }

  private func last(_ device: DeviceHash, _ app: String) -> String? {
    devices.withLock { $0[device]?.words } ?? service.offers.release(offeredTo: device, app: app)
  }

  /// Called once the events are stored.
  func keep(_ decoded: Decoded) {
    let devices = devices.withLock { $0 }
    let stored = decoded.rejected.total == 0 ? nil : Self.stored(decoded.batch, of: devices)
    for (device, noted) in devices {
      let known = service.offers.release(offeredTo: device, app: noted.app)
      let kept = noted.namings.filter { stored?.contains(Stored(device: device, naming: $0)) ?? true }
      let words = kept.reduce(known) { $1.words(after: $0) ?? $0 }
      if words != known { service.offers.remember(words, of: device, app: noted.app) }
    }
  }

  private static func stored(_ batch: EventBatch, of devices: [DeviceHash: Device]) -> Set<Stored> {
    var found: Set<Stored> = []
    for event in batch.events where devices[event.device] != nil {
      let release = batch.names[Int(event.release.rawValue)]
      found.insert(Stored(device: event.device, naming: .init(stage: event.stage, release: release)))
    }
    return found
  }
}
