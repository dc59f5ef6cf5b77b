internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension Panel {
  static let releases = Panel(
    name: "releases", scope: .site, place: .wide, options: [.title],
    purpose: "All releases on all channels: how far, how fast, how well, with a small curve",
    reads: { context in [Exhibit(context.site.glance)] }
  ) { context in
    let rows = context.site.glance.data.sorted {
      ($1.publishedAt, $0.release, $0.channel) < ($0.publishedAt, $1.release, $1.channel)
    }
    let unpaged = context.site.unpaged?.remark ?? ""
    guard !rows.isEmpty else {
      return context.section("Releases", note(withheldWords(context) ?? "There are none yet."), unpaged)
    }
    let shown = ShownReleases(rows, context.detail)
    return context.section(
      "Releases",
      note(
        """
        The small curve shows adoption in the first week after a device could have the release; the line across it is one \
        half. Adoption is counted: eligible devices that have updated so far.
        """),
      shown.remark, table(shown.rows, context).html, more(shown.others, context),
      unpaged, withheldWords(context).map(note) ?? "")
  }

  /// Newest first, the channels of one release beside it.
  private static func more(_ rows: [Releases], _ context: PanelContext) -> HTML {
    guard !rows.isEmpty else { return "" }
    var labels: [String] = []
    var channels: [String: [String]] = [:]
    // Of those without pages a line each would lead nowhere.
    for row in rows where context.site.unpaged == nil || context.site.page(row.release, row.channel) != nil {
      if channels[row.release] == nil { labels.append(row.release) }
      channels[row.release, default: []].append(row.channel)
    }
    guard !labels.isEmpty else { return "" }
    let items = labels.prefix(context.detail.links).map { label -> HTML in
      let all = channels[label] ?? []
      if all.count == 1 { return "<li>\(link(label, on: all[0], context)): \(Name(all[0]).html())" }
      let links = all.map { link(label, on: $0, as: $0, context) }
      return "<li>\(Name(label).html()): \(links.joined(", "))"
    }
    let left = labels.count - items.count
    let unlinked: HTML =
      left > 0
      ? note("And \(grouped(left)) more: the page of each release leads to the one before it on its channel.") : ""
    return """
      <h3>More releases</h3>\(note("Their figures are on their pages, in data.json and in <code>uptake releases</code>."))
      <ul class=older>\(items.joined("\n"))</ul>\(unlinked)
      """
  }

  private static func withheldWords(_ context: PanelContext) -> HTML? {
    let withheld = context.site.glance.withheld
    guard !withheld.isEmpty else { return nil }
    let names = withheld.prefix(6).map { row -> HTML in
      let channel = row.group.parts["channel"] ?? ""
      return "\(link(row.release ?? "", on: channel, context)) on \(Name(channel).html(atMost: 24))"
    }
    let more: HTML = withheld.count > 6 ? " and \(withheld.count - 6) more" : ""
    return """
      Fewer than \(context.site.smallestGroup) devices are known to have waited for \(names.joined(", "))\(more), so nothing is \
      shown of them.
      """
  }

  private static func table(_ rows: [Releases], _ context: PanelContext) -> DataTable {
    DataTable(
      caption: "Releases, newest first; times and shares with 95% intervals", isStacked: true,
      columns: [
        .init("Release and channel"), .init("State and publication", isText: true),
        .init("First week"), .init("Devices"), .init("Adoption"),
        .init("Median time to update"), .init("First attempts failed"), .init("Rolled back"), .init("Crashed"),
        .init("Run it at the cutoff"),
      ], rows: rows.map { row($0, context) })
  }

  private static func row(_ row: Releases, _ context: PanelContext) -> [HTML] {
    let badge = context.site.standing(row.release, row.channel)?.verdict.data.first?.badge
    return [
      "\(link(row.release, on: row.channel, context)) <i>\(Name(row.channel).html(atMost: 24))</i>",
      "\(row.stateWords)\(badge.map { " \($0)" as HTML }) <i>\(day(row.publishedAt))</i>",
      spark(row), row.isUncounted ? Number.none("published after the cutoff") : Number.count(row.devices),
      adoption(row), median(row),
      row.attempts == 0 ? Number.none(row.isUncounted ? "not yet" : "no attempt") : row.failureRate.html(.share),
      row.launched == 0 ? Number.none("no launch") : row.rolledBackRate.html(.share),
      row.launched == 0 ? Number.none("no launch") : row.crashedRate.html(.share),
      row.isUncounted
        ? Number.none("not yet")
        : row.reachable == 0 ? Number.none("nobody in contact") : row.reach.html(.share),
    ]
  }

  private static func adoption(_ row: Releases) -> HTML {
    if row.isUncounted { return Number.none("not yet") }
    guard let share = row.observedShare else { return Number.none("nobody was eligible") }
    let updated: HTML = "<i>(\(Number.counted(row.events, "device")))</i>"
    return row.isOfOffered
      ? "\(Number.none("not known")) \(updated)" : "\(Number.share(share)) \(updated)"
  }

  /// Why it has no limits takes more room than there is.
  private static func median(_ row: Releases) -> HTML {
    if row.isUncounted { return Number.none("not yet") }
    return row.isOfOffered && row.median.value != nil
      ? "\(row.median.valueHTML(.duration)) <i>(of those offered)</i>" : row.median.html(.duration)
  }

  private static func spark(_ row: Releases) -> HTML {
    let points = zip(Releases.sparklineSeconds, row.sparkline).compactMap { seconds, share in
      share.map { StepChart.Point(seconds: Double(seconds), share: $0) }
    }
    return Sparkline(
      points: points, until: points.last?.seconds ?? 0, horizon: 7 * 86_400,
      title: """
        Adoption of \(Name(row.release).shortened(to: 40)) on \(Name(row.channel).shortened(to: 40)) in its first week
        """
    ).html
  }
}

extension Releases {
  /// Of whom nothing is known up to the cutoff is not nobody.
  fileprivate var isUncounted: Bool { isTooNew && devices == 0 }

  fileprivate var stateWords: String {
    switch state {
    case .scheduled: "scheduled"
    case .rollingOut: "rolling out, \(rolloutByPlatform.words ?? Panel.percentText(rolloutPercent ?? 0))"
    case .paused: "halted"
    case .complete: "for all"
    case .superseded: "replaced"
    case .inferred: "not registered"
    }
  }
}
