import Ingest
import Lifecycle
import Query
import Store

extension ScenarioQuestion {
  /// What can be asked of pushes, wake-ups, funnels and single devices.
  static let ofPushes: [String: @Sendable (ScenarioQuestion) throws -> any Encodable] = [
    "push": { ask in
      let snapshot = try Snapshot(path: ask.fleet.path)
      var options = Push.Options()
      options.by = try ask.words("by", Push.Grouping.self)
      if let horizon = try ask.duration("horizon") { options.horizon = horizon }
      return try Push.answer(snapshot, try ask.extent(snapshot), options)
    },
    "wakeups": { ask in
      let snapshot = try Snapshot(path: ask.fleet.path)
      var options = WakeUps.Options()
      options.by = try ask.words("by", WakeUps.Grouping.self)
      return try WakeUps.answer(snapshot, try ask.extent(snapshot), options)
    },
    "verdict": { ask in
      let snapshot = try Snapshot(path: ask.fleet.path)
      var options = Verdict.Options()
      options.limit = try ask.number("limit")
      if let limit = try ask.number("harmLimit") { options.harmLimit = limit }
      if let share = try ask.number("objective"), let within = try ask.duration("within") {
        options.objective = .init(share: share, within: within)
      }
      return try Verdict.answer(snapshot, try ask.extent(snapshot), options)
    },
    "diagnose": { ask in
      let snapshot = try Snapshot(path: ask.fleet.path)
      return try Diagnosis.answer(snapshot, try ask.extent(snapshot))
    },
    "funnel": { ask in
      let snapshot = try Snapshot(path: ask.fleet.path)
      var options = Funnel.Options()
      if let maturity = try ask.duration("maturity") { options.maturity = maturity }
      return try Funnel.answer(snapshot, try ask.chosen(snapshot), options)
    },
  ]

  private func extent(_ snapshot: borrowing Snapshot) throws -> FleetScope {
    let release = ask.releases.first.map { ReleaseLabel(rawValue: $0) }
    var extent = try FleetScope(snapshot.vocabulary, app: text("app"), release: release, now: now)
    extent.channels = texts("channel")
    extent.platforms = texts("platform")
    extent.since = try duration("since").map { now - $0 }
    extent.until = try duration("until").map { now - $0 }
    if let least = try number("minCell") { extent.minCell = Int(least) }
    return extent
  }
}
