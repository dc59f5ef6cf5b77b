internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension Panel {
  static let verdicts = Panel(
    name: "verdicts", scope: .site, options: [.title], purpose: "The current release of each channel and how it fares"
  ) { context in
    let current = currentReleases(context.site)
    guard !current.isEmpty else {
      return context.missing(
        "Now", "No release is known yet: publish one with <code>uptake release publish</code>, or send events.")
    }
    let strips = current.map { release -> HTML in
      let verdict = Verdict(release, against: context.site.release(release.facts.previous), now: context.site.now)
      let name = Name(release.facts.label).html(atMost: 60)
      let step = release.facts.rollout.last { $0.at <= context.site.now }
      let share: HTML = step.map { "\(percentText($0.percent)) may have it; " } ?? ""
      let figures: HTML = verdict.figures.isEmpty ? "" : "<ul>\(verdict.figures.map { "<li>\($0)</li>" as HTML })</ul>"
      return """
        <div class="verdict \(verdict.kind.style)"><p><strong>\(verdict.kind.rawValue):</strong> \
        <a href="\(context.root)\(release.path)">\(name)</a> on \(Name(release.facts.channel).html()), \
        \(ageWords(release, context.site.now)). \(share)\(verdict.sentence)</p>\(figures)</div>
        """
    }
    return context.section("Now", strips.joined("\n"))
  }

  /// The newest release of each channel that is any release's own.
  private static func currentReleases(_ site: SiteAnswers) -> [ReleaseAnswers] {
    var seen: Set<String> = []
    return site.releases.filter { $0.facts.publishedAt.map { $0 <= site.now } ?? true }
      .filter { seen.insert($0.facts.channel).inserted }
  }

  static func ageWords(_ release: ReleaseAnswers, _ now: Timestamp) -> HTML {
    guard let age = release.age(at: now), let published = release.facts.publishedAt else { return "never published" }
    return age < 0
      ? "to be published \(time(published))"
      : "\(Console.duration(seconds: age)) after its publication on \(time(published))"
  }

  static let releases = Panel(
    name: "releases", scope: .site, options: [.title, .horizon],
    purpose: "All releases with verdict, devices, median time to update and a small curve"
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
          .init("Curve"), .init("Devices"), .init("Updated"), .init("Median time to update"),
          .init("Nine in ten after"),
        ], rows: context.site.releases.map { row($0, context) }
      ).html)
  }

  private static func horizonWords(_ context: PanelContext) -> String {
    Console.duration(seconds: context.options.horizon ?? 7 * 86_400)
  }

  private static func row(_ release: ReleaseAnswers, _ context: PanelContext) -> [HTML] {
    let site = context.site
    let baseline = site.release(release.facts.previous)
    let verdict = Verdict(release, against: baseline, now: site.now)
    let horizon = context.options.horizon ?? 7 * 86_400
    let spark = Sparkline(
      points: release.sinceRelease?.points ?? [], until: min(release.followed(until: site.now) ?? 0, horizon),
      baseline: baseline?.sinceRelease?.points ?? [], horizon: horizon,
      title: "Adoption of \(Name(release.facts.label).shortened(to: 40))")
    return [
      "<a href=\"\(context.root)\(release.path)\">\(Name(release.facts.label).html())</a>",
      Name(release.facts.channel).html(atMost: 24), verdict.kind.badge, release.facts.publishedAt.map(time) ?? "—",
      spark.html, release.own.map { Number.devices($0.counts.devices) } ?? "—",
      release.own.map { Number.devices($0.counts.events) } ?? "—",
      release.own?.median?.html(.duration) ?? "—", release.own?.quantile(0.9)?.html(.duration) ?? "—",
    ]
  }
}
