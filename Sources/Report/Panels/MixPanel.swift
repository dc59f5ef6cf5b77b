internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension Panel {
  private static let inks: [Ink] = [.main, .refresh, .foreground, .location, .gold, .violet]

  static let mix = Panel(
    name: "mix", scope: .site, place: .wide, options: [.title],
    purpose: "Which releases reachable devices run, now and in 90 days",
    reads: { [$0.site.mix.map { Exhibit($0) }].compactMap(\.self) }
  ) { context in
    guard let row = context.site.mix?.data.first, let window = row.windows.first, window.reachable > 0 else {
      return context.missing("What devices run", "No device, or too few, was in contact within the reach window.")
    }
    let text = finding(row, window, context.site.smallestGroup)
    return context.section(
      "What devices run", paragraph("\(text)", of: context.picture), area(row, context),
      past(row, context.site.smallestGroup),
      now(row, context.site.smallestGroup).html, windows(row).behind(", by contact"))
  }

  private static func name(_ release: String?) -> String { release ?? "never said" }

  private static func finding(_ row: Reach, _ window: Reach.Window, _ least: Int) -> String {
    let count = row.running.count { $0.release != nil } + row.runningWithheld
    // Of a release that was published after the cutoff a share of none would say that nobody takes it.
    if !row.publications.isEmpty, row.publications.allSatisfy({ $0.publishedAt >= row.at }) {
      let used = count == 1 ? "1 release is" : "\(count) releases are"
      return """
        The newest release, \(Name(row.release).shortened(to: 40)), was published after the cutoff: what share of devices runs it is \
        not known yet. \(used) in use.
        """
    }
    let run = window.exactly.devices == nil ? "Fewer than \(least)" : window.exactly.share.text(.share)
    let older = window.older.devices == nil ? "fewer than \(least)" : window.older.share.text(.share)
    return """
      \(run) of \(grouped(window.reachable)) reachable devices run the newest release, \
      \(Name(row.release).shortened(to: 40)); \(older) an older one. \
      \(count) \(count == 1 ? "release is" : "releases are") in use.
      """
  }

  /// The newest release, the two that most devices run now, and the most run of the whole time: what people ask about first is
  /// never among the others.
  static func shown(_ row: Reach) -> [String?] {
    let now = mostRun(row.history.suffix(1))
    let all = mostRun(row.history[...])
    var known: Set<String?> = []
    return (all.filter { $0 == row.release } + now.prefix(2) + all).filter { known.insert($0).inserted }
      .prefix(inks.count).map(\.self)
  }

  /// Days count alike.
  private static func mostRun(_ points: ArraySlice<Reach.Past>) -> [String?] {
    var sums: [String?: Double] = [:]
    for point in points {
      for running in point.running { sums[running.release, default: 0] += running.share.value ?? 0 }
    }
    return sums.sorted { ($1.value, $0.key ?? "") < ($0.value, $1.key ?? "") }.map(\.key)
  }

  private static func area(_ row: Reach, _ context: PanelContext) -> HTML {
    let points = row.history.drop { $0.reachable < context.site.smallestGroup }
    guard let first = points.first, let last = points.last, points.count > 2 else { return "" }
    let drawn = points.drawn(publications(context.site))
    let places = drawn.map { Double(($0.at - first.at).rawValue) / 1000 }
    // The oldest at the bottom, in the order in which they take over.
    let age = Dictionary(uniqueKeysWithValues: context.site.releases.enumerated().map { ($1.facts.label, -$0) })
    let order = shown(row).sorted { (age[$0 ?? ""] ?? .min, $0 ?? "") < (age[$1 ?? ""] ?? .min, $1 ?? "") }
    var layers = zip(order, inks).map { release, ink in
      StackedArea.Layer(
        name: Name(Self.name(release)).shortened(to: 18), ink: ink, shares: drawn.map { $0.shares[release] ?? 0 })
    }
    let rest = drawn.indices.map { index in 1 - layers.reduce(0) { $0 + $1.shares[index] } }
    if rest.contains(where: { $0 > 0.0005 }) {
      layers.append(.init(name: "others", ink: .waiting, shares: rest.map { max(0, $0) }))
    }
    let span = Double((last.at - first.at).rawValue) / 1000
    let chart = StackedArea(
      places: places, layers: layers, ticks: Ticks.dates(from: first.at, span: span), horizon: span, axis: "date (UTC)",
      plotHeight: 220, isSmooth: true)
    return chart.picture(id: context.picture, title: "Releases that reachable devices ran").html
  }

  /// When each release was first published anywhere.
  private static func publications(_ site: SiteAnswers) -> [String: Timestamp] {
    let known = site.pages.compactMap { page in page.facts.publishedAt.map { (page.facts.label, $0) } }
    return Dictionary(known, uniquingKeysWith: min)
  }

  /// A row for each instant of the picture.
  private static func past(_ row: Reach, _ least: Int) -> HTML {
    let points = row.history.filter { $0.reachable >= least }
    guard points.count > 2 else { return "" }
    let names = shown(row)
    let rows = stride(from: points.count - 1, through: 0, by: -1).map { index -> [HTML] in
      let point = points[index]
      return [time(point.at), Number.count(point.reachable)]
        + names.map { name in
          point.running.first { $0.release == name }?.share.value.map { Number.share($0) } ?? "—"
        }
    }
    return DataTable(
      caption: "Releases that reachable devices ran, newest first",
      columns: [.init("At"), .init("Reachable")] + names.map { .init(Name(name($0)).shortened(to: 24)) }, rows: rows
    ).behind
  }

  private static func now(_ row: Reach, _ least: Int) -> DataTable {
    var rows = row.running.prefix(20).map { running -> [HTML] in
      [Name(name(running.release)).html(), Number.count(running.devices), running.share.html(.share)]
    }
    if row.running.count > 20 { rows.append(["\(row.running.count - 20) more", "—", "<i>in data.json</i>"]) }
    if row.runningWithheld > 0 { rows.append(smallRow(row.runningWithheld, "release", fewerThan: least, cells: 2)) }
    return DataTable(
      caption: "Releases that reachable devices run at the cutoff, with 95% intervals",
      columns: [.init("Release"), .init("Devices"), .init("Share")], rows: rows)
  }

  private static func windows(_ row: Reach) -> DataTable {
    DataTable(
      caption: "What devices run at the cutoff, by how long after its last contact a device counts as reachable",
      columns: [
        .init("In contact within"), .init("Reachable"), .init(Name(row.release).shortened(to: 24)),
        .init("It or newer"), .init("Older"), .init("Never said"),
      ],
      rows: row.windows.map { window in
        [
          Number.duration(Double(window.seconds)), Number.count(window.reachable), window.exactly.share.html(.share),
          window.orNewer.share.html(.share), window.older.share.html(.share), window.unknown.share.html(.share),
        ]
      })
  }
}
