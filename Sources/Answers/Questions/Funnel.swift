internal import Console
internal import Lifecycle
internal import Query

private extension Option {
  static let maturity = Option(
    "maturity", .duration, fallback: "24h", group: "STATISTICS",
    help: "Shares are of devices that entered a step at least so long ago")
}

extension Funnel: ReleaseQuestion, Grouped {
  static let usage = Usage(
    "funnel", purpose: "Show how far devices get with a release, and where they stop",
    discussion: """
      Devices by the furthest stage they were seen at, from the offer to the confirmed start, with the share that takes \
      each step and the time it needs.
      """,
    arguments: [.release],
    options: Option.slicing(Grouping.self) + [.mechanism, .maturity, .quantiles.with(fallback: "0.5,0.9")]
      + Option.precision,
    examples: [
      .init("Where the gaps are", "uptake funnel 2.0.0"),
      .init("Per mechanism", "uptake funnel 2.0.0 --by mechanism"),
    ], seeAlso: ["failures", "time-to-update", "diagnose"], next: "diagnose")

  static func options(_ asked: Parameters, _ gates: [Gate]) -> Options {
    var options = Options()
    options.quantiles = asked.numbers(.quantiles)
    options.maturity = asked.milliseconds(.maturity) ?? options.maturity
    return options
  }

  static let query: [Member] = .selection(
    Member("maturitySeconds", .integer, "Shares are of devices that entered a step so long ago"), .mechanism)

  static var fields: [Field<Funnel>] { fields([]) }
  static func fields(_ reply: Reply<Funnel>) -> [Field<Funnel>] { fields(reply.options.quantiles) }

  /// A line of the table is a stage, with the step that leads to it.
  private static func fields(_ quantiles: [Double]) -> [Field<Funnel>] {
    [
      .group, Field("devices", \.devices, "Devices of which any stage was seen"),
      Field("stages", \.stages, "How many got how far", each: stageFields),
      Field(
        "steps", \.steps, "From each stage to the next",
        .column(4, "OF STEP", key: "share", lines: { $0.ofSteps(\.share.cell) }).withLimits,
        .column(5, "NOT THROUGH", key: "lost", lines: { $0.ofSteps(\.lost.cell) }),
        .column(6, "FAILED", key: "failed", lines: { $0.ofSteps(\.latency.failed.cell) }).optional,
        .quantiles(7, quantiles) { row in .each(row.stages.map { row.step(to: $0)?.latency.quantiles }) },
        each: stepFields),
      Field("largestLoss", \.largestLoss, "The step that most have not taken; null where all have", orNull: lossFields),
    ]
  }

  private func step(to stage: Stage) -> Step? { steps.first { $0.to == stage.stage } }

  /// Nothing for the first stage: no step leads to it.
  private func ofSteps(_ cell: (Step) -> Cell) -> Lines<Cell> {
    .each(stages.map { step(to: $0).map(cell) ?? .missing(because: "") })
  }

  private static let stageFields: [Field<Stage>] = [
    Field("stage", \.stage, "The stage", .column(1, "STAGE").least(18)),
    Field("reached", \.reached, "Devices seen at it or at a later one", .column(2, "REACHED")),
    Field("implied", \.implied, "Of these, devices seen only at a later one", .column(3, "IMPLIED").optional),
  ]

  private static let stepFields: [Field<Step>] = [
    Field("from", \.from, "The stage before"), Field("to", \.to, "The stage after"),
    Field("entered", \.entered, "Devices that entered the step long enough ago"),
    Field("reached", \.reached, "Of these, devices that took it"),
    Field("lost", \.lost, "Those that had not by the cutoff; some may later"),
    Field("share", \.share, "The share that took it"),
    Field("latency", \.latency, "How long it takes", of: latencyFields),
  ]

  private static let latencyFields: [Field<Latency>] = [
    Field("devices", \.devices, "Devices whose entry was seen"), Field("reached", \.reached, "Took the step"),
    Field("failed", \.failed, "Failed first"), Field("newerRelease", \.newerRelease, "Went to a newer release first"),
    Field("censored", \.censored, "Still on the way"),
    Field("recovered", \.recovered, "Of the failed, those that took the step after all"),
    Field("quantiles", \.quantiles, "Times of shares"), Field("curve", \.curve, "The share by time"),
  ]

  private static let lossFields: [Field<Loss>] = [
    Field("from", \.from, "The stage reached"), Field("to", \.to, "The stage not reached"),
    Field("devices", \.devices, "Devices that had not taken it"), Field("message", \.message, "The same in words"),
  ]

  static func isKnown(_ row: Funnel) -> Bool { row.devices > 0 }

  static func notes(_ reply: Reply<Funnel>) -> [String] {
    let losses = reply.rows.compactMap { row in
      row.largestLoss.map { loss in
        let group = reply.words(row)
        return "largest gap\(group.isEmpty ? "" : " (\(group))"): \(loss.message)"
      }
    }
    let maturity = age(seconds: reply.options.maturity.rawValue / 1000)
    return losses + [
      "step and not through are of devices that entered the step at least \(maturity) before the cutoff, as they stood"
        + " at the cutoff; implied: only a later stage was seen"
    ]
  }
}
