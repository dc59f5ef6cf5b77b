internal import Console
internal import Query
internal import Statistics

extension Panel {
  private static let mostBars = 6
  private static let mostRows = 20

  static let suspects = Panel(
    name: "suspects", scope: .release, place: .wide, options: [.title],
    purpose: "Of a release that harms the devices that it fails on more often than on others; else nothing",
    reads: { context in context.release?.suspects.map { [Exhibit($0)] } ?? [] }
  ) { context in
    guard let release = context.release, let asked = release.suspects else { return .empty }
    guard let first = asked.data.first else {
      return context.missing(title, asked.warnings.map { "\($0.sentence) " as HTML }.joined())
    }
    let rows = asked.data
    return context.section(
      title, paragraph(first.finding + companions(rows), of: context.picture),
      chart(rows).picture(id: context.picture, title: "Devices that \(release.facts.label) fails on").html,
      note(
        """
        \(Number.count(first.compared)) values of all that devices differ in were compared with all other devices, by Fisher’s \
        exact test and Holm’s method. First attempts count from their start on, however young, and up to now.
        """),
      table(Array(rows.prefix(context.detail == .full ? mostRows : mostBars)), release).behind)
  }

  private static let title = "Devices it fails on"

  /// What fails more often only as far as it has devices of the first.
  private static func companions(_ rows: [Suspects]) -> HTML {
    let names = rows.filter(\.isExplainedByFirst).prefix(mostBars).map(\.title)
    guard !names.isEmpty else { return "" }
    return " Without these devices none of these fails more often for certain: \(names.joined(", "))."
  }

  private static func chart(_ rows: [Suspects]) -> Rows {
    func bar(_ name: String, _ rate: Estimate, _ ink: Ink) -> Rows.Row {
      Rows.Row(name: name, words: rate.text(.share), value: rate.value, lo: rate.lo, hi: rate.hi, ink: ink)
    }
    let bars =
      rows.prefix(mostBars).map {
        bar($0.name(to: 22), $0.rate, $0.isExplainedByFirst ? .waiting : .failed)
      }
      + rows.prefix(1).map { bar("all but \($0.name(to: 16))", $0.others.rate, .waiting) }
    let ticks = Ticks.shares(to: bars.compactMap { $0.hi ?? $0.value }.max() ?? 0)
    return Rows(mark: .bar, rows: bars, ticks: ticks, scale: Scale(lowest: 0, highest: ticks.last?.value ?? 1))
  }

  private static func table(_ rows: [Suspects], _ release: ReleaseAnswers) -> DataTable {
    DataTable(
      caption: "Devices that \(Name(release.facts.label).shortened(to: 40)) fails on, with 95% intervals",
      columns: [
        .init("Devices with"), .init("Attempts"), .init("Failed"), .init("Share"), .init("All others"),
        .init("Without those of the first row"), .init("Difference at the release before"),
      ],
      rows: rows.enumerated().map { rank, row in
        [
          row.title, Number.count(row.watched), Number.count(row.watchedFailures), row.rate.html(.share),
          row.others.rate.html(.share),
          row.withoutFirst?.rate.html(.share) ?? Number.none(rank == 0 ? "the first row" : "too few devices"),
          row.previous?.difference.html(.points) ?? Number.none("none, or too few devices"),
        ]
      })
  }
}

extension Suspects {
  /// `SM-G991B (model)`.
  fileprivate func name(to length: Int) -> String { "\(Name(words).shortened(to: length)) (\(propertyWords(by)))" }
  fileprivate var title: HTML { "\(Name(words).html(atMost: 40)) (\(propertyWords(by)))" }
  /// A mechanism is spelt as in the other panels.
  private var words: String { by == "mechanism" ? value.mechanismWords : value }

  /// For the verdict: who is hurt most is asked before what else is known.
  var lead: HTML {
    """
    It fails most often on \(title): \(rate.html(.share)) of \(Number.counted(watched, "first attempt")), of all others \
    \(others.rate.html(.share))
    """
  }

  fileprivate var finding: HTML {
    """
    \(Number.count(watchedFailures)) of \(Number.count(watched)) first attempts on \(title) \
    failed, \(rate.html(.share)), and \(Number.count(others.watchedFailures)) of \(Number.count(others.watched)) of all others, \
    \(others.rate.html(.share)): \(difference.html(.points)).
    """
  }
}
