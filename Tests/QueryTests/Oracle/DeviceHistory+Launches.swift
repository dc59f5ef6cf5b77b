import Lifecycle
@testable import Store

@testable import Query

/// What contacts of a spell say of running a release.
struct ToldLaunches {
  var applied: Timestamp?
  /// Whether `applied` was said in the spell for the first time in a day.
  var isCertain = true
  var running: Timestamp?
}

extension DeviceHistory {
  func launches(_ release: Int64, _ spell: Spell) -> ToldLaunches {
    let applied = told(.applied, release, spell).min { $0.at < $1.at }
    return ToldLaunches(
      applied: applied?.at, isCertain: applied?.isCertain ?? true,
      running: told(.running, release, spell).map(\.at).min())
  }

  private func told(_ claim: Claim, _ release: Int64, _ spell: Spell) -> [(at: Timestamp, isCertain: Bool)] {
    runs.compactMap { run in
      guard run.claim == claim, run.release == release, run.channel == spell.channel else { return nil }
      if run.start >= spell.start { return spell.own(run.start).map { ($0, true) } }
      guard run.end >= spell.start else { return nil }
      return (spell.start, false)
    }
  }
}
