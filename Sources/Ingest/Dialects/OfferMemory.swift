public import Lifecycle
import Locks
import Store

/// What update servers offered each device last, what it has under way, or what waits on it for the next start, for clients that
/// do not name it, or name it as what runs.
///
/// In memory only: an update takes minutes, and what a restart forgets is counted as dropped. Of what waits for days, each
/// client's page says what that means.
public final class OfferMemory: Sendable {
  private struct State {
    var offers: DeviceMemory
    /// Of each name one copy: a fleet shares a few.
    var names: Set<String> = []

    mutating func shared(_ name: String) -> String {
      names.count < 10_000 ? names.insert(name).memberAfterInsert : name
    }
  }
  private let state: Lock<State>

  /// - Parameter limit: devices of all apps, shared as in `DeviceMemory`: on half of a large fleet an update may wait.
  public init(limit: Int = 2_000_000) { state = Lock(State(offers: DeviceMemory(limit: limit))) }

  /// A name that no event may have is not remembered, however long it is. It may be two, as `NamedReleases` notes them.
  public func remember(_ release: String, of device: DeviceHash, app: String) {
    state.withLock { state in
      if release.utf8.count > 2 * Field.release.limit + 1 {
        state.offers.forget(device, app: app)
      } else {
        state.offers.remember(state.shared(release), of: device, app: app)
      }
    }
  }

  public func release(offeredTo device: DeviceHash, app: String) -> String? {
    state.withLock { $0.offers.word(of: device, app: app) }
  }

  /// Answers whether there was something.
  @discardableResult
  public func forget(_ device: DeviceHash, app: String) -> Bool {
    state.withLock { $0.offers.forget(device, app: app) }
  }
}
