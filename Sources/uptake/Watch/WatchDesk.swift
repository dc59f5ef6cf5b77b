internal import Console
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Asks beside the screen, so that keys work while an answer takes its time; one question at a time.
final class WatchDesk: Sendable {
  enum Outcome: Sendable {
    case picture(WatchPicture)
    case problem(String)
  }
  struct State: Sendable {
    var isAsking = false
    var rate: Double?
    /// Not fetched yet.
    var outcome: Outcome?
    fileprivate var version = ""
    fileprivate var asked: WatchChoice?
    fileprivate var due = ContinuousClock.now
    fileprivate var stale = ContinuousClock.now
    fileprivate var picture: WatchPicture?
    fileprivate var finding: JSON?
    fileprivate var findingDue = ContinuousClock.now
  }

  private let source: any WatchSource
  private let channels: [String]
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "uptake.watch")
  /// A look at every device must hold up no answer.
  private let findings = DispatchQueue(label: "uptake.watch.findings")
  private let pipe: (read: CInt, write: CInt)

  /// Answers depend on the time, too: they are asked anew so often where nothing comes in.
  private static let longest = Swift.Duration.seconds(60)
  /// What holds updates up changes slowly, and costs a look at every device: at most a hundredth of a core.
  private static let longestFinding = 100.0
  /// Between two answers at least this, and four times what the last one took: at most a fifth of a core.
  private static let breath = 0.3

  init(_ source: any WatchSource, channels: [String]) {
    (self.source, self.channels) = (source, channels)
    var ends: [CInt] = [-1, -1]
    unsafe Glibc.pipe(&ends)
    pipe = (ends[0], ends[1])
  }

  /// Can be read from when there is something new to see.
  var bell: CInt { pipe.read }
  var rate: Double? { state.withLock { $0.rate } }
  func takeOutcome() -> Outcome? { state.withLock { $0.outcome.take() } }

  /// Begins to look whether anything is new, unless that is being done or was done a moment ago.
  func look(_ choice: WatchChoice) {
    let isFree = state.withLock { state in
      guard !state.isAsking else { return false }
      state.isAsking = true
      return true
    }
    guard isFree else { return }
    queue.async { [self] in
      ask(choice)
      let isNews = state.withLock { state in
        state.isAsking = false
        return state.outcome != nil
      }
      if isNews { ring() }
    }
  }

  private func ask(_ choice: WatchChoice) {
    do {
      let (version, rate) = try source.pulse()
      let (isOther, isDue) = state.withLock { state in
        defer { state.rate = rate }
        let isNew = state.version != version || state.stale <= .now
        return (state.rate != rate, state.asked != choice || isNew && state.due <= .now)
      }
      // Seen before the answer is there, which may take its time.
      if isOther { ring() }
      if isDue { try answer(choice, version) }
    } catch {
      let words = (error as? Failure ?? explain(error))?.message ?? "\(error)"
      state.withLock { state in
        (state.outcome, state.version, state.asked) = (.problem(words), "", choice)
        state.due = .now + .seconds(1)
      }
    }
  }

  private func ring() { _ = unsafe write(pipe.write, [1] as [UInt8], 1) }

  private func answer(_ choice: WatchChoice, _ version: String) throws {
    let start = ContinuousClock.now
    var picture = try WatchPicture(source, choice, channels: channels)
    picture.finding = state.withLock { $0.finding }
    let took = (ContinuousClock.now - start) / .seconds(1)
    state.withLock { state in
      state.due = .now + .seconds(max(Self.breath, 4 * took))
      (state.outcome, state.version, state.asked) = (.picture(picture), version, choice)
      state.stale = .now + Self.longest
    }
    let isDue = state.withLock { state in
      state.picture = picture
      guard state.findingDue <= .now else { return false }
      state.findingDue = .now + Self.longest
      return true
    }
    if isDue { findings.async { [self] in diagnose() } }
  }

  /// A source that cannot say leaves the screen as it was.
  private func diagnose() {
    let start = ContinuousClock.now
    let finding = try? WatchPicture.finding(source, channels: channels)
    let took = (ContinuousClock.now - start) / .seconds(1)
    let isNews = state.withLock { state in
      state.findingDue = .now + max(Self.longest, .seconds(Self.longestFinding * took))
      guard finding != state.finding, var picture = state.picture else { return false }
      (state.finding, picture.finding) = (finding, finding)
      state.outcome = .picture(picture)
      return true
    }
    if isNews { ring() }
  }
}
