import Lifecycle
import Statistics
import Store
import Testing

@testable import Query

/// Gates judge an estimate, or say that it cannot be judged; which estimate is the row's to say.
@Suite struct GateTests {
  private static let share = Proportion(4, of: 10).wilson(level: 0.95)

  static func gate(
    _ subject: String, _ hours: Int64?, _ part: Gate.Part, _ comparison: Gate.Comparison, _ bound: Double
  ) -> Gate {
    Gate(
      text: "", subject: subject, age: hours.map(Milliseconds.hours), claim: .number(part, comparison, bound: bound))
  }

  /// Wilson limits of 4 of 10 at 95 %: 0.1682 to 0.6873.
  static let judgements: [(Gate.Part, Gate.Comparison, Double, GateOutcome)] = [
    (.value, .atLeast, 0.4, .met), (.value, .above, 0.4, .notMet), (.value, .atMost, 0.4, .met),
    (.value, .below, 0.4, .notMet), (.lo, .atLeast, 0.168, .met), (.hi, .atMost, 0.688, .met),
    // Not shown, and not excluded either: no value between the limits is.
    (.lo, .atLeast, 0.169, .cannotBeJudged(nil)), (.hi, .below, 0.687, .cannotBeJudged(nil)),
    (.lo, .atLeast, 0.69, .notMet), (.lo, .above, 0.688, .notMet), (.hi, .atMost, 0.168, .notMet),
    // "Not surely above": either it is or it is not.
    (.lo, .atMost, 0.168, .notMet), (.lo, .atMost, 0.169, .met), (.hi, .atLeast, 0.688, .notMet),
  ]

  @Test(arguments: judgements)
  func judges(_ part: Gate.Part, _ comparison: Gate.Comparison, _ bound: Double, _ outcome: GateOutcome) {
    #expect(Self.gate("x", nil, part, comparison, bound).judge(.estimate(Self.share)) == outcome)
  }

  @Test func whatIsNotThereCannotBeJudged() {
    let gate = Self.gate("x", nil, .lo, .atLeast, 0)
    #expect(gate.judge(nil) == .cannotBeJudged(nil))
    let nobody = Proportion(0, of: 0).wilson(level: 0.95)
    #expect(gate.judge(.estimate(nobody)) == .cannotBeJudged(nobody.reason) && nobody.reason != nil)
  }

  /// Ten phones, four of which update within a day: F(24 h) = 0.4, all on one channel.
  private func adoption() throws -> Query.Answer<Counted<Adoption>> {
    let scenario = try Scenario(
      """
      publish 2.0.0 at 0h
      now 3d
      devices slow 6
        -1h  check 1.0.0 foreground
      devices fast 4
        -1h  check 1.0.0 foreground
        1h every 1h  applied 2.0.0 silentPush
      """, file: "gates")
    let fleet = try scenario.fleet()
    let chosen = try fleet.chosen("2.0.0", now: scenario.epoch + .days(3))
    return try Adoption.answer(try Snapshot(path: fleet.path), chosen)
  }

  static let estimates: [(Gate, GateOutcome)] = [
    (gate("adoption", 24, .value, .atLeast, 0.4), .met), (gate("adoption", 24, .value, .above, 0.4), .notMet),
    (gate("adoption", 24, .lo, .atLeast, 0.4), .cannotBeJudged(nil)), (gate("adoption", 24, .hi, .atMost, 0.9), .met),
    (gate("adoption", 168, .value, .atLeast, 0.1), .cannotBeJudged(.beyondFollowUp)),
    (gate("adoption", 5, .value, .atLeast, 0.1), .cannotBeJudged(nil)),
    (gate("difference", 24, .value, .atLeast, 0), .cannotBeJudged(nil)),
  ]

  @Test(arguments: estimates) func adoptionNamesTheEstimateOfAnAge(_ gate: Gate, _ outcome: GateOutcome) throws {
    let row = try #require(try adoption().data.first)
    #expect(gate.judge(row.figure(gate)) == outcome)
  }

  /// Every subject of every question is an estimate of a row that has one, and no other.
  @Test func everySubjectHasAnEstimateOfItsOwn() throws {
    let fleet = try Fleet.gated()
    let snapshot = try Snapshot(path: fleet.path)
    let now = try Timestamp(rfc3339: "2025-03-04T00:00:00Z")
    let chosen = try fleet.chosen("2.0.0", now: now) { $0.estimand = .asHappened }
    try expectEstimates(of: #require(try Reach.answer(snapshot, chosen).data.first), distinct: 2)
    try expectEstimates(of: #require(try Mechanisms.answer(snapshot, chosen).data.first), at: 24, distinct: 3)
    try expectEstimates(of: #require(try Failures.answer(snapshot, chosen).data.first), distinct: 1)
    let extent = try FleetScope(snapshot.vocabulary, app: nil, now: now)
    try expectEstimates(of: #require(try Push.answer(snapshot, extent).data.first), distinct: 3)
  }

  private func expectEstimates(of row: some Gated, at hours: Int64? = nil, distinct: Int) throws {
    let subjects = type(of: row).gateSubjects
    let values = subjects.filter(\.words.isEmpty).map {
      row.estimate(Self.gate($0.name, $0.hasAge ? hours : nil, .value, .atLeast, 0))?.value
    }
    #expect(values.allSatisfy { $0 != nil }, "\(subjects.map(\.name)): \(values)")
    #expect(Set(values).count >= distinct, "\(subjects.map(\.name)): \(values)")
    if subjects.contains(where: \.hasAge) {
      #expect(subjects.allSatisfy { row.estimate(Self.gate($0.name, 5, .value, .atLeast, 0)) == nil })
    }
  }

  static let words: [(String, Bool, GateFigure?, GateOutcome)] = [
    ("stop", true, .word("goOn", isOpen: true), .met), ("stop", true, .word("widen", isOpen: false), .met),
    ("stop", true, .word("stop", isOpen: false), .notMet), ("widen", false, .word("widen", isOpen: false), .met),
    ("widen", false, .word("stop", isOpen: false), .notMet),
    ("widen", false, .word("goOn", isOpen: true), .cannotBeJudged(nil)), ("stop", true, nil, .cannotBeJudged(nil)),
  ]

  @Test(arguments: words)
  func judgesWords(_ word: String, _ isNegated: Bool, _ found: GateFigure?, _ outcome: GateOutcome) {
    let gate = Gate(text: "", subject: "decision", age: nil, claim: .word(word, isNegated: isNegated))
    #expect(gate.judge(found) == outcome)
  }

  /// Where all or none of 500 updated there are exact limits, and the gate knows.
  @Test(arguments: [
    (500, Gate.Part.lo, Gate.Comparison.atLeast, 0.4, GateOutcome.met), (0, .lo, .atLeast, 0.4, .notMet),
    (0, .hi, .atMost, 0.01, .met), (0, .hi, .atMost, 0.001, .cannotBeJudged(nil)), (500, .hi, .below, 0.9, .notMet),
    (500, .alwaysLo, .atLeast, 0.95, .met), (0, .alwaysLo, .atLeast, 0.1, .notMet),
  ])
  func allAndNoneAreJudged(
    _ updated: Int, _ part: Gate.Part, _ comparison: Gate.Comparison, _ bound: Double, _ outcome: GateOutcome
  ) throws {
    let some = { (stays: Bool, count: Int) in
      count == 0
        ? ""
        : "devices \(stays ? "slow" : "fast") \(count)\n  -1h  check 1.0.0 foreground\n"
          + (stays ? "  40h check 1.0.0 foreground\n" : "  1h every 1m  applied 2.0.0 silentPush\n")
    }
    let scenario = try Scenario(
      "publish 2.0.0 at 0h\nnow 3d\n" + some(true, 500 - updated) + some(false, updated), file: "all")
    let fleet = try scenario.fleet()
    let chosen = try fleet.chosen("2.0.0", now: scenario.epoch + .days(3))
    let snapshot = try Snapshot(path: fleet.path)
    let row = try #require(try Adoption.answer(snapshot, chosen).data.first)
    let gate = Self.gate("adoption", 24, part, comparison, bound)
    #expect(gate.judge(row.figure(gate)) == outcome, "\(String(describing: row.figure(gate)))")
    guard part != .alwaysLo else { return }
    let push = try #require(try Mechanisms.answer(snapshot, chosen).data.first)
    let same = Self.gate("silentPush", 24, part, comparison, bound)
    #expect(same.judge(push.figure(same)) == outcome, "\(String(describing: push.figure(same)))")
  }

  /// The drop is permitted down to the lower limit; between the limits nobody can say.
  @Test(arguments: [(0.3, GateOutcome.met), (0.2, .met), (0.1, .cannotBeJudged(nil)), (-0.05, .notMet)])
  func maxDropLooksAtTheWholeInterval(_ drop: Double, _ outcome: GateOutcome) {
    var difference = Self.share
    (difference.lo, difference.hi) = (-0.2, 0.04)
    #expect(MaxDrop(drop).judge(difference) == outcome)
    difference.lo = nil
    #expect(MaxDrop(drop).judge(difference) == .cannotBeJudged(difference.reason))
  }
}

extension Fleet {
  /// Phones on 1.0.0 that get 2.0.0 by push, refresh and by hand; pushes that arrive, are lost, and lead to updates.
  fileprivate static func gated() throws -> Fleet {
    var lines = ""
    func event(_ device: Int, _ stage: String, _ at: String, _ more: String = "") {
      lines += #"{"device":"d\#(device)","stage":"\#(stage)","at":"\#(at)"\#(more)}"# + "\n"
    }
    for device in 0..<20 {
      event(device, "check", "2025-02-28T1\(device % 10):00:00Z", #","release":"1.0.0""#)
      event(
        device, "check", "2025-03-03T0\(device % 10):00:00Z",
        device < 12 ? #","release":"2.0.0""# : #","release":"1.0.0""#)
    }
    for device in 16..<20 { event(device, "check", "2025-03-03T12:00:00Z", #","release":"3.0.0""#) }
    for device in 0..<12 {
      let trigger = ["silentPush", "silentPush", "bgRefresh", "foreground"][device % 4]
      let more = #","release":"2.0.0","trigger":"\#(trigger)""#
      event(device, "ready", "2025-03-01T0\(device % 10):30:00Z", more)
      event(device, "applied", "2025-03-01T0\(device % 10):40:00Z", more)
    }
    for device in 0..<16 {
      event(device, "pushSent", "2025-03-01T00:10:00Z", #","push":"p\#(device)","release":"2.0.0""#)
      if device % 2 == 0 {
        event(device, "pushReceived", "2025-03-01T00:11:00Z", #","push":"p\#(device)","trigger":"silentPush""#)
      }
    }
    let fleet = try Fleet()
    try fleet.load(lines)
    try fleet.publish(
      [("2.0.0", "2025-03-01T00:00:00Z"), ("3.0.0", "2025-03-03T11:00:00Z")].map { label, at in
        Publication(
          app: "com.example.demo", release: ReleaseLabel(rawValue: label), channel: "production",
          publishedAt: try Timestamp(rfc3339: at), rollout: [], mandatory: false)
      })
    return fleet
  }
}
