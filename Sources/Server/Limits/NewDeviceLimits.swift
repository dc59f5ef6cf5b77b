internal import HTTP
internal import Ingest
internal import Lifecycle
internal import Locks
internal import Store

/// Keeps a holder of a public key from filling the database with made-up devices: each key may bring so many new ones a minute.
///
/// Beyond that a request is refused as a whole, to be sent again: of a fleet that really grows so fast nothing is lost. Until the
/// first key is made only this machine sends, and what runs here was let in by the operator.
final class NewDeviceLimits: Sendable {
  private struct State {
    var known = KnownDevices()
    var buckets: TokenBuckets
    var burst: DeviceBurst?
    /// Whether the devices of the database are known. Until then nobody is limited, or each of them would count as new.
    var isReady = false
  }
  private let perMinute: Int
  private let state: Lock<State>
  /// Requests that were refused, and devices that were not seen before.
  let refused = Counter()
  let brought = Counter()

  /// How many minutes' worth may come at once: the first push to a fleet wakes many that nobody knows.
  static let burstMinutes = 20

  /// - Parameter perMinute: 0 is no limit.
  init(perMinute: Int) {
    self.perMinute = perMinute
    state = Lock(
      State(buckets: TokenBuckets(perMinute: max(1, perMinute), burst: max(1, perMinute) * Self.burstMinutes)))
  }

  /// Takes note of the batch's devices, or says why the batch is not to be stored.
  func excess(of batch: EventBatch, key: Int64?, now: Timestamp) -> NewDeviceExcess? {
    guard perMinute > 0 else { return nil }
    let devices = batch.devices
    return state.withLock { state in
      let new = state.isReady ? devices.count { !state.known.contains($0) } : 0
      if new > 0, let key {
        let client = UInt64(bitPattern: key)
        if let wait = state.buckets.takeWhileAnyIsLeft(client, count: new, now: MonotonicClock.nanoseconds()) {
          refused.add(1)
          state.burst = DeviceBurst(at: now, key: key, refused: refused.total)
          return NewDeviceExcess(perMinute: perMinute, nanoseconds: wait)
        }
      }
      brought.add(new)
      for device in devices { state.known.insert(device) }
      return nil
    }
  }

  /// The newest, once.
  func takeBurst() -> DeviceBurst? {
    state.withLock { state in
      defer { state.burst = nil }
      return state.burst
    }
  }

  /// Learns what the database holds. `isStopping` is asked now and then.
  func learn(_ log: EventLog, _ isStopping: () -> Bool) throws(StoreError) {
    guard perMinute > 0 else { return }
    try log.eachDevice { devices in
      state.withLock { state in for device in devices { state.known.insert(device) } }
      return !isStopping()
    }
    state.withLock { $0.isReady = true }
  }
}

extension EventBatch {
  /// Each once.
  fileprivate var devices: [DeviceHash] {
    events.count == 1 ? [events[0].device] : Array(Set(events.lazy.map(\.device)))
  }
}

/// A request with more new devices than its key may bring now.
struct NewDeviceExcess {
  private let perMinute: Int
  /// When one would be taken again; an hour at most, so that a limit that is lifted is noticed.
  let seconds: Int

  init(perMinute: Int, nanoseconds: Int64) {
    self.perMinute = perMinute
    seconds = Int(min(3600, max(1, (nanoseconds + 999_999_999) / 1_000_000_000)))
  }

  private var message: String {
    "this key brings more than \(perMinute) new devices a minute; nothing was stored, send the request again in \(seconds) s"
  }

  var response: Response {
    Response.error(429, code: "too_many_new_devices", message).retry(after: seconds)
  }

  var problem: DialectProblem { DialectProblem(.limited(seconds: seconds), message) }
}
