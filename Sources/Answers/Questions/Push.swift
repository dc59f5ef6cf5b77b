internal import Console
internal import Lifecycle
internal import Query
internal import Store

private extension Option {
  static let horizon = Option(
    "horizon", .duration, fallback: "24h", group: "STATISTICS", help: "A push that arrives later than this is late")
}

extension Question {
  static let push = Question(
    "push", schema: .push, purpose: "Show what becomes of silent pushes",
    discussion: """
      Of the pushes that the gateway accepted: delivered in time, replaced by a newer one, lost, or sent to a device that \
      was not heard of again. Shares are among mature pushes, sent at least the horizon before the data end; their \
      intervals allow for devices that got many.
      """,
    arguments: [.init("RELEASE", .optional, completion: "releases", help: "Only pushes about this release")],
    options: Option.filters + Option.period + [
      .by(Push.Grouping.self), .horizon, .quantiles.with(fallback: "0.5,0.9"),
    ]
      + Option.precision + [.require("lost.hi<=0.1")],
    examples: [
      .init("All silent pushes of the last week", "uptake push --since 7d"),
      .init("Those for a release, per platform", "uptake push 2.0.0 --by platform"),
      .init("How soon they arrive, drawn", "uptake push --format plot"),
      .init("In a pipeline", "uptake push --since 7d --require 'lost.hi<=0.1'"),
    ],
    exits: [.gateNotMet, .notEnoughData, .databaseUnusable], seeAlso: ["wakeups", "mechanisms"]
  ) { asked, snapshot in
    let gates = try asked.gates(on: Push.self)
    let extent = try asked.extent(asked.arguments.first, snapshot.vocabulary)
    let options = Push.Options(asked)
    let answer = try Push.answer(snapshot, extent, options)
    let groups = GroupColumns(options.by)
    let verdicts = answer.verdicts(gates) { groups.words($0.group.parts) }
    return Shown(
      answer.presentation(
        table: table(answer, options), plots: plots(answer, options),
        notes: verdicts.map(\.sentence) + notes(answer), level: extent.level,
        next: ShellCommand("uptake", "wakeups")),
      verdicts, isKnown: answer.data.contains { $0.mature > 0 })
  }
}

extension Push.Options {
  fileprivate init(_ asked: Parameters) {
    self.init()
    by = asked.choices(.by(Push.Grouping.self))
    quantiles = asked.numbers(.quantiles)
    horizon = asked.milliseconds(.horizon) ?? horizon
  }
}

private func table(_ answer: Answer<Push>, _ options: Push.Options) -> Table {
  let groups = GroupColumns(options.by)
  let start: [Table.Column] = [
    .init("SENT", key: "sent"), .init("MATURE", key: "mature"), .init("DELIVERED", key: "delivered", hasInterval: true),
  ]
  let rates: [Table.Column] = [
    .init("LOST", key: "lost", hasInterval: true),
    .init("REPLACED", key: "coalesced", hasInterval: true, isOptional: true),
    .init("UNREACHED", key: "unreached", hasInterval: true, isOptional: true),
    .init("LED TO UPDATE", key: "credited", hasInterval: true, isOptional: true),
    .init("REJECTED", key: "rejected", isOptional: true), .init("DEVICES", key: "devices", isOptional: true),
  ]
  let columns = start + [TimeToUpdate.Quantile].columns(options.quantiles, kept: [0.5]) + rates
  return Table(
    groups.columns + columns,
    rows: answer.data.map { row in
      groups.cells(row.group.parts) + [.count(row.sent), .count(row.mature), row.delivered.cell]
        + row.latency.quantiles.cells + [row.lost, row.coalesced, row.unreached, row.credited].map(\.cell)
        + [.count(row.rejected), .count(row.devices)]
    } + answer.withheldRows(groups, cells: columns.count))
}

/// What one row cannot hold; of several groups the JSON tells it.
private func notes(_ answer: Answer<Push>) -> [String] {
  guard answer.data.count == 1, let row = answer.data.first, row.sent > 0 else { return [] }
  let throttling = row.throttling.filter { $0.delivered.of > 0 }
    .map { "\($0.delivered.words) after \($0.pushesBefore)" }
  let hours = row.deviceHours
  var notes = [
    "lost is among pushes neither replaced nor sent to a device that fell silent: \(grouped(row.lost.of))",
    "of the lost, \(grouped(row.lostThoughRefreshed)) went to devices that a background refresh woke in that time:"
      + " neither force-quit nor off",
    "over 3 pushes in one hour: \(grouped(hours.overThree)) of \(grouped(hours.hours)) device hours, at most \(hours.most)",
  ]
  if throttling.count > 1 {
    notes.insert("delivered by pushes in the 24 h before: " + throttling.joined(separator: ", "), at: 1)
  }
  if let orphans = row.orphans, orphans > 0 {
    notes.append("\(grouped(orphans)) wake-ups by a push that nobody reported as sent")
  }
  return notes
}

private func plots(_ answer: Answer<Push>, _ options: Push.Options) -> [Plot] {
  let end = options.horizon.rawValue / 1000
  return answer.data.map { row in
    var plot = Plot(
      [Plot.Series("delivered", of: row.latency.curve.map { ($0.seconds, $0.share) }, end: end)], horizon: Double(end))
    plot.title = GroupColumns(options.by).words(row.group.parts)
    return plot
  }.alike
}
