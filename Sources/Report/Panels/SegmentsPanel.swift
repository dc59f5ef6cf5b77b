internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension Panel {
  static let segments = Panel(
    name: "segments", scope: .release, place: .tall, options: [.title],
    purpose:
      "Adoption by 72 hours, or less while young, by channel, platform, app version and what else devices say of themselves",
    reads: { context in context.release.map { [Exhibit($0.waiting)] + $0.segments.map { Exhibit($0) } } ?? [] }
  ) { context in
    guard let release = context.release, let all = release.waiting.data.first else {
      return context.missing("Segments", context.release, "No device was at risk of this release.")
    }
    let groups = segments(release, context.detail)
    guard let age = groups.first?.age.seconds, groups.contains(where: { $0.age.share.value != nil }) else {
      return context.missing("Segments", "No segment was followed long enough yet.")
    }
    let text = finding(groups, age)
    return context.section(
      "Who has it",
      paragraph("\(text)", of: context.picture),
      chart(groups, all.ages.first { $0.seconds == age }?.share.value).picture(
        id: context.picture, title: "Adoption of \(release.facts.label) after \(words(age)), by segment"
      ).html,
      note(
        """
        Many segments are compared at once: of twenty, one interval misses its true value by chance alone.\
        \(context.detail == .least ? " What else devices say of themselves is in data.json." : "")
        """),
      table(groups, release, age).behind, small(release, context.site.smallestGroup))
  }

  private struct Segment {
    var kind: String
    var name: String
    var devices: Int
    var age: Adoption.Age
    var median: Estimate
  }

  private static func words(_ age: Int64) -> String { Console.duration(seconds: Double(age)) }

  /// The largest groups of each kind, the slowest first; those too small to be told apart are left out.
  private static func segments(_ release: ReleaseAnswers, _ detail: PageDetail) -> [Segment] {
    release.segments.enumerated().flatMap { place, answer -> [Segment] in
      let isUsual = place < usual
      // All devices alike are no segment.
      if !isUsual, answer.data.count < 2 || detail == .least { return [] }
      return answer.data.sorted { ($1.counts.devices, $0.group) < ($0.counts.devices, $1.group) }
        .prefix((isUsual ? 8 : 4) / (detail == .least ? 2 : 1))
        .compactMap { row in row.ages.first.map { segment(row, $0) } }
        .sorted { ($0.age.share.value ?? 2, $0.name) < ($1.age.share.value ?? 2, $1.name) }
    }
  }

  /// Channel, platform and app version come first.
  private static let usual = 3

  private static func segment(_ row: Counted<Adoption>, _ age: Adoption.Age) -> Segment {
    let part = row.group.parts.first
    return Segment(
      kind: part.map { propertyWords($0.name) } ?? "", name: part?.value ?? "", devices: row.counts.devices, age: age,
      median: row.median)
  }

  private static func small(_ release: ReleaseAnswers, _ least: Int) -> HTML {
    let count = release.segments.reduce(0) { $0 + $1.withheld.count }
    guard count > 0 else { return "" }
    return note(
      count == 1
        ? "1 segment has fewer than \(least) devices and is not shown."
        : "\(count) segments have fewer than \(least) devices and are not shown.")
  }

  private static func chart(_ groups: [Segment], _ all: Double?) -> Rows {
    let known = groups.flatMap { [$0.age.told.lo ?? $0.age.share.value, $0.age.told.hi ?? $0.age.share.value] }
      .compactMap(\.self)
    let ticks = Ticks.shares(from: known.min() ?? 0, to: known.max() ?? 1)
    let rows = groups.map { group in
      Rows.Row(
        name: "\(Name(group.name).shortened(to: 22)) (\(group.kind))", words: group.age.told.text(.share),
        value: group.age.share.value, lo: group.age.told.lo, hi: group.age.told.hi)
    }
    return Rows(
      mark: .dot, rows: rows, ticks: ticks,
      scale: Scale(lowest: ticks.first?.value ?? 0, highest: ticks.last?.value ?? 1),
      reference: all.map { ($0, "all devices") })
  }

  private static func finding(_ groups: [Segment], _ age: Int64) -> String {
    let known = groups.filter { $0.age.share.value != nil }
      .sorted { ($0.age.share.value ?? 0, $0.name) < ($1.age.share.value ?? 0, $1.name) }
    guard let least = known.first, let most = known.last, least.name != most.name else {
      if groups.count == 1 { return "There is one segment." }
      let one = known.first.map {
        "only of \(Name($0.name).shortened(to: 30)) (\($0.kind)) is it known: \($0.age.told.text(.share))"
      }
      return "\(Self.words(age)) after they could have it, \(one ?? "of no segment is it known who has it")."
    }
    guard least.age.share.value != most.age.share.value else {
      return "\(Self.words(age)) after they could have it, all have it alike: \(least.age.told.text(.share))."
    }
    func words(_ one: Segment) -> String {
      "\(Name(one.name).shortened(to: 30)) (\(one.kind)) with \(one.age.told.text(.share))"
    }
    return """
      \(Self.words(age)) after they could have it, devices of \(words(least)) had it least, \
      those of \(words(most)) most.
      """
  }

  private static func table(_ groups: [Segment], _ release: ReleaseAnswers, _ age: Int64) -> DataTable {
    DataTable(
      caption: "Adoption of \(Name(release.facts.label).shortened(to: 40)) by segment, with 95% intervals",
      columns: [
        .init("Segment"), .init("Of", isText: true), .init("Devices"), .init("Updated by \(words(age))"),
        .init("Adoption by \(words(age))"), .init("Median time to update"),
      ],
      rows: groups.map {
        [
          Name($0.name).html(), "\($0.kind)", Number.count($0.devices), Number.count($0.age.events),
          $0.age.told.html(.share), $0.median.html(.duration),
        ]
      })
  }
}
