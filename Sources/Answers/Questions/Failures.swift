internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension Option {
  static let failureLimit = Option(
    "limit", .share, group: "STATISTICS",
    help: "The failure rate that must not be exceeded; else past releases set it, and without any nothing is decided"
  )
}

private extension Option {
  static let alpha = Option(
    "alpha", .number(0.0001...0.5), fallback: "0.05", group: "STATISTICS",
    help: "How often the stop rule may be wrong, over the whole rollout and all rows")
  static let attemptAge = Option(
    "attempt-age", .duration, fallback: "1h", group: "STATISTICS", help: "A first attempt counts once it is so old")
  static let rollbackAge = Option(
    "rollback-age", .duration, fallback: "24h", group: "STATISTICS",
    help: "A rollback or crash counts so long after the launch; a launch counts for ROLLBACK RATE once so old")
}

extension Failures: ReleaseQuestion, Grouped {
  static let usage = Usage(
    "failures", purpose: "Show how often a release fails, and whether to stop or to go on",
    discussion: """
      The first attempt of each device, once it is old enough: failures report faster than successes, so younger ones \
      would make early numbers too high. An attempt fails when the client says so within --attempt-age, and when the \
      release is rolled back or crashes within --rollback-age of its launch, reported or not. The decision may be looked \
      at as often as one likes without becoming wrong; without --limit and without past releases there is none.
      """,
    arguments: [.release],
    options: Option.slicing(Grouping.self) + [.mechanism, .failureLimit, .alpha, .attemptAge, .rollbackAge]
      + Option.precision + [.require("rate.hi<=0.02")],
    examples: [
      .init("Go on or stop", "uptake failures 2.0.0 --limit 2%"),
      .init("Where it fails", "uptake failures 2.0.0 --by platform,appVersion"),
      .init("In a pipeline, once", "uptake failures 2.0.0 --require 'rate.hi<=0.02'"),
      .init("In a pipeline that asks every hour", "uptake failures 2.0.0 --require 'decision!=stop'"),
    ], seeAlso: ["suspects", "funnel", "breadcrumbs", "compare"], next: "funnel")

  static func options(_ asked: Parameters, _ gates: [Gate]) throws -> Options {
    var options = Options()
    options.limit = try asked.limit(.failureLimit)
    options.alpha = asked.number(.alpha) ?? options.alpha
    options.attemptAge = asked.milliseconds(.attemptAge) ?? options.attemptAge
    options.rollbackAge = asked.milliseconds(.rollbackAge) ?? options.rollbackAge
    return options
  }

  static func isKnown(_ row: Failures) -> Bool { row.attempts > 0 }

  var names: [String: String] {
    group.byName.merging(mechanism.map { [Grouping.mechanism.rawValue: $0] } ?? [:]) { $1 }
  }

  /// Who should stop wants to know where it fails; of devices that suspects led to, at which step.
  static func next(_ reply: Reply<Failures>) -> ShellCommand? {
    let stops = reply.rows.contains { $0.stopRule.decision == .stop || $0.stopRule.decision == .goOn && $0.isAboveNow }
    let isOfSuspects = !reply.asked.texts(.only).isEmpty || reply.answer.query.by.contains(Grouping.mechanism.rawValue)
    return ShellCommand("uptake", stops && !isOfSuspects ? "suspects" : "funnel").argument(reply.release)
  }

  private var madeGoodNote: [String] {
    guard retried + recovered > 0 else { return [] }
    return [
      "recovered: \(recovered) of the failed got it in a later attempt; \(retried) fetched the whole release where its patch failed, which is no failure"
    ]
  }

  static func notes(_ reply: Reply<Failures>) -> [String] {
    reply.rows.flatMap { row in
      let isTold = row.attempts > 0 || row.watchedRate != nil
      let notes = row.reasonsNote + row.soFarNote + row.madeGoodNote + (isTold ? [row.decisionWords] : [])
      return notes.map { reply.prefix(row) + $0 }
    } + [
      "all this is of first attempts: uptake verdict weighs crashes and rollbacks of all launches, too",
      rollbackNote(reply.options),
    ]
  }

  private static func rollbackNote(_ options: Options) -> String {
    let old = age(seconds: options.rollbackAge.rawValue / 1000)
    return
      "attempts too young to count are left out; rollback rate: of launches at least \(old) old (releases and verdict count"
      + " rollbacks of all launches so far)"
  }

  private var reasonsNote: [String] {
    let words = Self.words(reasons, reasonsWithheld)
    return words.isEmpty ? [] : ["failed for: " + words]
  }

  /// Where those that count do not show it.
  private var soFarNote: [String] {
    guard watchedRate != nil, stopRule.watchedFailures > failed else { return [] }
    let counts = "\(grouped(stopRule.watchedFailures)) of \(grouped(stopRule.watched))"
    return ["failed so far: \(counts): " + Self.words(reasonsSoFar, reasonsSoFarWithheld)]
  }

  private static func words(_ reasons: [Reason], _ withheld: Int) -> String {
    let known = reasons.prefix(5).map { "\(grouped($0.devices)) \($0.reason)" }
    let more = reasons.count > 5 ? ["\(reasons.count - 5) more in --format json"] : []
    let few = withheld > 0 ? ["\(counted(withheld, "reason")) of too few devices to be shown"] : []
    return (known + more + few).joined(separator: ", ")
  }
}

extension Parameters {
  /// Where the limit is nothing or everything, no number of devices is evidence on both of its sides.
  func limit(_ option: Option) throws(Failure) -> Double? {
    guard let limit = number(option) else { return nil }
    guard limit > 0, limit < 1 else {
      throw Failure(
        "bad_value", "a limit lies between 0% and 100%, and is neither of them", place: "--\(option.name)",
        hints: ["give the highest rate that you accept, such as 0.1%"], exit: .usage)
    }
    return limit
  }
}

extension Failures {
  /// What the stop rule says, in a sentence.
  fileprivate var decisionWords: String {
    let limit = "the limit of \(share(stopRule.limit))" + stopRule.origin
    let soFar = isLowSoFar ? "; it lies below so far, which of attempts alone a verdict calls healthy" : ""
    return switch stopRule.decision {
    case .stop where !stopRule.holds && watchedRate == nil:
      "STOP: \(reachedWords(limit)); newer figures do not take that back"
    case .stop:
      "STOP: the rate is above \(limit)" + (watchedRate == nil ? "" : ": \(watchedWords) failed so far, however young")
    case .widen:
      "widen, as far as first attempts go: their rate is below \(limit), by \(counted(stopRule.settled, "settled attempt")); crashes and"
        + " rollbacks later than theirs are for uptake verdict"
    case .goOn where isAboveNow:
      "watch on: for one look the rate is above \(limit), and not yet for certain by the stricter rule of who looks every five minutes;"
        + " who need not wait for it halts now"
    case .goOn where !stopRule.canWiden && attempts > 0:
      "watch on: \(limit) can stop a rollout, but rests on too few attempts to call one safe\(soFar); give one with --limit"
    case .goOn where stopRule.settled == 0:
      "watch on: no device has launched it long enough ago to tell the rate from \(limit)"
    case .goOn: "watch on: \(counted(attempts, "attempt")) cannot yet tell the rate from \(limit)\(soFar)"
    case nil: "no decision: no past release has attempts to set a limit by; give one with --limit"
    }
  }
}

extension Failures {
  /// For who looks once.
  fileprivate var isAboveNow: Bool { ((watchedRate ?? rate).lo ?? 0) > stopRule.limit }

  fileprivate func reachedWords(_ limit: String) -> String {
    guard let reached = stopRule.reached, let at = stopRule.reachedAt else { return "the rate was above \(limit)" }
    return reached.words(stopRule.limit, named: limit, by: at)
  }

  private var watchedWords: String {
    "\(grouped(stopRule.watchedFailures)) of \(counted(stopRule.watched, "first attempt"))"
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
