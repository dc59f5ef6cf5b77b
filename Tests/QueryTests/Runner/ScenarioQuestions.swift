import Lifecycle
import Query
import Store

extension ScenarioQuestion {
  /// The questions that a scenario can ask, by the name that the command line gives them.
  static let all = ofReleases.merging(ofPushes) { own, _ in own }

  static let ofReleases: [String: @Sendable (ScenarioQuestion) throws -> any Encodable] = [
    "time-to-update": { ask in
      let snapshot = try Snapshot(path: ask.fleet.path)
      var options = TimeToUpdate.Options()
      if let horizon = try ask.duration("horizon") { options.horizon = horizon }
      return try TimeToUpdate.answer(snapshot, try ask.chosen(snapshot), options)
    },
    "adoption": { ask in
      let snapshot = try Snapshot(path: ask.fleet.path)
      var options = Adoption.Options()
      if let ages = try ask.durations("at") { options.ages = ages }
      options.baseline = ask.baseline
      return try Adoption.answer(snapshot, try ask.chosen(snapshot), options)
    },
    "reach": { ask in
      let snapshot = try Snapshot(path: ask.fleet.path)
      return try Reach.answer(snapshot, try ask.chosen(snapshot))
    },
    "failures": { ask in
      let snapshot = try Snapshot(path: ask.fleet.path)
      var options = Failures.Options()
      options.limit = try ask.number("limit")
      return try Failures.answer(snapshot, try ask.chosen(snapshot), options)
    },
    "compare": { ask in
      let snapshot = try Snapshot(path: ask.fleet.path)
      let chosen = try ask.chosen(snapshot)
      guard case .release(let label) = ask.baseline else { throw QuestionError.nothingStored }
      return try Compare.answer(snapshot, chosen, with: try chosen.other(label))
    },
    "forecast": { ask in
      let snapshot = try Snapshot(path: ask.fleet.path)
      return try Forecast.answer(snapshot, try ask.chosen(snapshot))
    },
    "releases": { ask in
      let snapshot = try Snapshot(path: ask.fleet.path)
      var options = Releases.Options()
      (options.channels, options.platforms) = (ask.texts("channel"), ask.texts("platform"))
      if let least = try ask.number("minCell") { options.minCell = Int(least) }
      return try Releases.answer(snapshot, app: ask.text("app"), now: ask.now, options)
    },
    "mechanisms": { ask in
      let snapshot = try Snapshot(path: ask.fleet.path)
      var options = Mechanisms.Options()
      if let ages = try ask.durations("at") { options.ages = ages }
      options.arms = ask.text("arms").flatMap { ArmRule("", arms: $0) }
      return try Mechanisms.answer(snapshot, try ask.chosen(snapshot), options)
    },
  ]

  /// `baseline=none`, `baseline=1.0.0`, or the one before.
  var baseline: Baseline {
    switch text("baseline") {
    case nil, "auto": .auto
    case "none": .none
    case let label?: .release(ReleaseLabel(rawValue: label))
    }
  }
}
