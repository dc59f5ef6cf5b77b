import Lifecycle
import Store

/// Whether what it runs stays so.
extension ReachSweep {
  /// Until when it runs what it was said to run at an instant, the last that was asked about.
  func runsItUntil(after instant: Int64) -> Int64 { max(known.until, instant + 1) }

  /// What it runs at an instant and at each later one, where nothing else is known of it after the instant but that it is still there,
  /// with silences of a day at most: it was heard of last when it was heard of last of all then. nil where more is known.
  ///
  /// - Parameter instant: from which it was loaded, without an end, as a device that always was in one channel.
  mutating func releaseToStay(from instant: Int64) -> Int64? {
    _ = contact(at: instant)
    guard nextPiece == pieces.count else { return nil }
    let release = release(at: instant)
    var next = instant
    while known.until != .max {
      next = max(known.until, next + 1)
      if self.release(at: next) != release || known.until < next { return nil }
    }
    return release
  }

  /// Whether it runs a release at an instant and at each later one; false where that is not sure.
  ///
  /// - Parameter instant: no later than any that it was loaded for, without an end.
  mutating func keeps(_ release: Int64, from instant: Int64) -> Bool {
    var next = instant
    while self.release(at: next) == release, known.until >= next {
      if known.until == .max { return true }
      next = max(known.until, next + 1)
    }
    return false
  }

  /// Whether another contact may belong to a run of contacts that says what it runs and began before it said something else: what it
  /// ran in between, and until that contact, is told by more than that run then; see `certain`.
  ///
  /// - Parameter release: what it runs.
  func mayGoBack(heardOf last: Int64, to release: Int64) -> Bool {
    var (begun, own, other, change) = (Int64.min, Int64.min, Int64.min, Int64.min)
    for run in self.own {
      let said = runs.kind(run)
      if said.claim == .running, said.release == release {
        if runs.ends[run] > own { (begun, own) = (runs.starts[run], runs.ends[run]) }
      } else if said.claim != .silent {
        if said.release != release { other = max(other, runs.ends[run]) }
        if said.claim > .running, said.release != release || said.claim == .rolledBack {
          change = max(change, runs.starts[run])
        }
      }
    }
    return own != .min && own >= last - ContactRun.longestSilence.rawValue && (own <= other || begun < change)
  }
}
