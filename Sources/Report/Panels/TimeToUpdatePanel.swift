internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension Panel {
  static let timeToUpdate = Panel(
    name: "time-to-update", scope: .release, options: [.title, .horizon],
    purpose: "Share updated on each device's own clock, and what each mechanism brought of it",
    reads: { context in context.release.map { [Exhibit($0.standing.speed), Exhibit($0.waiting)] } ?? [] }
  ) { context in
    guard let release = context.release, let own = release.own, own.counts.devices > 0 else {
      return context.missing("Time to update", context.release, "No device was at risk of this release.")
    }
    let finding = finding(own)
    return context.section(
      "Time to update, by what brought it",
      paragraph(finding, of: context.picture),
      timeChart(release, own, context).drawn(with: context.detail).picture(
        id: context.picture, title: "Time to update of \(release.facts.label) by mechanism"
      ).html,
      own.polled.map { note(polledWords($0)) } ?? "",
      note(
        """
        Each device's clock starts when it could have the release. The coloured lines are shares of all devices and add \
        up to the upper line: a device gets the release by one mechanism only. Each small stroke on it stands for as many \
        devices that left without the update, or still wait. Mechanisms are not assigned at random, so \
        their differences are not effects.
        """),
      table(release, own).behind)
  }

  /// What each mechanism brought and all of them together, on each device's own clock.
  static func timeChart(_ release: ReleaseAnswers, _ own: TimeToUpdate, _ context: PanelContext) -> StepChart {
    // Those that wait were followed for longer than the last update took.
    let waited = own.polled == nil ? own.censorMarks.last?.seconds ?? 0 : 0
    let last = Double(max(own.curve.last?.seconds ?? 0, waited))
    let horizon = StepChart.horizon(
      release.facts.followed ?? 0, atMost: context.options.horizon.map { Int64($0) } ?? 7 * 86_400)
    let ticks = Ticks.labelledAges(to: Double(horizon))
    var total =
      own.polled.map { StepChart.Line("all updates", .baseline, $0, until: last) }
      ?? own.line("all updates", .baseline, until: last)
    total.fadesFrom = own.fadesFromSeconds.map(Double.init)
    total.censored = own.censorMarks.map { Double($0.seconds) }
    // Only the whole has its band: four of them would hide each other; the table has all limits.
    let parts = own.mechanisms.filter { !$0.curve.isEmpty }.map { part in
      StepChart.Line(
        name: part.mechanism.mechanismWords, ink: Ink(mechanism: part.mechanism), points: part.points, hasBand: false,
        until: last)
    }
    return StepChart(
      lines: [total] + parts, showsHalf: true, ticks: ticks, horizon: Double(horizon),
      risk: StepChart.riskRows(release.waiting.data.first, ticks),
      readings: StepChart.readings(
        release.waiting.data.first, "all updates", until: release.facts.followed ?? 0),
      addsUp: true)
  }

  private static func finding(_ own: TimeToUpdate) -> HTML {
    let median = own.median ?? Estimate(nil, level: 0.95, method: .kaplanMeierQuantile, reason: .nothingAtRisk)
    let largest = own.mechanisms.max { $0.events < $1.events }
    let half: HTML =
      switch (median.value, median.reason) {
      case (nil, .partsNotFollowed): "When half of the devices had updated is not known: \(median.html(.duration))."
      case (nil, _): "Fewer than half of the devices have updated so far."
      default: "Half of the devices had updated after \(median.html(.duration))."
      }
    guard let largest, largest.events > 0, let share = largest.curve.last?.share else { return half }
    return half
      + " Most updates came by \(largest.mechanism.mechanismWords): \(share.html(.share)) of all devices."
  }

  private static func table(_ release: ReleaseAnswers, _ own: TimeToUpdate) -> DataTable {
    let shown = [0.1, 0.25, 0.5, 0.75, 0.9].filter { p in own.quantiles.contains { $0.p == p } }
    func row(_ name: String, _ events: Int, _ share: Estimate?, _ quantile: (Double) -> Estimate?) -> [HTML] {
      let share = share?.html(.share) ?? Number.none("no update yet")
      let times = shown.map { quantile($0)?.html(.duration) ?? Number.none("no update yet") }
      return ["\(name)", Number.count(events), share] + times
    }
    let all = row("all updates", own.counts.events, own.curve.last?.share) { own.quantile($0) }
    let parts = own.mechanisms.map { part in
      row(part.mechanism.mechanismWords, part.events, part.curve.last?.share) { p in
        part.quantiles.first { $0.p == p }?.seconds
      }
    }
    return DataTable(
      caption:
        "Time by which a share of all \(grouped(own.counts.devices)) devices had \(Name(release.facts.label).shortened(to: 40)), with \(limitWords(release.standing.speed.query))",
      columns: [.init("Brought by"), .init("Updates"), .init("Share of devices")]
        + shown.map { .init("\(Format.share($0, 0)) of devices after") },
      rows: [all] + parts)
  }
}
