internal import Console
internal import Query
internal import Statistics

extension Panel {
  static let comparisons = Panel(
    name: "comparisons", scope: .site, place: .wide, options: [.title, .horizon],
    purpose: "The newest release of each channel against the one before it: adoption, waits, failures, mechanisms",
    reads: { context in
      [Exhibit(context.site.glance)]
        + context.site.versus.flatMap { versus in
          [versus.compared.map { Exhibit($0) }].compactMap(\.self) + speeds(versus, context).map { Exhibit($0.speed) }
        }
    }
  ) { context in
    if context.site.versus.isEmpty { return context.missing("Comparison", "No release was published yet.") }
    let sections = context.site.versus.enumerated().map { place, versus in
      Section("\(context.id)-\(place)", title(versus, context.site), parts(versus, place, context)).html
    }
    return (sections + [others(context.site)]).filter { !$0.isEmpty }.joined("\n")
  }

  private static func others(_ site: SiteAnswers) -> HTML {
    let count = Set(site.current.map(\.facts.channel)).count - site.versus.count
    guard count > 0 else { return "" }
    return note(
      "\(Number.count(count)) further channel\(count == 1 ? " is" : "s are") not shown; <code>uptake compare</code> compares on any channel."
    )
  }

  /// What is ahead in adoption may have to be stopped.
  private static func title(_ versus: Versus, _ site: SiteAnswers) -> String {
    let name = Name(versus.release).shortened(to: 40)
    let other = versus.other.map { " against \(Name($0).shortened(to: 40))" } ?? ""
    let verdict = site.standing(versus.release, versus.channel)?.verdict.data.first
    let stop = verdict.flatMap { $0.decision == .stop ? " – \($0.title)" : nil } ?? ""
    return "\(Name(versus.channel).shortened(to: 40)): \(name)\(other)\(stop)"
  }

  private static func parts(_ versus: Versus, _ place: Int, _ context: PanelContext) -> HTML {
    guard let compared = versus.compared else {
      return note("It is the first release on this channel: there is none to hold it against.")
    }
    guard let row = compared.data.first else {
      return note(
        compared.withheld.isEmpty
          ? "No device was at risk of either release on this channel."
          : "Fewer than \(context.site.smallestGroup) devices could have one of the two, so nothing is shown of them.")
    }
    let words = VersusWords(row, on: versus.channel, context.site.glance.data)
    return [
      paragraph(words.finding), chart(versus, "\(context.id)-\(place)", context), words.harms, words.adoption,
      words.measures,
      words.mechanisms, note(words.caveat),
    ].filter { !$0.isEmpty }.joined("\n")
  }

  /// How both stand on the channel, the newer first; without those that the site has no page for.
  private static func speeds(_ versus: Versus, _ context: PanelContext) -> [Standing] {
    [versus.release, versus.other].compactMap { label in
      label.flatMap { label in
        context.site.page(label, versus.channel)?.standing ?? context.site.standing(label, versus.channel)
      }
    }
  }

  private static func chart(_ versus: Versus, _ id: String, _ context: PanelContext) -> HTML {
    let known = zip(speeds(versus, context), [Ink.main, .baseline]).compactMap { standing, ink in
      standing.own.map { (own: $0, standing: standing, ink: ink) }
    }
    guard known.count == 2 else { return "" }
    let followed = known.compactMap(\.standing.facts.followed).max() ?? 0
    let horizon = StepChart.horizon(followed, atMost: context.options.horizon.map { Int64($0) } ?? 7 * 86_400)
    let chart = StepChart(
      lines: known.map { own, standing, ink in
        own.line(
          Name(standing.facts.label).shortened(to: 18), ink, until: Double(standing.facts.followed ?? 0))
      }, ticks: Ticks.labelledAges(to: Double(horizon)), horizon: Double(horizon))
    return chart.picture(
      id: id + "-p",
      title: """
        \(versus.release) and \(versus.other ?? "") on \(Name(versus.channel).shortened(to: 40)), on each device's own clock
        """,
      finding: "Bands are 95% intervals at each age."
    ).html
  }
}
