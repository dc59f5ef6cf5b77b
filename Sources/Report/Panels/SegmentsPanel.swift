internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension Panel {
  static let segments = Panel(
    name: "segments", scope: .release, options: [.title],
    purpose: "Median time to update by platform, app version and channel, as dots with intervals"
  ) { context in
    guard let release = context.release, let own = release.own else {
      return context.missing("Segments", "No device was at risk of this release.")
    }
    let groups = segments(release)
    guard groups.contains(where: { $0.median.value != nil }) else {
      return context.missing("Segments", "In no segment have half of the devices updated yet.")
    }
    let text = finding(groups, own)
    return context.section(
      "Segments",
      paragraph("\(text)"),
      chart(groups, own).picture(
        id: context.id + "-p", title: "Median time to update of \(release.facts.label) by segment", finding: text
      ).html,
      note("Many segments are compared at once: of twenty, one interval misses its true value by chance alone."),
      table(groups, release).behind)
  }

  private struct Segment {
    var kind: String
    var name: String
    var devices: Int
    var updated: Int
    var median: Estimate
  }

  /// The largest groups of each kind; those too small to be told apart are left out.
  private static func segments(_ release: ReleaseAnswers) -> [Segment] {
    [("platform", release.platforms), ("app version", release.versions), ("channel", release.channels)].flatMap {
      kind, answer in
      let rows = answer.data.filter { $0.counts.devices >= Number.smallCell }
        .sorted { ($1.counts.devices, $0.group) < ($0.counts.devices, $1.group) }.prefix(8)
      return rows.compactMap { row in
        row.median.map {
          Segment(
            kind: kind, name: row.group.parts.map(\.value).joined(separator: " "), devices: row.counts.devices,
            updated: row.counts.events, median: $0)
        }
      }.sorted { ($0.median.value ?? .infinity, $0.name) < ($1.median.value ?? .infinity, $1.name) }
    }
  }

  private static func chart(_ groups: [Segment], _ own: TimeToUpdate) -> Rows {
    let highest = groups.flatMap { [$0.median.value, $0.median.hi] }.compactMap(\.self).max() ?? 1
    let ticks = Ticks.labelledAges(to: highest * 1.02)
    let end = max(highest * 1.02, ticks.last?.value ?? 0)
    let rows = groups.map { group in
      Rows.Row(
        name: "\(Name(group.name).shortened(to: 22)) (\(group.kind))",
        words: group.median.text(.duration), value: group.median.value,
        lo: group.median.lo, hi: group.median.lo == nil ? nil : group.median.hi ?? end)
    }
    var chart = Rows(mark: .dot, rows: rows, ticks: ticks, scale: Scale(lowest: 0, highest: end))
    if let all = own.median?.value { chart.reference = (all, "all devices") }
    return chart
  }

  private static func finding(_ groups: [Segment], _ own: TimeToUpdate) -> String {
    let known = groups.filter { $0.median.value != nil }
    guard let fast = known.min(by: { ($0.median.value ?? 0) < ($1.median.value ?? 0) }),
      let slow = known.max(by: { ($0.median.value ?? 0) < ($1.median.value ?? 0) }), fast.name != slow.name
    else { return "There is one segment." }
    func words(_ one: Segment) -> String {
      "\(Name(one.name).shortened(to: 30)) (\(one.kind)) with \(one.median.text(.duration))"
    }
    return "The quickest segment is \(words(fast)), the slowest \(words(slow))."
  }

  private static func table(_ groups: [Segment], _ release: ReleaseAnswers) -> DataTable {
    DataTable(
      caption: "Median time to update of \(Name(release.facts.label).shortened(to: 40)) by segment, with 95% intervals",
      columns: [.init("Segment"), .init("Of", isText: true), .init("Devices"), .init("Updated"), .init("Median")],
      rows: groups.map {
        [
          Name($0.name).html(), "\($0.kind)", Number.devices($0.devices), Number.devices($0.updated),
          $0.median.html(.duration),
        ]
      })
  }
}
