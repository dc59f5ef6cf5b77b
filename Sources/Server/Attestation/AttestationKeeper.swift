internal import Console
internal import Glibc
internal import Ingest
internal import Lifecycle
internal import Locks
internal import Store
internal import Synchronization

/// Tokens that wait to be verified, beside the requests that brought them: where there is no answer, the device stays as
/// it is.
final class AttestationKeeper: Sendable {
  private struct State {
    var waiting: [AttestationToken] = []
    var bytes = 0
    var generation: Int64 = -1
    /// Devices that were marked since the service began, and when last.
    var marked: [DeviceHash: Timestamp] = [:]
    var isAtWork = false
  }

  let command: String
  let journal: ServiceLog
  let log: EventLog
  /// What became of tokens.
  let outcomes = Counter()
  let starts = Counter()
  private let state = Lock(State())
  private let arrived = Bell()
  private let isStopping = Atomic(false)

  private static let mostWaiting = 2000
  private static let mostBytes = 8 << 20
  /// A device that was marked is not verified again for so long.
  private static let rest = Milliseconds.hours(24)
  private static let mostRemembered = 200_000

  init(_ command: String, _ log: EventLog, _ journal: ServiceLog) {
    (self.command, self.log, self.journal) = (command, log, journal)
  }

  var waiting: Int { state.withLock { $0.waiting.count } }
  var generation: Int64 { state.withLock { $0.generation } }
  var mayGoOn: Bool { !isStopping.load(ordering: .relaxed) }

  /// What does not fit is left out: the client sends its token with other events, too.
  func take(_ token: AttestationToken) {
    let outcome: String? = state.withLock { state in
      if let last = state.marked[token.device.device], token.device.at - last < Self.rest { return "known" }
      guard state.waiting.count < Self.mostWaiting, state.bytes + token.text.utf8.count <= Self.mostBytes else {
        return "full"
      }
      state.waiting.append(token)
      state.bytes += token.text.utf8.count
      return nil
    }
    if let outcome { outcomes.add(1, outcome) } else { arrived.signal() }
  }

  /// The oldest, as many as there is room for.
  func next(_ most: Int) -> [AttestationToken] {
    state.withLock { state in
      let tokens = Array(state.waiting.prefix(most))
      state.waiting.removeFirst(tokens.count)
      state.bytes -= tokens.reduce(0) { $0 + $1.text.utf8.count }
      return tokens
    }
  }

  /// Returns when a token came, or after a second.
  func rest() { arrived.wait(.seconds(1)) }

  /// Keeps what was accepted. Where it cannot be written, the devices stay as they were.
  func mark(_ devices: [AttestedDevice]) {
    do throws(StoreError) {
      if !devices.isEmpty { try log.attest(devices) }
      let generation = try log.generation()
      state.withLock { state in
        state.generation = generation
        if state.marked.count > Self.mostRemembered { state.marked = [:] }
        for one in devices { state.marked[one.device] = one.at }
      }
    } catch {
      journal.writeSparingly(.error, "devices_not_marked", ["reason": .string(error.description)])
    }
  }

  func start() {
    mark([])
    state.withLock { $0.isAtWork = true }
    QuietThread.start("uptake.attest") { [self] in
      var dialogue = AttestationDialogue(self)
      while mayGoOn { dialogue.goOn() }
      dialogue.finish()
      state.withLock { $0.isAtWork = false }
    }
  }

  func stop() {
    isStopping.store(true, ordering: .relaxed)
    arrived.signal()
    for _ in 0..<500 where state.withLock({ $0.isAtWork }) { usleep(10_000) }
  }
}

extension Service {
  func write(_ attestation: AttestationKeeper, to text: inout MetricsText) {
    text.counter(
      "uptake_attestation_tokens_total", "Attestation tokens of devices, and what became of them", labels: ["outcome"],
      attestation.outcomes)
    text.gauge("uptake_attestation_waiting", "Tokens that wait to be verified", Double(attestation.waiting))
    text.counter(
      "uptake_attestation_starts_total", "Times that the command for tokens was started", attestation.starts.total)
  }
}
