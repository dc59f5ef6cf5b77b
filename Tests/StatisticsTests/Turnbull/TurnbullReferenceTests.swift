import Foundation
import Statistics
import Testing

/// Reference/turnbull.py: lifelines 0.30.3 and scipy 1.17.1 on published data and on polled devices, some watched late.
struct TurnbullReferenceTests {
  @Test func likelihoodIsTheGreatest() throws {
    for reference in try TurnbullReference.all() {
      let fit = Turnbull(reference.times)
      #expect(fit.isCertain, "\(reference.name): \(fit.shortfall) after \(fit.rounds)")
      let value = reference.logLikelihood(fit)
      #expect(value >= reference.scipyLogLikelihood - 1e-7, "\(reference.name): \(value)")
      expectNear(value, reference.scipyLogLikelihood, relative: 1e-7, reference.name)
    }
  }

  @Test func probabilitiesOfLifelines() throws {
    for reference in try TurnbullReference.all() {
      let fit = Turnbull(reference.times)
      var expected = 0.0
      for span in reference.lifelines ?? [] {
        expected += span[2] ?? .nan
        guard let end = span[1] else { continue }
        expectNear(fit.adoption(at: Tick(end))?.lowerBound, expected, floor: 2e-6, "\(reference.name) at \(end)")
      }
    }
  }

  @Test func curveWithLateEntries() throws {
    for reference in try TurnbullReference.all() {
      let fit = Turnbull(reference.times)
      for interval in fit.innermost {
        let expected = reference.scipy[Int(interval.upTo) - 1]
        expectNear(fit.adoption(at: interval.upTo)?.lowerBound, expected, floor: 1e-4, "\(reference.name) \(interval)")
      }
    }
  }

  /// The published data (Finkelstein and Wolfe 1985), to four digits: lifelines and scipy agree on these.
  @Test func radiotherapy() throws {
    let fit = Turnbull(try TurnbullReference.all()[0].times)
    let expected: [(Tick, Tick, Double)] = [
      (4, 5, 0.0463), (6, 7, 0.0334), (7, 8, 0.0887), (11, 12, 0.0708), (24, 25, 0.0926), (33, 34, 0.0818),
      (38, 40, 0.1209), (46, 48, 0.4656),
    ]
    for (after, upTo, probability) in expected {
      let interval = InnermostInterval(after: after, upTo: upTo)
      let index = try #require(fit.innermost.firstIndex(of: interval))
      let before = index == 0 ? 1 : fit.survival[index - 1]
      expectNear(before - fit.survival[index], probability, floor: 5.1e-5, "(\(after), \(upTo)]")
    }
    #expect(fit.quantile(0.25) == 25...25 && fit.quantile(0.5) == 39...40)
  }
}

struct TurnbullReference: Decodable {
  let name: String
  let rows: [[Tick?]]
  let scipyLogLikelihood: Double
  let lifelines: [[Double?]]?
  /// Adoption by tick, from tick 1.
  let scipy: [Double]

  static func all() throws -> [Self] {
    try JSONDecoder().decode([Self].self, from: Data(Reference.text("turnbull.expected.json").utf8))
  }

  var times: [BoundedTime] { rows.compactMap { BoundedTime(entry: $0[0] ?? 0, after: $0[1] ?? 0, upTo: $0[2]) } }

  /// From the survival curve alone: not the way the fit counts it.
  func logLikelihood(_ fit: Turnbull) -> Double {
    func left(_ tick: Tick) -> Double { fit.innermost.lastIndex { $0.upTo <= tick }.map { fit.survival[$0] } ?? 1 }
    return times.reduce(0) { sum, time in
      sum + log((left(time.after) - (time.upTo.map(left) ?? 0)) / left(time.entry))
    }
  }
}
