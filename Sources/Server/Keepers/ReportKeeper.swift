internal import Answers
public import Console
internal import Glibc
public import Lifecycle
internal import Ingest
internal import Locks
public import Query
public import Report
internal import Store
internal import Synchronization

/// Renders the pages of every app beside the requests, again and again, and keeps the last ones that could be made.
///
/// Rendering only reads, on a thread of its own that gives way to all others; events and health are answered meanwhile.
public final class ReportKeeper: Sendable {
  public struct Settings: Sendable {
    var folder: String
    var every: Console.Duration
    /// So many of the releases that were published last have pages.
    var newest: Int
    /// The folder of own pages.
    var pages: String?
    var judging: Query.Verdict.Options
    var minCell: Int
    var database: String
    var version: String

    public init(
      folder: String, every: Console.Duration, newest: Int = Site.newestReleases, pages: String?,
      judging: Query.Verdict.Options = .init(), minCell: Int = Site.smallestGroup, database: String, version: String
    ) {
      (self.folder, self.every, self.newest) = (folder, every, newest)
      (self.judging, self.minCell) = (judging, minCell)
      (self.pages, self.database, self.version) = (pages, database, version)
    }
  }
  struct Failed: Sendable {
    var at: Timestamp
    var why: String
  }
  private struct State {
    var sites: ServedSites?
    var isRendering = false
    var due = ContinuousClock.now
    /// Not before this, whatever happens: rendering rests after it has worked.
    var rested = ContinuousClock.now
    /// Releases and publications that the newest rendering knew.
    var known = 0
    var failed: Failed?
    var failures = 0
    var seconds = 0.0
  }

  let settings: Settings
  private let journal: ServiceLog
  private let runner: ChoreRunner
  private let clock: @Sendable () -> Instant
  private let state = Lock(State())
  private let isStopping = Atomic(false)
  /// Rendering takes at most this share of the time of one core.
  private static let rest = 9.0
  /// Seconds between two renderings, at least.
  private static let breath = 1.0

  /// - Parameter worker: how a process begins that makes pages; nil makes them in the service itself.
  public init(
    _ settings: Settings, worker: ProcessStart? = nil, journal: ServiceLog, clock: @escaping @Sendable () -> Instant
  ) {
    (self.settings, self.journal, self.clock) = (settings, journal, clock)
    runner = ChoreRunner(worker, clock: clock)
  }

  /// Processes that ended before they were done, by the chore.
  var endedProcesses: Counter { runner.ended }

  var sites: ServedSites? { state.withLock { $0.sites } }
  /// Why the newest attempt failed; nil where it did not.
  var failed: Failed? { state.withLock { $0.failed } }
  var failures: Int { state.withLock { $0.failures } }
  /// How long the newest attempt took.
  var seconds: Double { state.withLock { $0.seconds } }

  var isRendering: Bool { state.withLock { $0.isRendering } }
  var isDue: Bool { state.withLock { !$0.isRendering && $0.due <= .now } }

  /// Makes rendering due as soon as it has rested, where there is a release or a publication that the pages do not know.
  func look(announcements: Int) {
    state.withLock { state in
      if announcements > state.known { state.due = min(state.due, state.rested) }
    }
  }

  /// Begins to render, unless it is being done.
  func begin() {
    let isIdle = state.withLock { state in
      guard !state.isRendering, !isStopping.load(ordering: .relaxed) else { return false }
      state.isRendering = true
      return true
    }
    guard isIdle else { return }
    QuietThread.start("uptake.reports") { [self] in
      render()
    }
  }

  /// No further page is begun; waits a little for the one at hand.
  func stop() {
    isStopping.store(true, ordering: .relaxed)
    for _ in 0..<300 where isRendering { usleep(10_000) }
  }

  private func render() {
    let start = ContinuousClock.now
    let before = sites
    var (sites, failed, known) = (before, Failed?.none, 0)
    var seconds = 0.0
    do {
      let found = try found()
      known = found.announcements
      var made = ServedSites(now: present, every: settings.every, before: before)
      failed = render(found.apps, &made, before, &seconds)
      sites = made
    } catch { failed = Failed(at: present, why: ChoreFailure(error).description) }
    if let failed { journal.write(.error, "report_failed", ["reason": .string(failed.why)]) }
    let took = (ContinuousClock.now - start) / .seconds(1)
    state.withLock { [sites, failed, known, seconds] state in
      state.known = max(known, state.known)
      state.sites = sites
      state.failed = failed
      state.failures += failed == nil ? 0 : 1
      state.seconds = took
      state.isRendering = false
      // A service without events looks again soon, so that the first ones are seen.
      let pause = sites?.apps.isEmpty == false ? settings.every.seconds - took : 2
      state.rested = .now + .seconds(max(Self.breath, Self.rest * seconds))
      state.due = max(.now + .seconds(pause), state.rested)
    }
  }

  private var present: Timestamp { Timestamp(rawValue: clock().rawValue) }

  /// What a moment of the database says. It is not held open while pages are made: the write-ahead log would grow meanwhile.
  private func found() throws -> (apps: [String], announcements: Int) {
    let snapshot = try Snapshot(path: settings.database)
    return (snapshot.vocabulary.apps, snapshot.vocabulary.announcements)
  }

  /// One app that cannot be rendered leaves the others alone.
  ///
  /// - Parameter seconds: of a processor, that it took; by the clock where one could not be rendered, as nobody knows.
  private func render(
    _ apps: [String], _ sites: inout ServedSites, _ before: ServedSites?, _ seconds: inout Double
  ) -> Failed? {
    var failed: Failed?
    for app in apps where !isOver {
      let begin = ContinuousClock.now
      do {
        let result = try runner.result(of: chore(app)) { isOver }
        let made = result.value
        seconds += result.seconds
        sites.now = made.now
        sites.put(made.files, app: app, before: before)
        let folder = settings.folder + "/" + Site.folder(of: app)
        try SiteFolder.write(made.files, to: folder) { isOver }
        try SiteFolder.markPast(besides: made.files, in: folder, app: app, now: made.now) { isOver }
      } catch {
        seconds += (ContinuousClock.now - begin) / .seconds(1)
        if sites.apps[app] == nil { sites.keep(app: app, of: before) }
        guard !isOver else { continue }
        failed = Failed(at: sites.now, why: "\(app): \(ChoreFailure(error))")
      }
    }
    return failed
  }

  private var isOver: Bool { isStopping.load(ordering: .relaxed) }

  private func chore(_ app: String) -> SiteChore {
    SiteChore(
      database: settings.database, app: app, newest: settings.newest, pages: settings.pages,
      judging: settings.judging, minCell: settings.minCell, version: settings.version)
  }
}
