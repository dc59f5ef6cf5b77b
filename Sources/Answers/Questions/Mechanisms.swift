internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

private extension Option {
  static let at = ages("1h,6h,24h,72h,168h")
  static let horizon = Option(
    "horizon", .duration, fallback: "72h", group: "STATISTICS", help: "The end of the mean wait for the user")
  static let arms = Option(
    "arms", .text, value: "ARMS", group: "STATISTICS",
    help:
      "What the arms of the experiment were planned to be, such as holdout:5,push:95: the devices are held against it")
}

extension Mechanisms: ReleaseQuestion {
  static let usage = Usage(
    "mechanisms", purpose: "Compare how silent push, background refresh and the user deliver",
    discussion: """
      Mechanisms compete for each device: the shares of all and of those that still wait make 100 %. From publication to \
      ready is the mechanism's doing, from ready to applied the user's. Devices are not assigned at random, so this \
      describes; where the app marks arms of a random hold-out, their comparison says what pushing causes.
      """,
    arguments: [.release],
    options: Option.slicing(DeviceGrouping.self) + [.at, .quantiles.with(fallback: "0.5,0.9"), .horizon, .arms]
      + Option.rules
      + Option.precision + [.require("silentPush@24h.lo>=0.2")],
    examples: [
      .init("Who delivered it, and how fast", "uptake mechanisms 2.0.0"),
      .init("Drawn, one plot a mechanism", "uptake mechanisms 2.0.0 --format plot"),
      .init("Per platform, after one day", "uptake mechanisms 2.0.0 --by platform --at 24h"),
      .init("In a pipeline", "uptake mechanisms 2.0.0 --require 'silentPush@24h.lo>=0.2'"),
    ], seeAlso: ["push", "wakeups", "time-to-update"], next: "push")

  static func options(_ asked: Parameters, _ gates: [Gate]) throws -> Options {
    var options = Options()
    options.ages = asked.ages(.at, with: gates)
    options.quantiles = asked.numbers(.quantiles)
    options.horizon = asked.milliseconds(.horizon) ?? options.horizon
    options.arms = try asked.text(.arms).map { try ArmRule(reading: $0) }
    return options
  }

  static func isKnown(_ row: Counted<Mechanisms>) -> Bool { row.counts.devices > 0 }

  static func notes(_ reply: Reply<Mechanisms>) -> [String] {
    let isPolled = reply.rows.contains { $0.figures.polled != nil }
    let isByAge = reply.answer.query.startsAtPublication
    let legs =
      "half ready: when "
      + (isByAge ? "its curve was at half of what it reaches by now" : "half of those that it delivered to by now were")
      + "; ready to applied: the median wait for the user"
      + (isPolled ? " until the check that showed the launch, so at most that" : "")
    let isOfAll = reply.answer.query.by.contains { $0 != Grouping.platform.rawValue }
    return reply.rows.map(\.counts).notes + reply.rows.compactMap(\.figures.polled?.note)
      + (reply.rows.contains { !$0.legs.isEmpty } ? [legs] : [])
      + reply.rows.flatMap { row in
        (row.notes + row.wayNotes(isOfAll: isOfAll, isByAge: isByAge)).map { reply.prefix(row) + $0 }
      }
  }

  /// What each mechanism had delivered by the ages asked for, all with the same axes.
  static func plots(_ reply: Reply<Mechanisms>) -> [Plot] {
    reply.rows.flatMap { row -> [Plot] in
      let known = row.ages.filter { $0.waiting.value != nil }
      guard let end = known.last?.seconds else { return [] }
      return row.delivering.map { name in
        let points = known.compactMap { age in age.part(of: name).map { (seconds: age.seconds, share: $0.share) } }
        return Plot(
          [reply.words(row), name].filter { !$0.isEmpty }.joined(separator: ", "),
          [.init(name, of: points, end: end)], horizon: end, rows: 6)
      }
    }.alike
  }
}
