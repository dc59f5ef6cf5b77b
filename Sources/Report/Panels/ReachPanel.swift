internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension Panel {
  static let reach = Panel(
    name: "reach", scope: .release, options: [.title],
    purpose: "Share of reachable devices that run the release, over time and by rollout step",
    reads: { context in
      context.release.map { [Exhibit($0.reach)] + [$0.newest.map { Exhibit($0.reach) }].compactMap(\.self) } ?? []
    }
  ) { context in
    guard let release = context.release, let row = release.reach.data.first, let window = row.windows.first,
      window.reachable > 0, !release.facts.isTooNew
    else {
      return context.release.flatMap { provisionalReach($0, context) }
        ?? context.missing("Reach", context.release, "No device was in contact within the reach window.")
    }
    let finding = finding(release, window) + provisionalWords(release)
    return context.section(
      "Reach: what devices run",
      paragraph(finding, of: context.picture),
      chart(row, release.newest).picture(
        id: context.picture, title: "Share of reachable devices that run \(release.facts.label)"
      ).html,
      note(
        """
        Reach counts what devices run at an instant: it gains store installs and loses rollbacks, and falls when a newer \
        release takes over. Adoption counts who ever got the release. They differ on purpose.\(release.newestNote)
        """),
      seriesTable(row, release).behind)
  }

  private static func provisionalWords(_ release: ReleaseAnswers) -> HTML {
    guard release.isMostlyNew, let window = release.newest?.reach.data.first?.windows.first else { return "" }
    return """
       Until now, provisional: \(Number.count(window.exactly.devices)) of \(Number.count(window.reachable)), \
      \(window.exactly.share.html(.share)).
      """
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

  static func chart(_ row: Reach, _ newest: NewestHours?) -> StepChart {
    let firm = row.series.filter { ($0.ageSeconds ?? -1) >= 0 }
    let points = firm + (newest?.reach.data.first?.series.filter { $0.at > row.at && ($0.ageSeconds ?? -1) >= 0 } ?? [])
    let fadesFrom = points.count > firm.count ? firm.last?.ageSeconds.map(Double.init) ?? 0 : nil
    let last = Double(points.last?.ageSeconds ?? 0)
    let horizon = max(last, 86_400)
    func line(_ name: String, _ ink: Ink, _ part: (Reach.Point) -> Reach.Part) -> StepChart.Line {
      StepChart.Line(
        name: name, ink: ink,
        points: points.compactMap { point in point.ageSeconds.flatMap { StepChart.Point($0, part(point).share) } },
        fadesFrom: fadesFrom, until: last, shape: .sampled)
    }
    let markers = row.publications.first?.rollout.map {
      StepChart.Marker(seconds: Double($0.ageSeconds), label: percentText($0.percent))
    }
    // Of the newest release nothing is newer.
    let newer = points.contains { hasNewer($0) } ? [line("this or newer", .baseline, \.orNewer)] : []
    return StepChart(
      lines: [
        line("this release", .main, \.exactly), line("of those allowed", .foreground, \.eligibleExactly),
      ] + newer,
      markers: markers ?? [], axis: "time since publication", ticks: Ticks.labelledAges(to: horizon), horizon: horizon,
      readings: told(row).filter { $0.ageSeconds ?? 0 > 0 }.map(reading)
        + points[firm.count...].suffix(1).map { reading($0, "provisional, ") }, plotHeight: 220)
  }

  /// The points that are stated as numbers.
  private static func told(_ row: Reach) -> [Reach.Point] { spread(row.series.withoutSteps, 6) }

  private static func reading(_ point: Reach.Point) -> StepChart.Reading { reading(point, "") }

  private static func reading(_ point: Reach.Point, _ how: String) -> StepChart.Reading {
    let age = Double(point.ageSeconds ?? 0)
    let newer = hasNewer(point) ? ", \(point.orNewer.share.text(.share)) it or newer" : ""
    return StepChart.Reading(
      seconds: age,
      words: """
        \(Console.duration(seconds: age)): \(how)\(grouped(point.reachable)) reachable, \(point.exactly.share.text(.share)) \
        run it, \(point.eligibleExactly.share.text(.share)) of those allowed\(newer)
        """)
  }

  private static func hasNewer(_ point: Reach.Point) -> Bool { point.orNewer.devices != point.exactly.devices }

  static func seriesTable(_ row: Reach, _ release: ReleaseAnswers) -> DataTable {
    DataTable(
      caption: "Reach of \(Name(release.facts.label).shortened(to: 40)) over time, with 95% intervals",
      columns: [
        .init("At"), .init("Rollout"), .init("Reachable"), .init("Run it"), .init("Run it, of those allowed"),
        .init("Run it or a newer one"),
      ],
      rows: told(row).map {
        [
          time($0.at), $0.rolloutPercent.map { Number.value($0, percentText($0)) } ?? "—", Number.count($0.reachable),
          $0.exactly.share.html(.share), $0.eligibleExactly.share.html(.share), $0.orNewer.share.html(.share),
        ]
      })
  }
}

extension [Reach.Point] {
  /// Where a rollout step ends one point is enough, the second before it.
  fileprivate var withoutSteps: [Reach.Point] {
    indices.filter { $0 == 0 || self[$0].at - self[$0 - 1].at > .seconds(1) }.map { self[$0] }
  }
}
