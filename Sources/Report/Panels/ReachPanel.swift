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
        ?? context.missing(
          "Reach", context.release, context.release?.reach, whoDid: "were in contact within the reach window",
          "No device was in contact within the reach window.")
    }
    let least = context.site.smallestGroup
    let finding = finding(release, window, least) + provisionalWords(release, least) + release.silenceWords
    return context.section(
      "Reach: what devices run",
      paragraph(finding, of: context.picture), drawing(row, release, context),
      note(
        """
        Reach counts what devices run at an instant: it gains store installs and loses rollbacks, and falls when a newer \
        release takes over. Adoption counts who ever got the release. They differ on purpose.\(release.newestNote)
        """),
      seriesTable(row, release).behind)
  }

  /// Nothing where the release has no age, as nobody published it: the table has its instants.
  private static func drawing(_ row: Reach, _ release: ReleaseAnswers, _ context: PanelContext) -> HTML {
    let chart = chart(row, release.newest, silentFrom: release.silentFrom)
    guard chart.lines.contains(where: { !$0.points.isEmpty }) else { return "" }
    return chart.drawn(with: context.detail).picture(
      id: context.picture, title: "Share of reachable devices that run \(release.facts.label)"
    ).html
  }

  private static func provisionalWords(_ release: ReleaseAnswers, _ least: Int) -> HTML {
    guard release.isMostlyNew, let window = release.newest?.reach.data.first?.windows.first else { return "" }
    return """
       Until now, provisional: \(window.exactly.words(least)), \(window.exactly.share.html(.share)).
      """
  }

  private static func finding(_ release: ReleaseAnswers, _ window: Reach.Window, _ least: Int) -> HTML {
    let (eligible, words) = (window.eligible, window.runWords(release.facts.label, least))
    guard eligible.exactly.devices != nil, release.facts.publishedAt != nil else { return "\(words)." }
    if eligible.exactly.isOfOffered { return "\(words). Nobody knows how many of them may have it." }
    return """
      \(words). Of the \(Number.count(eligible.devices, orUnder: least)) that the rollout has come to, \
      \(eligible.exactly.share.html(.share)).
      """
  }

  static func chart(_ row: Reach, _ newest: NewestHours?, silentFrom: Double? = nil) -> StepChart {
    let firm = row.series.filter { ($0.ageSeconds ?? -1) >= 0 }
    let points = firm + (newest?.reach.data.first?.series.filter { $0.at > row.at && ($0.ageSeconds ?? -1) >= 0 } ?? [])
    let provisional = points.count > firm.count ? firm.last?.ageSeconds.map(Double.init) ?? 0 : nil
    let fadesFrom = [provisional, silentFrom].compactMap(\.self).min()
    let last = Double(points.last?.ageSeconds ?? 0)
    let horizon = Double(StepChart.horizon(Int64(last), atMost: .max))
    func line(_ name: String, _ ink: Ink, _ part: (Reach.Point) -> Reach.Part) -> StepChart.Line {
      StepChart.Line(
        name: name, ink: ink,
        points: points.compactMap { point in point.ageSeconds.flatMap { StepChart.Point($0, part(point).told) } },
        fadesFrom: fadesFrom, until: last, shape: .sampled)
    }
    let markers = row.publications.first?.rollout.map {
      StepChart.Marker(seconds: Double($0.ageSeconds), label: stepText($0.percent))
    }
    // Of the newest release nothing is newer.
    let newer = points.contains { hasNewer($0) } ? [line("this or newer", .baseline, \.orNewer)] : []
    return StepChart(
      lines: [
        line("this release", .main, \.exactly), line("of those allowed", .foreground, \.eligibleExactly),
      ] + newer,
      markers: markers ?? [], axis: "time since publication", ticks: Ticks.labelledAges(to: horizon), horizon: horizon,
      readings: (told(row).filter { $0.ageSeconds ?? 0 > 0 }.map { ($0, "") }
        + points[firm.count...].suffix(1).map { ($0, "provisional, ") }).filter { $0.0.reachable > 0 }.map(reading),
      plotHeight: 220)
  }

  /// The points that are stated as numbers.
  private static func told(_ row: Reach) -> [Reach.Point] { spread(row.series.withoutSteps, 6) }

  private static func reading(_ point: Reach.Point, _ how: String) -> StepChart.Reading {
    let age = Double(point.ageSeconds ?? 0)
    let newer = hasNewer(point) ? ", \(point.orNewer.text) it or newer" : ""
    let allowed = point.eligibleExactly
    let part = allowed.isOfOffered ? "nobody knows how many may have it" : "\(allowed.text) of those allowed"
    return StepChart.Reading(
      seconds: age,
      words: """
        \(Console.duration(seconds: age)): \(how)\(grouped(point.reachable)) reachable, \(point.exactly.text) \
        run it, \(part)\(newer)
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
          $0.exactly.share.html(.share), $0.eligibleExactly.told.html(.share), $0.orNewer.share.html(.share),
        ]
      })
  }
}

extension Reach.Part {
  fileprivate var text: String { share.reason == .fewerThanMinCell ? "too few to be shown" : share.text(.share) }

  /// `12 of 1,018`; `fewer than 5 of 1,018` where it is withheld.
  func words(_ least: Int) -> HTML { "\(Number.count(devices, orUnder: least)) of \(Number.count(of, orUnder: least))" }
}

extension Reach.Window {
  /// `12 of 1,018 reachable devices run 2.0.0: 1.2% (0.7–2.1)`
  func runWords(_ label: String, _ least: Int) -> HTML {
    let (all, name) = (Number.count(reachable), Name(label).html())
    guard let devices = exactly.devices else { return "Fewer than \(least) of \(all) reachable devices run \(name)" }
    return "\(Number.count(devices)) of \(all) reachable devices run \(name): \(exactly.share.html(.share))"
  }
}

extension [Reach.Point] {
  /// Where a rollout step ends one point is enough, the second before it.
  fileprivate var withoutSteps: [Reach.Point] {
    indices.filter { $0 == 0 || self[$0].at - self[$0 - 1].at > .seconds(1) }.map { self[$0] }
  }
}
