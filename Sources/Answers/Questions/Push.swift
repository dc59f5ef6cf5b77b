internal import Console
internal import Lifecycle
internal import Query

private extension Option {
  static let horizon = Option(
    "horizon", .duration, fallback: "24h", group: "STATISTICS", help: "A push that arrives later than this is late")
}

extension Push: PeriodQuestion, Grouped {
  static let usage = Usage(
    "push", purpose: "Show silent-push delivery",
    discussion: """
      Of the pushes that the gateway accepted: delivered in time, replaced by a newer one, lost, or sent to a device that \
      was not heard of again. Shares are among mature pushes, sent at least the horizon before the cutoff; their \
      intervals allow for devices that got many.
      """,
    arguments: [.init("RELEASE", .optional, completion: "releases", help: "Only pushes about this release")],
    options: Option.slicing(Grouping.self) + Option.period
      + [.horizon, .quantiles.with(fallback: "0.5,0.9")] + Option.precision + [.require("lost.hi<=0.1")],
    examples: [
      .init("All silent pushes of the last week", "uptake push --since 7d"),
      .init("Those for a release, per platform", "uptake push 2.0.0 --by platform"),
      .init("How soon they arrive, drawn", "uptake push --format plot"),
      .init("In a pipeline", "uptake push --since 7d --require 'lost.hi<=0.1'"),
    ], seeAlso: ["wakeups", "mechanisms"], next: "wakeups")

  static func options(_ asked: Parameters) -> Options {
    var options = Options()
    options.by = asked.choices(.by(Grouping.self))
    options.quantiles = asked.numbers(.quantiles)
    options.horizon = asked.milliseconds(.horizon) ?? options.horizon
    return options
  }

  /// Those of one release may fare otherwise than all together: `push` without a release hides that.
  static func next(_ reply: Reply<Push>) -> ShellCommand? {
    guard reply.asked.arguments.isEmpty, !reply.options.by.contains(.release) else {
      return ShellCommand("uptake", "wakeups")
    }
    return ShellCommand("uptake", "push").option("by", Grouping.release.rawValue)
  }

  static func isKnown(_ row: Push) -> Bool { row.mature > 0 }

  /// What one row cannot hold; of several groups the JSON tells it.
  static func notes(_ reply: Reply<Push>) -> [String] {
    let refused = refusedNote(reply)
    guard reply.rows.count == 1, let row = reply.rows.first, row.sent > 0 else { return refused }
    let hours = row.deviceHours
    let often =
      "over 3 pushes in one hour: \(grouped(hours.overThree)) of \(grouped(hours.hours)) device hours, at most \(hours.most)"
    // Of pushes that no gateway took there are none.
    return refused + (row.rejected < row.sent ? row.lostNotes + [often] : []) + row.orphansNote
  }

  /// However many are refused, shares of the accepted ones look well.
  private static func refusedNote(_ reply: Reply<Push>) -> [String] {
    func words(_ rejected: Int, _ sent: Int) -> String { "\(grouped(rejected)) of \(grouped(sent))" }
    let (rejected, sent) = (reply.rows.reduce(0) { $0 + $1.rejected }, reply.rows.reduce(0) { $0 + $1.sent })
    guard rejected > 0 else { return [] }
    if rejected == sent {
      return ["all \(grouped(sent)) pushes were refused by the gateway: none was taken, so nothing could arrive"]
    }
    let worst = reply.rows.max { $0.rejected < $1.rejected }
    let most = worst.flatMap { worst in
      reply.rows.count > 1 ? ", most in \(reply.words(worst)): \(words(worst.rejected, worst.sent))" : nil
    }
    return [
      "\(words(rejected, sent)) pushes were refused by the gateway\(most ?? ""): DELIVERED and the other shares are of those accepted"
    ]
  }

  /// Where no arrival is reported nothing is said of those that were lost.
  private var lostNotes: [String] {
    if areReceiptsMissing { return [] }
    return [
      "lost is among pushes neither replaced nor sent to a device that fell silent: \(grouped(lost.of))"
    ] + throttlingNote + [
      "of the lost, \(grouped(lostThoughRefreshed)) went to devices that a background refresh woke in that time:"
        + " neither force-quit nor off"
    ]
  }

  private var throttlingNote: [String] {
    let classes = throttling.filter { $0.delivered.of > 0 }.map { "\($0.delivered.words) after \($0.pushesBefore)" }
    return classes.count > 1
      ? ["delivered by pushes in the 24 h before: " + classes.joined(separator: ", ")] : []
  }

  private var orphansNote: [String] {
    orphans.flatMap { $0 > 0 ? ["\(grouped($0)) wake-ups by a push that nobody reported as sent"] : nil } ?? []
  }

  static func plots(_ reply: Reply<Push>) -> [Plot] {
    let end = reply.options.horizon.rawValue / 1000
    return reply.rows.map { row in
      Plot(reply.words(row), [.init("delivered", of: row.latency.curve, end: end)], horizon: end)
    }.alike
  }
}
