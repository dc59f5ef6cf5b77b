internal import Console
internal import Lifecycle
internal import Query
internal import Store

private extension Option {
  static let maturity = Option(
    "maturity", .duration, fallback: "24h", group: "STATISTICS",
    help: "Shares are of devices that entered a step at least so long ago")
}

extension Question {
  static let funnel = Question(
    "funnel", schema: .funnel, purpose: "Show how far devices get with a release, and where they stay behind",
    discussion: """
      Devices by the furthest stage they were seen at, from the offer to the confirmed start, with the share that takes \
      each step and the time it needs.
      """,
    arguments: [.init("RELEASE", completion: "releases", help: "The release")],
    options: Option.filters + [.by(Grouping.self), .maturity, .quantiles.with(fallback: "0.5,0.9")]
      + Option.precision,
    examples: [
      .init("Where devices stay behind", "uptake funnel 2.0.0"),
      .init("Per mechanism", "uptake funnel 2.0.0 --by mechanism"),
    ],
    exits: [.notEnoughData, .databaseUnusable], seeAlso: ["failures", "time-to-update"]
  ) { asked, snapshot in
    let chosen = try asked.chosen(snapshot.vocabulary)
    let options = Funnel.Options(asked)
    let answer = try Funnel.answer(snapshot, chosen, options)
    let groups = GroupColumns(chosen.selection.by)
    return Shown(
      answer.presentation(
        table: table(answer, options, groups), notes: notes(answer, options, groups), level: chosen.selection.level,
        next: ShellCommand("uptake", "failures").argument(asked.arguments[0])),
      isKnown: answer.data.contains { $0.devices > 0 })
  }
}

extension Funnel.Options {
  fileprivate init(_ asked: Parameters) {
    self.init()
    quantiles = asked.numbers(.quantiles)
    maturity = asked.milliseconds(.maturity) ?? maturity
  }
}

private func table(_ answer: Answer<Funnel>, _ options: Funnel.Options, _ groups: GroupColumns) -> Table {
  let columns: [Table.Column] = [
    .init("STAGE", key: "stage", least: 18), .init("REACHED", key: "reached"),
    .init("IMPLIED", key: "implied", isOptional: true), .init("OF STEP", key: "share", hasInterval: true),
    .init("LOST", key: "lost"), .init("FAILED", key: "failed", isOptional: true),
  ]
  return Table(
    groups.columns + columns + [TimeToUpdate.Quantile].columns(options.quantiles, kept: [0.5]),
    rows: answer.data.flatMap { row in
      row.stages.map { stage in
        let start = groups.cells(row.group.parts) + [.text(stage.stage), .count(stage.reached), .count(stage.implied)]
        guard let step = row.steps.first(where: { $0.to == stage.stage }) else {
          return start + Array(repeating: .missing(because: ""), count: 3 + options.quantiles.count)
        }
        return start + [step.share.shareCell, .count(step.lost), .count(step.latency.failed)]
          + step.latency.quantiles.cells
      }
    } + answer.withheldRows(groups, cells: columns.count + options.quantiles.count))
}

private func notes(_ answer: Answer<Funnel>, _ options: Funnel.Options, _ groups: GroupColumns) -> [String] {
  let losses = answer.data.compactMap { row in
    row.largestLoss.map { loss in
      let group = groups.words(row.group.parts)
      return "largest loss\(group.isEmpty ? "" : " (\(group))"): \(loss.message)"
    }
  }
  let maturity = age(seconds: options.maturity.rawValue / 1000)
  return losses + [
    "step and lost are of devices that entered the step at least \(maturity) before the data end; implied: only a later"
      + " stage was seen"
  ]
}
