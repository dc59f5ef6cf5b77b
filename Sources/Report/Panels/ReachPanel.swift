internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension Panel {
  static let reach = Panel(
    name: "reach", scope: .release, options: [.title],
    purpose: "Share of reachable devices that run the release, over time and by rollout step",
    reads: { context in context.release.map { [Exhibit($0.reach)] } ?? [] }
  ) { context in
    guard let release = context.release, let row = release.reach.data.first, let window = row.windows.first,
      window.reachable > 0
    else { return context.missing("Reach", context.release, "No device was in contact within the reach window.") }
    let finding = finding(release, window)
    return context.section(
      "Reach: what devices run",
      paragraph(finding, of: context.picture),
      chart(row).picture(id: context.picture, title: "Share of reachable devices that run \(release.facts.label)").html,
      note(
        """
        Reach counts what devices run at an instant: it gains store installs and loses rollbacks, and falls when a newer \
        release takes over. Adoption counts who ever got the release. They differ on purpose.
        """),
      seriesTable(row, release).behind)
  }

  private static func finding(_ release: ReleaseAnswers, _ window: Reach.Window) -> HTML {
    let label = release.facts.label
    let (exactly, eligible) = (window.exactly, window.eligible)
    return """
      \(Number.count(exactly.devices)) of \(Number.count(window.reachable)) reachable devices run \(Name(label).html()): \
      \(exactly.share.html(.share)). Of the \(Number.count(eligible.devices)) that the rollout has come to, \
      \(eligible.exactly.share.html(.share)).
      """
  }

  private static func chart(_ row: Reach) -> StepChart {
    let points = row.series.filter { ($0.ageSeconds ?? -1) >= 0 }
    let last = Double(points.last?.ageSeconds ?? 0)
    let horizon = max(last, 86_400)
    func line(_ name: String, _ ink: Ink, _ part: (Reach.Point) -> Reach.Part) -> StepChart.Line {
      StepChart.Line(
        name: name, ink: ink,
        points: points.compactMap { point in point.ageSeconds.flatMap { StepChart.Point($0, part(point).share) } },
        until: last, shape: .sampled)
    }
    let markers = row.publications.first?.rollout.map {
      StepChart.Marker(seconds: Double($0.ageSeconds), label: percentText($0.percent))
    }
    return StepChart(
      lines: [
        line("this release", .main, \.exactly), line("of those allowed", .foreground, \.eligibleExactly),
        line("this or newer", .baseline, \.orNewer),
      ],
      markers: markers ?? [], axis: "time since publication", ticks: Ticks.labelledAges(to: horizon), horizon: horizon,
      plotHeight: 220)
  }

  private static func seriesTable(_ row: Reach, _ release: ReleaseAnswers) -> DataTable {
    DataTable(
      caption: "Reach of \(Name(release.facts.label).shortened(to: 40)) over time, with 95% intervals",
      columns: [
        .init("At"), .init("Rollout"), .init("Reachable"), .init("Run it"), .init("Run it, of those allowed"),
        .init("Run it or a newer one"),
      ],
      rows: spread(row.series, 6).map {
        [
          time($0.at), $0.rolloutPercent.map { Number.value($0, percentText($0)) } ?? "—", Number.count($0.reachable),
          $0.exactly.share.html(.share), $0.eligibleExactly.share.html(.share), $0.orNewer.share.html(.share),
        ]
      })
  }
}
