import Foundation
import Statistics
import Testing

struct ForecastReferenceTests {
  struct File: Decodable {
    let ages_h: [Double]
    let past_H: [[Double]]
    let snapshot_h, new_H_at_snapshot: Double
    let forecast: [Target]
    let leave_one_out: [Held]
  }
  struct Target: Decodable {
    let target_h: Double
    let band80, band95: Band
  }
  struct Held: Decodable {
    let release: Int
    let target_h, actual_F: Double
    let band80: Band
    let covered: Bool
  }
  struct Band: Decodable { let F, lower, upper: Double }

  let file: File
  let past: [HazardCurve]

  init() throws {
    let file = try JSONDecoder().decode(File.self, from: Data(Reference.text("forecast.expected.json").utf8))
    self.file = file
    past = file.past_H.map {
      HazardCurve(ages: file.ages_h.map(Reference.ticks), hazards: $0, events: $0.map { _ in 1_000 })
    }
  }

  @Test func bands() {
    let snapshot = Reference.ticks(file.snapshot_h)
    let current = HazardCurve(ages: [snapshot], hazards: [file.new_H_at_snapshot], events: [1_000])
    for target in file.forecast {
      for (level, band) in [(0.8, target.band80), (0.95, target.band95)] {
        let forecast = AdoptionForecast(past: past, current: current, snapshot: snapshot, level: level)
        check(forecast.share(at: Reference.ticks(target.target_h)), band, "\(target.target_h) h at \(level)")
      }
    }
  }

  @Test func leavingOneOut() {
    for held in file.leave_one_out {
      var others = past
      let current = others.remove(at: held.release)
      let forecast = AdoptionForecast(past: others, current: current, snapshot: Reference.ticks(file.snapshot_h))
      let target = Reference.ticks(held.target_h)
      check(forecast.share(at: target), held.band80, "release \(held.release)")
      expectNear(current.share(at: target), held.actual_F, "release \(held.release) actual")
    }
  }

  private func check(_ estimate: Estimate, _ band: Band, _ what: String) {
    expectNear(estimate.value, band.F, what)
    expectNear(estimate.lo, band.lower, what + " lower")
    expectNear(estimate.hi, band.upper, what + " upper")
    #expect(estimate.method == .pastReleaseRegression)
  }
}
