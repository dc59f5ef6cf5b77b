import Lifecycle

/// What most questions need to know of one device; kept beside its runs, of which a question then need not read any.
///
/// Derived from the runs and nothing else, so it does not depend on the order of events either.
struct Outline {
  /// What a device ran when it first said so, if it never was told to update to it.
  enum Birth: Equatable {
    /// Whatever it says that it runs, it applied before.
    case none
    /// The first it ever said: that it runs this release, which it had not applied.
    case with(release: Int64, at: Timestamp)
    /// More than an outline tells.
    case unclear
  }

  /// A number of `name`; 0 where the device was in several, or last said two things at once, and has no outline.
  var channel: Int64 = 0
  var birth = Birth.unclear
  /// The release that it ran at the end of its last span, 0 where it never said.
  var running: Int64 = 0
}

extension Outline {
  /// - Parameter runs: of one device, in order of key and start.
  init(_ runs: ArraySlice<ContactRun>) {
    guard let first = runs.first, let last = runs.last, first.channel == last.channel else { return }
    // Between claims of one instant names decide, which an outline does not know.
    guard let running = Self.running(runs) else { return }
    channel = first.channel
    birth = Birth(runs)
    self.running = running
  }

  /// The last claim counts; after a rollback, the last about a release that was not rolled back since. nil where two claims
  /// are the last.
  private static func running(_ runs: ArraySlice<ContactRun>) -> Int64? {
    guard let last = latest(runs, { _ in true }) else { return 0 }
    if last.isTied { return nil }
    guard last.run.claim == .rolledBack else { return last.run.release }
    guard let standing = latest(runs, { $0.claim != .rolledBack && !isLeft($0, runs) }) else { return 0 }
    return standing.isTied ? nil : standing.run.release
  }

  private static func latest(
    _ runs: ArraySlice<ContactRun>, _ counts: (ContactRun) -> Bool
  ) -> (run: ContactRun, isTied: Bool)? {
    var latest: (run: ContactRun, isTied: Bool)?
    for run in runs where run.claim != .silent && counts(run) {
      guard let known = latest?.run else {
        latest = (run, false)
        continue
      }
      if (run.end, run.claim) == (known.end, known.claim), run.release != known.release {
        latest?.isTied = true
      } else if (run.end, run.claim) > (known.end, known.claim) {
        latest = (run, false)
      }
    }
    return latest
  }

  /// Whether the release that a run claims was rolled back after it.
  private static func isLeft(_ claim: ContactRun, _ runs: ArraySlice<ContactRun>) -> Bool {
    runs.contains { $0.claim == .rolledBack && $0.release == claim.release && $0.end >= claim.end }
  }
}

extension Outline.Birth {
  /// - Parameter runs: of one channel, in order of key and start; so the first of a key is its earliest.
  fileprivate init(_ runs: ArraySlice<ContactRun>) {
    self = .none
    var (applied, firstClaim, ties) = (runs.startIndex, Timestamp(rawValue: .max), 0)
    for run in runs where run.claim != .silent && run.start <= firstClaim {
      ties = run.start < firstClaim ? 1 : ties + 1
      firstClaim = run.start
    }
    var known: Int64 = 0
    for run in runs where run.claim == .running && run.release != known {
      known = run.release
      while applied < runs.endIndex,
        runs[applied].claim < .applied
          || runs[applied].claim == .applied && runs[applied].release < run.release
      { applied += 1 }
      let wasApplied =
        applied < runs.endIndex && runs[applied].claim == .applied
        && runs[applied].release == run.release && runs[applied].start < run.start
      if wasApplied { continue }
      let isFirst = run.start == firstClaim && ties == 1
      self = self == .none && isFirst ? .with(release: run.release, at: run.start) : .unclear
    }
  }
}
