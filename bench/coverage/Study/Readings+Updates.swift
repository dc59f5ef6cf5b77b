import Lifecycle
import Query
import Statistics
import Store

extension StoredFleet {
  /// Adoption, quantiles and shares of the mechanisms, as the question answers them.
  func updates(_ method: Method, _ change: (inout Selection) -> Void = { _ in }) throws -> [Reading] {
    let (row, span) = try timeToUpdate(change)
    let ages = Measure.ages.filter { $0 * 3600 <= span }.map { hours in
      Reading(.adoption(hours), method, row.curve.last { $0.seconds <= hours * 3600 }?.share)
    }
    let quantiles = row.quantiles.map { Reading(.quantile($0.p), method, $0.seconds) }
    let parts = Measure.mechanismAges.filter { $0 * 3600 <= span }.flatMap { hours in
      row.mechanisms.map { part in
        Reading(.mechanism(part.mechanism, hours), method, part.curve.last { $0.seconds <= hours * 3600 }?.share)
      }
    }
    return ages + quantiles + parts
  }

  /// The answer's one row, and how many seconds of the release's life it could see.
  func timeToUpdate(_ change: (inout Selection) -> Void = { _ in }) throws -> (row: TimeToUpdate, span: Int64) {
    let chosen = try chosen(change)
    var options = TimeToUpdate.Options()
    options.points = .max
    options.quantiles = Measure.quantiles
    let snapshot = try Snapshot(path: path)
    let cutOff = CutOff(snapshot.vocabulary, app: chosen.selection.app, now: chosen.selection.now)
    let row = try TimeToUpdate.answer(snapshot, chosen, options).data[0]
    let published = chosen.timeline.start(chosen.target.id, channel: StudyScenario.channel, platform: "ios")
    return (row, cutOff.at.seconds - (published?.publishedAt.seconds ?? 0))
  }
}

extension Reading {
  init(_ measure: Measure, _ method: Method, _ estimate: Estimate?) {
    self.init(measure: measure, method: method, value: estimate?.value, lo: estimate?.lo, hi: estimate?.hi)
  }
}
