internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension Panel {
  static let verdicts = Panel(
    name: "verdicts", scope: .site, options: [.title], purpose: "The current release of each channel and how it fares"
  ) { context in
    guard !context.site.current.isEmpty else {
      return context.missing(
        "Now", "No release is known yet: publish one with <code>uptake release publish</code>, or send events.")
    }
    return context.section("Now", context.site.current.map { strip($0, context) }.joined("\n"))
  }

  private static func strip(_ standing: Standing, _ context: PanelContext) -> HTML {
    let verdict = Verdict(standing, now: context.site.now)
    let facts = standing.facts
    let step = facts.rollout.last { $0.at <= facts.cutOff }
    let share: HTML = step.map { "; \(percentText($0.percent)) of devices may have it" } ?? ""
    let name = Name(facts.label).html(atMost: 60)
    let hasPage = context.site.releases.contains { $0.facts.label == facts.label }
    let link: HTML = hasPage ? "<a href=\"\(context.root)\(standing.path)\">\(name)</a>" : name
    return """
      <div class="verdict \(verdict.kind.style)"><h3>\(Name(facts.channel).html()): \(link)</h3>\
      <p class="meta">\(ageWords(facts, context.site.now))\(share)</p>\
      <p><strong>\(verdict.kind.rawValue).</strong> \(verdict.sentence)</p>\(verdict.list)</div>
      """
  }

  static func ageWords(_ facts: ReleaseFacts, _ now: Timestamp) -> HTML {
    guard let published = facts.publishedAt else { return "never published on \(Name(facts.channel).html())" }
    let age = Console.duration(seconds: Double((now - published).rawValue) / 1000)
    return "published \(time(published)), \(age) ago"
  }

  static let releases = Panel(
    name: "releases", scope: .site, options: [.title, .horizon],
    purpose: "All releases with verdict, devices, adoption at 24 and 72 hours, median and a small curve"
  ) { context in
    guard !context.site.releases.isEmpty else { return context.missing("Releases", "There are none yet.") }
    return context.section(
      "Releases",
      note(
        "The small curve shows adoption in the first \(horizonWords(context)) after publication; grey is the release before."
      ),
      DataTable(
        caption: "Releases, newest first; times and shares with 95% intervals",
        columns: [
          .init("Release"), .init("Channel", isText: true), .init("Verdict", isText: true),
          .init("Published", isText: true),
          .init("Curve"), .init("Devices"), .init("Adoption at 24h"), .init("Adoption at 72h"),
          .init("Median time to update"),
        ], rows: context.site.releases.map { row($0, context) }
      ).html)
  }

  private static func horizonWords(_ context: PanelContext) -> String {
    Console.duration(seconds: context.options.horizon ?? 7 * 86_400)
  }

  private static func row(_ release: ReleaseAnswers, _ context: PanelContext) -> [HTML] {
    let standing = release.standing
    let verdict = Verdict(standing, now: context.site.now)
    let horizon = context.options.horizon ?? 7 * 86_400
    let spark = Sparkline(
      points: standing.sinceRelease?.curve.chartPoints ?? [], until: min(Double(release.facts.followed ?? 0), horizon),
      baseline: standing.sinceRelease?.baseline?.curve.chartPoints ?? [], horizon: horizon,
      title: "Adoption of \(Name(release.facts.label).shortened(to: 40))")
    return [
      "<a href=\"\(context.root)\(standing.path)\">\(Name(release.facts.label).html())</a>",
      Name(release.facts.channel).html(atMost: 24), verdict.kind.badge,
      release.facts.publishedAt.map(time) ?? "— <i>never</i>", spark.html,
      Number.devices(release.own?.counts.devices ?? 0), adoption(standing, 86_400), adoption(standing, 259_200),
      release.own?.median?.html(.duration) ?? Number.none("nobody was at risk"),
    ]
  }

  private static func adoption(_ standing: Standing, _ seconds: Int64) -> HTML {
    guard let followed = standing.facts.followed, followed >= seconds else { return Number.none("not so old") }
    return standing.age(seconds)?.share.html(.share) ?? Number.none("nobody was at risk")
  }
}
