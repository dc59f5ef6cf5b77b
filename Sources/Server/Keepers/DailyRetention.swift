internal import Answers
internal import Console
internal import Dispatch
internal import Ingest
public import Lifecycle
internal import Locks
internal import Store
internal import Synchronization

/// Takes old single events out as the service starts and every day or hour from then on, as `uptake retain` does.
public final class DailyRetention: Sendable {
  public struct Rule: Sendable {
    public var keeps: Milliseconds
    /// The folder, made where there is none; nil where older events are dropped.
    public var archives: String?
    /// From the end of one to the next.
    public var every: Swift.Duration

    public init(keeps: Milliseconds, archives: String?, every: Swift.Duration = .seconds(86_400)) {
      (self.keeps, self.archives, self.every) = (keeps, archives, every)
    }
  }

  private let service: Service
  private let rule: Rule
  private let queue = DispatchQueue(label: "uptake.retention", qos: .utility)
  private let retry: Swift.Duration
  private let isStopping = Atomic(false)
  /// After one that failed, such as on a full disk: a day is too long for what makes room.
  static let retry = Swift.Duration.seconds(600)

  public convenience init(_ service: Service, _ rule: Rule) {
    self.init(service, rule, retry: Self.retry)
  }

  init(_ service: Service, _ rule: Rule, retry: Swift.Duration) {
    (self.service, self.rule, self.retry) = (service, rule, retry)
    service.planRetention(rule)
    run()
  }

  /// Begins no further one. A service that ends amid one goes on at its next start.
  public func stop() { isStopping.store(true, ordering: .relaxed) }

  /// The next one is due so long after this one is done.
  private func run() {
    queue.async { [self] in
      guard !isStopping.load(ordering: .relaxed) else { return }
      let failure = retain()
      let hasWorked = failure == nil
      service.retention.withLock { $0.note(hasWorked ? service.now : nil) }
      // On a full disk that cannot be noted; then much else tells it.
      try? service.log.noteRetention(failure: failure, at: service.now)
      let pause = hasWorked ? rule.every : retry
      queue.asyncAfter(deadline: .now() + pause / .seconds(1)) { [self] in run() }
    }
  }

  private func hold(_ last: Timestamp, _ now: Timestamp) -> String {
    service.journal.writeSparingly(
      .error, "retention_held",
      [
        "since": .string(last.rfc3339), "now": .string(now.rfc3339),
        "hint": .string(
          "the clock has leapt further than a service rests, and no devices agree with it yet: nothing is dropped; "
            + "set the clock right, or run uptake retain by hand"),
      ])
    return "the clock has leapt since \(last.words), and nothing is dropped by it"
  }

  /// Answers why it failed; nil where it worked.
  private func retain() -> String? {
    do throws(StoreError) {
      let now = service.now
      // What a warehouse has is not lost.
      if rule.archives == nil, service.shipping == nil, let last = try service.log.retentionLeap(to: now) {
        let why = hold(last, now)
        // From there it is counted also when events of the new time have come.
        try service.log.noteRetention(last)
        return why
      }
      let log = service.log
      let folder: String? = if let path = rule.archives { try ArchiveFolder.made(path, for: log.path) } else { nil }
      try service.log.settle()
      let report = try service.log.retain(
        before: now - rule.keeps, archives: folder,
        // A warehouse that was never reached yet lacks all of it.
        onlyShipped: service.shipping != nil)
      try service.log.noteRetention(now)
      service.journal.write(
        .info, "retained",
        ["events": .integer(Int(report.events)), "archives": .array(report.archives.map(JSON.string))])
      return nil
    } catch {
      service.journal.write(.error, "retention_failed", ["reason": .string(error.description)])
      return error.description
    }
  }
}

/// How the newest retention went, for metrics.
struct RetentionStatus: Sendable {
  private(set) var isFailing = false
  private(set) var succeeded: Timestamp?

  /// - Parameter success: when it worked; nil where it did not.
  mutating func note(_ success: Timestamp?) {
    isFailing = success == nil
    succeeded = success ?? succeeded
  }
}

extension Service {
  /// Tells whoever asks the file whether old events are to be taken out of it.
  ///
  /// - Parameter rule: nil where they are not.
  public func planRetention(_ rule: DailyRetention.Rule?) {
    let every = rule.map { Milliseconds(rawValue: Int64($0.every / .milliseconds(1))) }
    do { try log.planRetention(every: every, at: now) } catch {
      journal.writeSparingly(.error, "retention_not_noted", ["reason": .string(error.description)])
    }
  }

  func write(_ retention: RetentionStatus, to text: inout MetricsText) {
    text.gauge(
      "uptake_retention_failing", "1 where old events could not be taken out", retention.isFailing ? 1 : 0)
    text.gauge(
      "uptake_retention_last_success_timestamp_seconds",
      "When old events were last taken out; 0 for never since the start",
      Double(retention.succeeded?.seconds ?? 0))
  }
}
