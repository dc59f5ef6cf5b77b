internal import Answers
internal import Console
internal import Glibc
internal import Lifecycle
internal import Locks
internal import Query
internal import Store
internal import Synchronization

/// Judges the newest release of each channel beside the requests, as `uptake status` does, for `/metrics`.
///
/// Only while somebody reads the metrics: the first scrape wakes it, and finds nothing yet; a scrape never waits for an answer.
final class VerdictKeeper: Sendable {
  private struct State {
    var figures: VerdictFigures?
    /// Somebody reads them until then.
    var wantedUntil: ContinuousClock.Instant?
    var due = ContinuousClock.now
    var isAtWork = false
  }

  private let path: String
  private let judging: Verdict.Options
  private let journal: ServiceLog
  private let runner: ChoreRunner
  private let state = Lock(State())
  private let isStopping = Atomic(false)
  /// Channels, and apps: each is a handful of time series, and an ingest key can make up channels.
  private let most: Int
  /// Seconds between two, at least.
  private let every: Double
  private static let wanted = Swift.Duration.seconds(600)

  init(
    path: String, judging: Verdict.Options, journal: ServiceLog, runner: ChoreRunner, most: Int = 100,
    every: Double = 15
  ) {
    (self.path, self.judging, self.journal, self.runner) = (path, judging, journal, runner)
    (self.most, self.every) = (most, every)
  }

  /// Nil until they were first made.
  var figures: VerdictFigures? { state.withLock { $0.figures } }

  /// Somebody reads them, and will again.
  func want() { state.withLock { $0.wantedUntil = .now + Self.wanted } }

  /// Begins to judge, unless nobody wants it, it is being done, or it was done just now.
  func beginWhenDue() {
    let begins = state.withLock { state in
      let isWanted = state.wantedUntil.map { $0 > .now } ?? false
      guard isWanted, !state.isAtWork, state.due <= .now else { return false }
      state.isAtWork = true
      return true
    }
    guard begins else { return }
    QuietThread.start("uptake.verdicts") { [self] in
      work()
    }
  }

  /// No further app is begun; waits a little for the one at hand.
  func stop() {
    isStopping.store(true, ordering: .relaxed)
    for _ in 0..<300 where state.withLock({ $0.isAtWork }) { usleep(10_000) }
  }

  /// Seconds until the next turn. Judging takes a tenth of the time of one core, and more only where a turn takes over a minute: the
  /// next one begins within ten, however many apps there are, as `UptakeVerdictsOld` fires at 15.
  ///
  /// - Parameter seconds: of a processor, that the last turn took: a machine that is busy with other work makes no rest longer.
  static func rest(after seconds: Double, every: Double) -> Double { max(every, min(600, 9 * seconds)) }

  private func work() {
    var seconds = 0.0
    do { try judge(&seconds) } catch { told(error, of: nil) }
    state.withLock { [seconds] state in
      state.due = .now + .seconds(Self.rest(after: seconds, every: every))
      state.isAtWork = false
    }
  }

  /// Each app is told of as soon as it is judged; those after it stand meanwhile as they stood.
  private func judge(_ seconds: inout Double) throws {
    let (before, known) = (figures, try known())
    var made = VerdictFigures(most: most, lastBackup: known.lastBackup)
    for (index, app) in known.apps.enumerated() where !isStopping.load(ordering: .relaxed) {
      let old = before?.standings.first { $0.app == app }
      if let standing = standing(app, made.room, &seconds) ?? old { made.add(standing) }
      show(made.with(before, of: known.apps[(index + 1)...]))
    }
    if known.apps.isEmpty { show(made) }
  }

  private func show(_ figures: VerdictFigures) { state.withLock { $0.figures = figures } }

  /// What a moment of the database says. It is not held open while apps are judged: the write-ahead log would grow meanwhile.
  private func known() throws -> (apps: [String], lastBackup: Timestamp?) {
    let snapshot = try Snapshot(path: path)
    return (snapshot.vocabulary.apps, try snapshot.lastBackup())
  }

  /// Nil where it cannot be told now; one app leaves the others alone.
  private func standing(_ app: String, _ room: Int, _ seconds: inout Double) -> VerdictChore.Done? {
    let chore = VerdictChore(database: path, app: app, judging: judging, room: room)
    let begin = ContinuousClock.now
    do {
      let result = try runner.result(of: chore) { isStopping.load(ordering: .relaxed) }
      seconds += result.seconds
      return result.value
    } catch {
      // What it took of a processor is not known.
      seconds += (ContinuousClock.now - begin) / .seconds(1)
      if !isStopping.load(ordering: .relaxed) { told(error, of: app) }
      return nil
    }
  }

  private func told(_ error: any Error, of app: String?) {
    journal.writeSparingly(
      .error, "verdicts_failed",
      [
        "app": app.map(JSON.string) ?? .null, "reason": .string(ChoreFailure(error).description),
        "effect": .string("/metrics keeps the figures that were made last"),
      ])
  }
}
