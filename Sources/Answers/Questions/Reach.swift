internal import Console
internal import Lifecycle
internal import Query
internal import Statistics
internal import Store

private extension Option {
  static let history = Option(
    "history", .duration, group: "STATISTICS", help: "Tell also what devices ran so far back, in JSON")
}

extension Question {
  static let reach = Question(
    "reach", schema: .reach, purpose: "Show what share of reachable devices runs a release now",
    discussion: """
      Of the devices in contact within the reach window, what they run. It falls when devices roll back or move on; for \
      the share that ever updated see adoption. Windows of 7 days and 1 day stand beside the one asked for.
      """,
    arguments: [.init("RELEASE", completion: "releases", help: "The release")],
    options: Option.filters + [.by(DeviceGrouping.self), .reachWindow, .history] + Option.precision
      + [.require("reach.lo>=0.5")],
    examples: [
      .init("Who runs it now", "uptake reach 2.0.0"),
      .init("Since its publication, drawn", "uptake reach 2.0.0 --channel production --format plot"),
      .init("In a pipeline", "uptake reach 2.0.0 --require 'reach.lo>=0.5'"),
    ],
    exits: [.gateNotMet, .notEnoughData, .databaseUnusable], seeAlso: ["adoption", "releases", "help definitions"]
  ) { asked, snapshot in
    let gates = try asked.gates(on: Reach.self)
    let chosen = try asked.chosen(snapshot.vocabulary)
    let answer = try Reach.answer(snapshot, chosen, .init(asked))
    let groups = GroupColumns(chosen.selection.by)
    let verdicts = answer.verdicts(gates) { groups.words($0.group.byName) }
    return Shown(
      answer.presentation(
        table: table(answer, groups), plots: plots(answer, groups),
        notes: verdicts.map(\.sentence) + notes(answer, groups),
        level: chosen.selection.level, next: ShellCommand("uptake", "adoption").argument(asked.arguments[0])),
      verdicts, isKnown: answer.data.contains { $0.reason == nil })
  }
}

extension Reach.Options {
  fileprivate init(_ asked: Parameters) {
    self.init()
    history = asked.milliseconds(.history)
  }
}

private func table(_ answer: Answer<Reach>, _ groups: GroupColumns) -> Table {
  let columns: [Table.Column] = [
    .init("IN CONTACT", key: "window"), .init("REACHABLE", key: "reachable"), .init("RUN IT", key: "devices"),
    .init("REACH", key: "reach", hasInterval: true), .init("OR NEWER", key: "orNewer", hasInterval: true),
    .init("ELIGIBLE", key: "eligible", isOptional: true),
    .init("OF ELIGIBLE", key: "reachOfEligible", hasInterval: true, isOptional: true),
    .init("NEVER SAID", key: "unknown", isOptional: true),
  ]
  return Table(
    groups.columns + columns,
    rows: answer.data.flatMap { row in
      row.windows.map { window in
        groups.cells(row.group.byName) + [
          .age(seconds: window.seconds), .count(window.reachable), .count(window.exactly.devices),
          window.exactly.share.shareCell, window.orNewer.share.shareCell, .count(window.eligible.devices),
          window.eligible.exactly.share.shareCell, .count(window.unknown.devices),
        ]
      }
    } + answer.withheldRows(groups, cells: columns.count))
}

private func notes(_ answer: Answer<Reach>, _ groups: GroupColumns) -> [String] {
  answer.data.flatMap { row -> [String] in
    let group = groups.words(row.group.byName)
    let name = group.isEmpty ? "" : group + ": "
    let running = row.running.prefix(6).map { "\($0.release ?? "unknown") \(share($0.share.value ?? 0))" }
    let more = row.running.count > 6 ? ["\(row.running.count - 6) more"] : []
    let unknown = row.windows.first?.eligible.unknown ?? 0
    var notes = running.isEmpty ? [] : ["\(name)reachable devices run: " + (running + more).joined(separator: ", ")]
    if row.steps.count > 1 { notes.append("\(name)reach at the end of each rollout step: " + row.stepWords) }
    if unknown > 0 {
      notes.append(
        "\(name)of \(counted(unknown, "device")) nobody knows whether the rollout had come to them: outside of eligible"
      )
    }
    return notes
  }
}

extension Reach {
  /// The last point at each share that the rollout had come to.
  fileprivate var steps: [Point] {
    let known = series.filter { $0.rolloutPercent != nil }
    return known.indices.filter { index in
      index == known.count - 1 || known[index + 1].rolloutPercent != known[index].rolloutPercent
    }.map { known[$0] }
  }

  fileprivate var stepWords: String {
    steps.map { point in
      "\(percent((point.rolloutPercent ?? 0) / 100))% \(point.exactly.share.value.map { share($0) } ?? "—")"
        + " of \(grouped(point.exactly.of))"
    }.joined(separator: ", ")
  }
}

/// Reach by the release's age; dotted, the same among eligible devices.
private func plots(_ answer: Answer<Reach>, _ groups: GroupColumns) -> [Plot] {
  answer.data.map { row in
    let points = row.series.compactMap { point in point.ageSeconds.map { (age: $0, point: point) } }.filter {
      $0.age >= 0
    }
    let end = points.last?.age ?? 0
    var plot = Plot(
      [
        Plot.Series("of reachable", of: points.map { ($0.age, $0.point.exactly.share) }, end: end),
        Plot.Series("of eligible", .dotted, of: points.map { ($0.age, $0.point.eligibleExactly.share) }, end: end),
      ], horizon: Double(end))
    plot.title = groups.words(row.group.byName)
    return plot
  }.alike
}
