internal import Console
internal import Lifecycle
internal import Query
internal import Statistics
internal import Store

private extension Option {
  static let limit = Option(
    "limit", .share, group: "STATISTICS",
    help: "The failure rate that must not be exceeded; else past releases set it, and without any nothing is decided"
  )
  static let alpha = Option(
    "alpha", .number(0.0001...0.5), fallback: "0.05", group: "STATISTICS",
    help: "How often the stop rule may be wrong, over the whole rollout and all rows")
  static let attemptAge = Option(
    "attempt-age", .duration, fallback: "1h", group: "STATISTICS", help: "A first attempt counts once it is so old")
  static let rollbackAge = Option(
    "rollback-age", .duration, fallback: "24h", group: "STATISTICS",
    help: "A rollback or crash counts so long after the launch; a launch counts for ROLLED BACK once so old")
}

extension Question {
  static let failures = Question(
    "failures", schema: .failures, purpose: "Show how often a release fails, and whether to stop or to go on",
    discussion: """
      The first attempt of each device, once it is old enough: failures report faster than successes, so younger ones \
      would make early numbers too high. An attempt fails when the client says so within --attempt-age, and when the \
      release is rolled back or crashes within --rollback-age of its launch, reported or not. The decision may be looked \
      at as often as one likes without becoming wrong; without --limit and without past releases there is none.
      """,
    arguments: [.init("RELEASE", completion: "releases", help: "The release")],
    options: Option.filters
      + [.by(Grouping.self), .limit, .alpha, .attemptAge, .rollbackAge] + Option.precision
      + [.require("rate.hi<=0.02")],
    examples: [
      .init("Go on or stop", "uptake failures 2.0.0 --limit 2%"),
      .init("Where it fails", "uptake failures 2.0.0 --by platform,appVersion"),
      .init("In a pipeline", "uptake failures 2.0.0 --require 'rate.hi<=0.02'"),
    ],
    exits: [.gateNotMet, .notEnoughData, .databaseUnusable], seeAlso: ["funnel", "breadcrumbs", "compare"]
  ) { asked, snapshot in
    let gates = try asked.gates(on: Failures.self)
    let chosen = try asked.chosen(snapshot.vocabulary)
    let answer = try Failures.answer(snapshot, chosen, try .init(asked))
    let groups = GroupColumns(chosen.selection.by)
    let verdicts = answer.verdicts(gates) { groups.words($0.names) }
    return Shown(
      answer.presentation(
        table: table(answer, groups), notes: verdicts.map(\.sentence) + notes(answer, groups),
        level: chosen.selection.level, next: ShellCommand("uptake", "funnel").argument(asked.arguments[0])),
      verdicts, isKnown: answer.data.contains { $0.attempts > 0 })
  }
}

extension Failures.Options {
  fileprivate init(_ asked: Parameters) throws(Failure) {
    self.init()
    limit = try asked.failureLimit()
    alpha = asked.number(.alpha) ?? alpha
    attemptAge = asked.milliseconds(.attemptAge) ?? attemptAge
    rollbackAge = asked.milliseconds(.rollbackAge) ?? rollbackAge
  }
}

extension Failures {
  fileprivate var names: [String: String] {
    group.byName.merging(mechanism.map { [Grouping.mechanism.rawValue: $0] } ?? [:]) { $1 }
  }
}

extension Parameters {
  /// Where the limit is nothing or everything, no number of devices is evidence on both of its sides.
  fileprivate func failureLimit() throws(Failure) -> Double? {
    guard let limit = number(.limit) else { return nil }
    guard limit > 0, limit < 1 else {
      throw Failure(
        "bad_value", "a limit lies between 0% and 100%, and is neither of them", place: "--limit",
        hints: ["give the highest rate that you accept, such as 0.1%"], exit: .usage)
    }
    return limit
  }
}

private func table(_ answer: Answer<Failures>, _ groups: GroupColumns) -> Table {
  let columns: [Table.Column] = [
    .init("ATTEMPTS", key: "attempts"), .init("FAILED", key: "failed"),
    .init("RATE", key: "rate", hasInterval: true), .init("DECISION", key: "decision"),
    .init("LIMIT", key: "limit"), .init("BEFORE", key: "previousRate", hasInterval: true, isOptional: true),
    .init("DIFFERENCE", key: "difference", hasInterval: true, isOptional: true),
    .init("ROLLED BACK", key: "rollbackRate", hasInterval: true, isOptional: true),
    .init("TOO YOUNG", key: "tooYoung", isOptional: true),
  ]
  return Table(
    groups.columns + columns,
    rows: answer.data.map { row in
      let none = Cell.missing(because: "there is no release before")
      return groups.cells(row.names) + [
        .count(row.attempts), .count(row.failed), row.rate.shareCell, row.stopRule.decisionCell,
        row.stopRule.limitCell, row.previous?.rate.shareCell ?? none, row.previous?.difference.pointsCell ?? none,
        row.rollbackRate.shareCell, .count(row.tooYoung),
      ]
    } + answer.withheldRows(groups, cells: columns.count))
}

extension Failures.StopRule {
  private static let noLimit = Cell.missing(because: "no limit: no past release has attempts, and no --limit is given")

  fileprivate var decisionCell: Cell { decision.map { .text($0.words) } ?? Self.noLimit }

  fileprivate var limitCell: Cell {
    switch limitFrom {
    case .configured, .history: .share(limit)
    case .floor: Self.noLimit
    }
  }
}

extension MixtureTest.Decision {
  fileprivate var words: String {
    switch self {
    case .stop: "STOP"
    case .widen: "safe to widen"
    case .goOn: "watch on"
    }
  }
}

private func notes(_ answer: Answer<Failures>, _ groups: GroupColumns) -> [String] {
  answer.data.flatMap { row -> [String] in
    let group = groups.words(row.names)
    let name = group.isEmpty ? "" : group + ": "
    let reasons = row.reasons.prefix(5).map { "\(grouped($0.devices)) \($0.reason)" }
    let more = row.reasons.count > 5 ? ["\(row.reasons.count - 5) more in --format json"] : []
    return (reasons.isEmpty ? [] : [name + "failed for: " + (reasons + more).joined(separator: ", ")])
      + (row.attempts > 0 ? [name + row.decisionWords] : [])
  } + ["attempts too young to count are left out; rolled back is of launches old enough to say"]
}

extension Failures {
  /// What the stop rule says, in a sentence.
  fileprivate var decisionWords: String {
    let limit = "the limit of \(share(stopRule.limit))" + stopRule.origin
    return switch stopRule.decision {
    case .stop: "STOP: the rate is above \(limit)"
    case .widen: "safe to widen: the rate is below \(limit), by \(counted(stopRule.settled, "settled attempt"))"
    case .goOn where !stopRule.canWiden && attempts > 0:
      "watch on: \(limit) can stop a rollout, but rests on too few attempts to call one safe; give one with --limit"
    case .goOn where stopRule.settled == 0:
      "watch on: no device has launched it long enough ago to tell the rate from \(limit)"
    case .goOn: "watch on: \(counted(attempts, "attempt")) cannot yet tell the rate from \(limit)"
    case nil: "no decision: no past release has attempts to set a limit by; give one with --limit"
    }
  }
}

extension Failures.StopRule {
  fileprivate var origin: String {
    switch limitFrom {
    case .configured, .floor: ""
    case .history: ", from \(counted(pastAttempts, "attempt")) at past releases"
    }
  }
}
