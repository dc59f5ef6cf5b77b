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
  struct Figures: Sendable {
    /// In order of the app.
    var standings: [VerdictChore.Done] = []
    /// Channels beyond the first so many, and apps.
    var leftOut = 0
    var lastBackup: Timestamp?
  }
  private struct State {
    var figures: Figures?
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
  /// Judging takes at most this share of the time of one core.
  private static let rest = 9.0
  private static let wanted = Swift.Duration.seconds(600)

  init(
    path: String, judging: Verdict.Options, journal: ServiceLog, runner: ChoreRunner, most: Int = 100,
    every: Double = 15
  ) {
    (self.path, self.judging, self.journal, self.runner) = (path, judging, journal, runner)
    (self.most, self.every) = (most, every)
  }

  /// Nil until they were first made.
  var figures: Figures? { state.withLock { $0.figures } }

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

  private func work() {
    let (begin, before) = (ContinuousClock.now, figures)
    var made = Figures?.none
    do { made = try judge(before) } catch { told(error, of: nil) }
    let took = (ContinuousClock.now - begin) / .seconds(1)
    state.withLock { [made] state in
      state.figures = made ?? before
      state.due = .now + .seconds(max(every, Self.rest * took))
      state.isAtWork = false
    }
  }

  private func judge(_ before: Figures?) throws -> Figures {
    let snapshot = try Snapshot(path: path)
    var figures = Figures(lastBackup: try snapshot.lastBackup())
    var room = most
    for app in snapshot.vocabulary.apps where !isStopping.load(ordering: .relaxed) {
      let old = before?.standings.first { $0.app == app }
      guard let standing = standing(app, room) ?? old else { continue }
      figures.leftOut += standing.leftOut
      room -= standing.releases.count
      if !standing.releases.isEmpty || standing.leftOut == 0, figures.standings.count < most {
        figures.standings.append(standing)
      }
    }
    return figures
  }

  /// Nil where it cannot be told now; one app leaves the others alone.
  private func standing(_ app: String, _ room: Int) -> VerdictChore.Done? {
    let chore = VerdictChore(database: path, app: app, judging: judging, room: max(0, room))
    do { return try runner.result(of: chore) { isStopping.load(ordering: .relaxed) }.value } catch {
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
