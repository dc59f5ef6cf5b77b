internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension Panel {
  static let verdicts = Panel(
    name: "verdicts", scope: .site, place: .wide, options: [.title],
    purpose: "The current release of each channel and how it fares",
    reads: { context in
      context.site.current.flatMap { standing in
        standing.exhibits + [context.site.suspects(of: standing).map { Exhibit($0) }].compactMap(\.self)
          + (context.site.page(standing.facts.label, standing.facts.channel)?.movedExhibits ?? [])
      }
    }
  ) { context in
    guard !context.site.current.isEmpty else {
      return context.missing("Now", coming(context))
    }
    return context.section(
      "Now", "<div class=strips>\(stoppedFirst(context.site.current).map { strip($0, context) }.joined("\n"))</div>",
      cutOffNote(context), strays(context.site))
  }

  /// Of many channels on a phone the last is far below. What came before the newest, and is to be stopped as well, stays behind it.
  private static func stoppedFirst(_ current: [Standing]) -> [Standing] {
    func comesFirst(_ standing: Standing) -> Bool { standing.isStopped && standing.facts.supersededAt == nil }
    return current.filter(comesFirst) + current.filter { !comesFirst($0) }
  }

  /// What is named in several ways is several releases and platforms, here as well; what is counted nowhere; and what was halted on one
  /// platform alone.
  private static func strays(_ site: SiteAnswers) -> HTML {
    let codes = [Warning.strayRelease, Warning.strayPlatform, Warning.unregisteredChannel, Warning.haltedApart]
    return site.glance.warnings.filter { codes.contains($0.code) }.map { note("\($0.sentence)") }.joined()
  }

  private static func coming(_ context: PanelContext) -> HTML {
    let ahead = context.site.glance.data.filter { $0.state == .scheduled }.sorted { $0.publishedAt < $1.publishedAt }
    guard !ahead.isEmpty else {
      return
        "No release was published yet, as far as anybody said: register one with <code>uptake release publish</code>."
    }
    let words = ahead.prefix(3).map { row -> HTML in
      "\(Name(row.release).html(atMost: 60)) comes to \(Name(row.channel).html()) at \(time(row.publishedAt))"
    }
    return "No release is out yet: \(words.joined(", "))."
  }

  private static func strip(_ standing: Standing, _ context: PanelContext) -> HTML {
    let facts = standing.facts
    // A verdict may be about some platforms alone, as where the release was halted on another.
    let isTold = !standing.verdict.data.isEmpty && !facts.isInferred
    let progress = isTold ? RolloutProgress(facts.starts, at: context.site.now) : nil
    let apart: HTML = progress?.apart.words.map { "; rollout: \($0)" } ?? ""
    let percent = facts.rollout.isEmpty ? nil : progress?.percent
    let share: HTML = percent.map { "; \(stepText($0))\($0 > 0 ? " of devices may have it" : "")" } ?? apart
    let inferred: HTML = facts.isInferred ? "; publication inferred" : ""
    let suspect = context.site.suspects(of: standing)?.data.first
    let moved = context.site.page(facts.label, facts.channel)?.movedWords
    return VerdictCard(standing: standing, least: context.site.smallestGroup, suspect: suspect, moved: moved).html(
      heading: """
        <h3>\(Name(facts.channel).html()): \(link(facts.label, on: facts.channel, context))</h3>\
        <p class=meta>\(ageWords(facts, context.site.now))\(inferred)\(share)</p>
        """)
  }

  /// The release's name, leading to its page on the channel where it has one; of several the channel tells them apart.
  ///
  /// - Parameter words: what stands there instead, in an item of a list that begins with the release.
  static func link(
    _ label: String, on channel: String, as words: String? = nil, _ context: PanelContext
  ) -> HTML {
    let name = Name(words ?? label).html(atMost: 60)
    guard let page = context.site.page(label, channel)?.standing.path else { return name }
    let isAlone = words != nil || context.site.pages.count { $0.facts.label == label } == 1
    let whole: HTML =
      isAlone ? "" : " aria-label=\"\(Name(label).shortened(to: 60)) on \(Name(channel).shortened(to: 60))\""
    return "<a href=\"\(context.root)\(page)\"\(whole)>\(name)</a>"
  }

  static func ageWords(_ facts: ReleaseFacts, _ now: Timestamp) -> HTML {
    guard let published = facts.publishedAt else { return "never published on \(Name(facts.channel).html())" }
    let age = Console.duration(seconds: Double((now - published).rawValue) / 1000)
    return "published \(time(published)), \(age) ago"
  }
}
