internal import Ingest
internal import Lifecycle
internal import Locks

/// What the devices of one request named last, for native events in shapes that leave it out. It is remembered only once all of them
/// are stored: what is refused, or sent again, says nothing.
final class NamedNotes: Sendable {
  private struct Note {
    var words: String
    var device: DeviceHash
    var app: String
  }
  private let service: Service
  private let notes = Lock<[Note]>([])

  init(_ service: Service) { self.service = service }

  var releases: NamedReleases {
    NamedReleases(
      last: { [self] app, id in
        let device = service.device(app, id)
        let own = notes.withLock { $0.last { $0.device == device && $0.app == app }?.words }
        return own ?? service.offers.release(offeredTo: device, app: app)
      },
      note: { [self] words, app, id in
        let device = service.device(app, id)
        notes.withLock { notes in
          notes.removeAll { $0.device == device && $0.app == app }
          notes.append(Note(words: words, device: device, app: app))
        }
      })
  }

  func keep(_ decoded: Decoded) {
    guard decoded.rejected.total == 0 else { return }
    for note in notes.withLock({ $0 }) { service.offers.remember(note.words, of: note.device, app: note.app) }
  }
}
