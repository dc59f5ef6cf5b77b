internal import Console
internal import Lifecycle
internal import Query
internal import Statistics
internal import Store

private extension Option {
  static let horizon = Option(
    "horizon", .duration, fallback: "72h", group: "STATISTICS", help: "The end of the restricted mean")
}

extension Question {
  static let timeToUpdate = Question(
    "time-to-update", schema: .timeToUpdate, purpose: "Show how long devices take to get a release",
    discussion: """
      Survival analysis over all eligible devices: one that has not updated yet counts with the time it has waited so \
      far. Mechanisms compete for each device, so their shares add up to the whole.
      """,
    arguments: [.init("RELEASE", completion: "releases", help: "The release")],
    options: Option.filters + [.by(Grouping.self)] + Option.rules
      + [.quantiles, .horizon, .points(1000)] + Option.precision,
    examples: [
      .init("Median and 90 % of a release", "uptake time-to-update 2.0.0"),
      .init("Per channel, as JSON", "uptake time-to-update 2.0.0 --by channel --format json"),
      .init("Which mechanism delivered it, drawn", "uptake time-to-update 2.0.0 --by mechanism --format plot"),
    ],
    exits: [.notEnoughData, .databaseUnusable], seeAlso: ["adoption", "compare", "help definitions"]
  ) { asked, snapshot in
    let chosen = try asked.chosen(snapshot.vocabulary)
    let options = TimeToUpdate.Options(asked)
    let answer = try TimeToUpdate.answer(snapshot, chosen, options)
    let by = chosen.selection.by
    return Shown(
      answer.presentation(
        table: table(answer, options, by), plots: plots(answer, by), notes: notes(answer, by),
        level: chosen.selection.level, next: ShellCommand("uptake", "adoption").argument(asked.arguments[0])),
      isKnown: answer.data.contains { $0.counts.devices > 0 })
  }
}

extension TimeToUpdate.Options {
  fileprivate init(_ asked: Parameters) {
    self.init()
    quantiles = asked.numbers(.quantiles)
    horizon = asked.milliseconds(.horizon) ?? horizon
    points = asked.integer(.points(1000)) ?? points
  }
}

private func table(_ answer: Answer<TimeToUpdate>, _ options: TimeToUpdate.Options, _ by: [Grouping]) -> Table {
  let counts: [Table.Column] = [
    .init("DEVICES", key: "devices"), .init("UPDATED", key: "events"),
    .init("NOT YET", key: "censored"), .init("LEFT OUT", key: "excluded", isOptional: true),
  ]
  let mean = Table.Column(
    "MEAN TO \(options.horizon.rawValue / 3_600_000)h", key: "restrictedMean", hasInterval: true, isOptional: true)
  let quantiles = [TimeToUpdate.Quantile].columns(options.quantiles)
  return Table(
    GroupColumns(by).columns + counts + quantiles + [mean],
    rows: answer.data.flatMap { rows($0, by) }
      + answer.withheldRows(GroupColumns(by), cells: counts.count + quantiles.count + 1))
}

/// One row a group; with `--by mechanism` one a mechanism, whose shares of all devices add up.
private func rows(_ row: TimeToUpdate, _ by: [Grouping]) -> [[Cell]] {
  let (counts, groups) = (row.counts, GroupColumns(by))
  let excluded = Cell.count(counts.excluded.values.reduce(0, +))
  guard by.contains(.mechanism) else {
    return [
      groups.cells(row.group.byName)
        + [.count(counts.devices), .count(counts.events), .count(counts.censored), excluded] + row.quantiles.cells
        + [row.restrictedMean.seconds.durationCell]
    ]
  }
  return row.mechanisms.map { part in
    groups.cells(row.group.byName.merging([Grouping.mechanism.rawValue: part.mechanism]) { $1 })
      + [.count(counts.devices), .count(part.events), .count(counts.censored), excluded] + part.quantiles.cells
      + [.missing(because: "mechanisms share one time at risk")]
  }
}

private func notes(_ answer: Answer<TimeToUpdate>, _ by: [Grouping]) -> [String] {
  var notes = answer.data.map(\.counts).notes
  if by.contains(.mechanism) {
    notes.append(
      "times are until the mechanism had updated that share of all devices; mechanisms are not assigned at random, so"
        + " differences are not effects: uptake mechanisms")
  } else if answer.data.count == 1, let seconds = answer.data[0].stableUntilSeconds {
    notes.append("later than \(duration(seconds: Double(seconds))) fewer than 30 devices carry the estimate")
  }
  return notes
}

/// A plot a group, and with `--by mechanism` a plot a mechanism, all with the same axes.
private func plots(_ answer: Answer<TimeToUpdate>, _ by: [Grouping]) -> [Plot] {
  let end = answer.data.flatMap { $0.curve.map(\.seconds) }.max() ?? 0
  func plot(_ title: String, _ points: [(seconds: Int64, share: Estimate)], until: Int64) -> Plot {
    var plot = Plot([Plot.Series(title, of: points, end: until)], horizon: Double(end))
    plot.title = title
    return plot
  }
  let groups = GroupColumns(by.filter { $0 != .mechanism })
  return answer.data.flatMap { row in
    let (title, last) = (groups.words(row.group.byName), row.curve.last?.seconds ?? 0)
    guard by.contains(.mechanism) else { return [plot(title, row.curve.map { ($0.seconds, $0.share) }, until: last)] }
    return row.mechanisms.map { part in
      plot(
        [title, part.mechanism].filter { !$0.isEmpty }.joined(separator: ", "),
        part.curve.map { ($0.seconds, $0.share) }, until: last)
    }
  }.alike
}
