import Lifecycle
@testable import Store

@testable import Query

/// Which release a device runs, and where it is, as of an instant, from all of its runs: slow and plain.
struct RunningRelease {
  private let claims: [ContactRun]
  private let spells: [Spell]
  private let order: NameOrder

  init(_ history: DeviceHistory) {
    claims = history.uncutRuns.filter { $0.claim != .silent }
    (spells, order) = (history.spells, history.order)
  }

  /// The channel of the latest contact, and when that was; nil before the first one.
  ///
  /// Inside a run the contact lies less than a day back and counts as the instant itself.
  func contact(at instant: Timestamp) -> (channel: Int64, last: Timestamp)? {
    guard let spell = spells.last(where: { $0.start <= instant }) else { return nil }
    let last = spell.contacts.lazy.filter { $0.start <= instant }.map { min($0.end, instant) }.max()
    return (spell.channel, last ?? spell.start)
  }

  /// nil where the device never said.
  func release(at instant: Timestamp) -> Int64? {
    var latest: (at: Timestamp, run: ContactRun)?
    for run in claims where run.start <= instant {
      let at = certain(run, at: instant)
      if let known = latest,
        precedes((at, run.claim, run.release), (known.at, known.run.claim, known.run.release))
      {
        continue
      }
      latest = (at, run)
    }
    guard let latest else { return nil }
    return latest.run.claim == .rolledBack ? remaining(at: latest.at) : latest.run.release
  }

  /// When the run's claim last held for certain: a run may span a change and come back to what it said.
  private func certain(_ run: ContactRun, at instant: Timestamp) -> Timestamp {
    guard run.end > instant else { return run.end }
    let isContradicted = claims.contains { other in
      other.claim > .running && other.start > run.start && other.start <= instant
        && (other.release != run.release || other.claim == .rolledBack && run.claim != .rolledBack)
    }
    return isContradicted ? run.start : instant
  }

  /// Of the releases that were not rolled back after the device last said that it runs them, the one it said so of last.
  private func remaining(at instant: Timestamp) -> Int64? {
    let known = claims.filter { $0.start <= instant }
    func last(_ runs: [ContactRun]) -> Timestamp? { runs.map { min($0.end, instant) }.max() }
    let byRelease = Dictionary(grouping: known, by: \.release)
    let standing = byRelease.compactMap { release, runs -> (at: Timestamp, claim: Claim, release: Int64)? in
      let claimed = runs.filter { $0.claim != .rolledBack }
      guard let at = last(claimed) else { return nil }
      if let left = last(runs.filter { $0.claim == .rolledBack }), left >= at { return nil }
      return (at, claimed.filter { min($0.end, instant) == at }.map(\.claim).max() ?? .running, release)
    }
    return standing.max { precedes($0, $1) }?.release
  }

  private typealias Said = (at: Timestamp, claim: Claim, release: Int64)

  private func precedes(_ one: Said, _ other: Said) -> Bool {
    if (one.at, one.claim) != (other.at, other.claim) { return (one.at, one.claim) < (other.at, other.claim) }
    return one.release != other.release && order.release(one.release, precedes: other.release)
  }
}
