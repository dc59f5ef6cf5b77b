internal import Console
internal import Query
internal import Statistics

extension Panel {
  static let mechanismShares = Panel(
    name: "mechanism-shares", scope: .site, options: [.title],
    purpose: "What share of devices each mechanism brought each release to"
  ) { context in
    let releases = withUpdates(context)
    guard !releases.isEmpty else { return context.missing("What brought the releases", "No device has updated yet.") }
    let text = finding(releases)
    let kinds = kinds(releases)
    return context.section(
      "What brought the releases",
      paragraph("\(text)"),
      note(
        """
        Devices are not assigned to mechanisms at random: a phone that is often used is reached sooner by every one of \
        them. The difference between mechanisms is therefore not the effect of a mechanism. To measure the effect of \
        pushes, hold some devices out.
        """),
      kinds.map { chart($0, releases, context) }.joined("\n"),
      DataTable(
        caption: "Share of devices that each mechanism had brought the release to, with 95% intervals",
        columns: [.init("Release"), .init("Devices")] + kinds.map { .init($0.mechanismWords) },
        rows: releases.map { release, row in
          [Name(release.facts.label).html(), Number.devices(row.counts.devices)]
            + kinds.map { share($0, row)?.html(.share) ?? Number.none("no update") }
        }
      ).html)
  }

  private typealias Rowed = (release: ReleaseAnswers, row: TimeToUpdate)

  private static func withUpdates(_ context: PanelContext) -> [Rowed] {
    context.site.releases.prefix(12).compactMap { release in
      release.own.flatMap { $0.counts.events > 0 ? (release, $0) : nil }
    }
  }

  private static func kinds(_ releases: [Rowed]) -> [String] {
    var events: [String: Int] = [:]
    for (_, row) in releases { for part in row.mechanisms { events[part.mechanism, default: 0] += part.events } }
    return events.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }

  private static func share(_ kind: String, _ row: TimeToUpdate) -> Estimate? {
    row.mechanisms.first { $0.mechanism == kind }?.curve.last?.share
  }

  private static func chart(_ kind: String, _ releases: [Rowed], _ context: PanelContext) -> HTML {
    let words = kind.mechanismWords
    let rows = releases.map { release, row -> Rows.Row in
      let estimate = share(kind, row)
      return Rows.Row(
        name: Name(release.facts.label).shortened(to: 24), words: estimate?.text(.share) ?? "no update",
        value: estimate?.value, lo: estimate?.lo, hi: estimate?.hi, ink: Ink(mechanism: kind))
    }
    let known = rows.filter { $0.value != nil }
    let top = known.max { ($0.value ?? 0) < ($1.value ?? 0) }
    let finding =
      top.map { "Its largest share is \($0.words) of the devices, with \($0.name)." } ?? "It brought nothing."
    let picture = Rows(mark: .dot, rows: rows, ticks: Ticks.shares(to: 1), scale: Scale(lowest: 0, highest: 1))
      .picture(id: "\(context.id)-\(kind)", title: "Devices reached by \(words), by release", finding: finding)
    return "<h3>By \(words)</h3>\(picture.html)"
  }

  private static func finding(_ releases: [Rowed]) -> String {
    guard let (release, row) = releases.first, let top = row.mechanisms.max(by: { $0.events < $1.events }) else {
      return "No device has updated yet."
    }
    let share = share(top.mechanism, row)?.text(.share) ?? "—"
    return
      "\(Name(release.facts.label).shortened(to: 40)) came to most devices by \(top.mechanism.mechanismWords): \(share) of all devices."
  }

  static let mechanismMedians = Panel(
    name: "mechanism-times", scope: .site, options: [.title],
    purpose: "When each mechanism had brought a tenth and a quarter of all devices up to date"
  ) { context in
    let releases = withUpdates(context)
    guard !releases.isEmpty else { return .empty }
    let kinds = kinds(releases)
    func rows(_ p: Double) -> [[HTML]] {
      releases.map { release, row in
        [Name(release.facts.label).html()]
          + kinds.map { kind in
            row.mechanisms.first { $0.mechanism == kind }?.quantiles.first { $0.p == p }?.seconds.html(.duration)
              ?? Number.none("no update")
          }
      }
    }
    return context.section(
      "How soon each mechanism reaches devices",
      note(
        "Times are over all devices, also those that another mechanism reached: a mechanism that never reaches a quarter of them has no time for a quarter."
      ),
      [(0.1, "a tenth"), (0.25, "a quarter")].map { p, words in
        DataTable(
          caption:
            "Time by which a mechanism alone had brought the release to \(words) of all devices, with 95% intervals",
          columns: [.init("Release")] + kinds.map { .init($0.mechanismWords) }, rows: rows(p)
        ).html
      }.joined("\n"))
  }
}
