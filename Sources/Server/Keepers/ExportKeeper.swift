internal import Answers
public import Console
internal import Dispatch
internal import Glibc
public import HTTP
internal import Ingest
public import Lifecycle
internal import Locks
internal import Report
internal import Store
internal import Synchronization

/// Tells others what the settings ask for, beside the requests: looks for news at intervals, and sends what waits when it
/// is due.
public final class ExportKeeper: Sendable {
  public struct Entry: Sendable {
    var order: ExportOrder
    var every: Swift.Duration
    var client: HTTPClient

    public init(order: ExportOrder, every: Swift.Duration, client: HTTPClient) {
      (self.order, self.every, self.client) = (order, every, client)
    }
  }
  /// How one receiver stands, for metrics.
  struct Status: Sendable {
    var standing: ExportStanding
    /// Entries whose newest look for news failed: several may be about one receiver.
    var failed: Set<Int> = []

    var isFailing: Bool { !failed.isEmpty || standing.isFailing }
  }
  private struct State {
    var due: [ContinuousClock.Instant]
    /// When an entry looks for news again; what waits may be due before.
    var newsDue: [ContinuousClock.Instant]
    var status: [String: Status] = [:]
    var isAtWork = false
  }

  let entries: [Entry]
  private let database: String
  private let journal: ServiceLog
  /// What looks for news.
  private let runner: ChoreRunner
  private let clock: @Sendable () -> Instant
  private let state: Lock<State>
  private let isStopping = Atomic(false)
  /// Looking for news takes at most this share of the time of one core.
  private static let rest = 9.0
  /// Before the health checks call what waits late, which is after a day.
  private static let forsakenAfter = Milliseconds.hours(12)
  /// After so long another receiver has its turn, however much waits for a slow one.
  private let turn: Swift.Duration

  /// - Parameter worker: how a process begins that looks for news; nil looks in the service itself.
  public init(
    _ entries: [Entry], database: String, worker: ProcessStart? = nil, journal: ServiceLog,
    turn: Swift.Duration = .seconds(10), clock: @escaping @Sendable () -> Instant
  ) {
    self.turn = turn
    (self.entries, self.database, self.journal, self.clock) = (entries, database, journal, clock)
    runner = ChoreRunner(worker, clock: clock)
    let now = entries.map { _ in ContinuousClock.now }
    state = Lock(State(due: now, newsDue: now))
  }

  /// Refuses two entries for one place with different secrets: what is sent is remembered by place, and the second would
  /// never be told what the first was.
  public static func check(_ entries: [Entry]) throws(Failure) {
    var secrets: [String: String] = [:]
    for (place, entry) in entries.enumerated() {
      let name = entry.order.destination.identity(entry.order.target)
      guard secrets[name] ?? entry.order.destination.secret == entry.order.destination.secret else {
        throw Failure(
          "two_secrets", "\(name) is there twice, with different secrets", place: "[[export]] \(place + 1)",
          why: "what was sent is remembered by place, and only one of them would be told",
          hints: ["run a second service for the other one, or send there with uptake export"], exit: .usage)
      }
      secrets[name] = entry.order.destination.secret
    }
  }

  /// Processes that ended before they were done, by the chore.
  var endedProcesses: Counter { runner.ended }

  var statuses: [Status] { state.withLock { $0.status.sorted { $0.key < $1.key }.map(\.value) } }

  /// Begins with what is due, unless something is being done.
  func beginWhatIsDue() {
    let due = state.withLock { state -> [Int] in
      guard !state.isAtWork else { return [] }
      let due = state.due.indices.filter { state.due[$0] <= .now }
      state.isAtWork = !due.isEmpty
      return due
    }
    guard !due.isEmpty else { return }
    QuietThread.start("uptake.exports") { [self] in
      for place in due where !isStopping.load(ordering: .relaxed) { look(place) }
      state.withLock { $0.isAtWork = false }
    }
  }

  /// Waits a little for a request that is under way; what is not answered by then is sent again at the next start.
  func stop() {
    isStopping.store(true, ordering: .relaxed)
    for _ in 0..<300 where state.withLock({ $0.isAtWork }) { usleep(10_000) }
  }

  private func look(_ place: Int) {
    let entry = entries[place]
    let name = entry.order.destination.identity(entry.order.target)
    let isForNews = state.withLock { $0.newsDue[place] <= .now }
    var (next, hasFailed) = (Timestamp?.none, false)
    do { next = try export(place, isForNews) } catch {
      hasFailed = true
      let reason = entry.order.redaction(ChoreFailure(error).description)
      journal.write(.error, "export_failed", ["target": .string(name), "reason": .string(reason)])
    }
    let retry = next.map { ContinuousClock.now + .seconds(max(0.1, Double($0.rawValue - clock().rawValue) / 1000)) }
    let standing = try? Registry(existing: database).exportStandings().first { $0.target == name }
    state.withLock { [hasFailed] state in
      state.due[place] = min(state.newsDue[place], retry ?? state.newsDue[place])
      var status = state.status[name] ?? Status(standing: ExportStanding(target: name))
      status.standing = standing ?? status.standing
      if hasFailed { status.failed.insert(place) } else if isForNews { status.failed.remove(place) }
      state.status[name] = status
    }
  }

  /// When there is something to try again; nil where nothing waits.
  private func export(_ place: Int, _ isForNews: Bool) throws -> Timestamp? {
    let entry = entries[place]
    let exporter = Exporter(
      order: entry.order, registry: try Registry(existing: database),
      clock: { [clock] in Timestamp(rawValue: clock().rawValue) })
    let new = isForNews ? try lookForNews(place, exporter) : 0
    let end = ContinuousClock.now + turn
    let isOver = { [self] in isStopping.load(ordering: .relaxed) || .now >= end }
    guard let tally = try inTurn(exporter, { try $0.send(entry.client, isOver: isOver) }) else {
      return Timestamp(rawValue: clock().rawValue) + .seconds(5)
    }
    guard new > 0 || tally.sent > 0 || tally.refused > 0 || tally.reason != nil else { return tally.nextAt }
    journal.write(
      tally.reason == nil ? .info : .warning, tally.reason == nil ? "exported" : "export_failed",
      [
        "target": .string(exporter.identity), "sent": .integer(tally.sent), "refused": .integer(tally.refused),
        "waiting": .integer(tally.waiting), "reason": tally.reason.map(JSON.string) ?? .null,
      ])
    return tally.nextAt
  }
}

extension ExportKeeper {
  /// How many facts nobody had noticed. A receiver that is slow, or is tried again, makes nobody look more often.
  private func lookForNews(_ place: Int, _ exporter: Exporter) throws -> Int {
    let every = entries[place].every / .seconds(1)
    func again(after seconds: Double) { state.withLock { $0.newsDue[place] = .now + .seconds(seconds) } }
    again(after: every)
    let news = try runner.result(of: NewsChore(entries[place].order, database: database)) {
      isStopping.load(ordering: .relaxed)
    }
    again(after: max(every, Self.rest * news.seconds))
    try tellStrangeChannels(entries[place].order)
    try dropForsaken(exporter)
    return try exporter.remember(news.value)
  }

  /// What no entry tells of any more, as one was narrowed to other apps or channels, would wait for ever. Not at once: a command that
  /// tells of more may be about to try again.
  private func dropForsaken(_ exporter: Exporter) throws {
    let choices = entries.map(\.order).filter { $0.destination.identity($0.target) == exporter.identity }.map(\.choice)
    let end = Timestamp(rawValue: clock().rawValue) - Self.forsakenAfter
    let left = try exporter.registry.unsent(exporter.identity).filter { record in
      record.noticedAt < end && !choices.contains { $0.covers(app: record.app, channel: record.channel) }
    }
    guard !left.isEmpty else { return }
    try exporter.registry.forget(left)
    journal.write(
      .info, "export_dropped",
      [
        "target": .string(exporter.identity), "facts": .integer(left.count),
        "reason": .string("no [[export]] tells of their app and channel any more"),
      ])
  }

  /// Once a day: an entry that tells of no channel that there is looks like one with nothing to tell.
  private func tellStrangeChannels(_ order: ExportOrder) throws {
    guard !order.choice.channels.isEmpty else { return }
    let (strange, known) = order.choice.strangeChannels(try Snapshot(path: database).vocabulary)
    for channel in strange {
      let target = order.destination.identity(order.target)
      journal.writeSparingly(
        .warning, "export_channel_unknown", about: target + " " + channel, every: .seconds(86_400),
        [
          "target": .string(target), "channel": .string(channel), "known": .array(known.map(JSON.string)),
          "reason": .string("nothing was ever on this channel, so nothing is told of it"),
        ])
    }
  }

  /// nil while another process sends there, such as `uptake export`.
  private func inTurn(_ exporter: Exporter, _ send: (Exporter) throws -> Exporter.Tally) throws -> Exporter.Tally? {
    do { return try send(exporter) } catch let error as StoreError where error.isOfOtherSender {
      journal.writeSparingly(
        .info, "export_waits", ["target": .string(exporter.identity), "reason": .string(error.description)])
      return nil
    }
  }
}

extension Service {
  func write(_ exports: ExportKeeper, to text: inout MetricsText) {
    let statuses = exports.statuses
    func rows(_ value: (ExportKeeper.Status) -> Double) -> [(labels: [(String, String)], value: Double)] {
      statuses.map { ([("target", $0.standing.target)], value($0)) }
    }
    let facts = statuses.flatMap { status in
      [
        ("sent", status.standing.sent), ("waiting", status.standing.waiting), ("refused", status.standing.refused),
      ].map { outcome, count in
        (labels: [("target", status.standing.target), ("outcome", outcome)], value: Double(count))
      }
    }
    text.gauge("uptake_export_facts", "Facts that receivers are told of", rows: facts)
    text.gauge(
      "uptake_export_last_success_timestamp_seconds", "When the receiver took something; 0 for never",
      rows: rows { Double($0.standing.sentAt?.seconds ?? 0) })
    text.gauge("uptake_export_failing", "1 where the newest attempt failed", rows: rows { $0.isFailing ? 1 : 0 })
    text.gauge(
      "uptake_export_paused_until_timestamp_seconds", "Until when the receiver asked for quiet",
      rows: rows { Double($0.standing.pausedUntil.seconds) })
  }
}
