internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

/// A release that was published after the cutoff: what is known of it until now, all of it provisional.
extension ReleaseAnswers {
  /// Why nearly nothing is counted, and until when.
  func tooNew(now: Timestamp) -> HTML {
    guard let published = facts.publishedAt else { return .empty }
    let lag = now - facts.cutOff
    let panels: HTML =
      newest?.sinceRelease == nil
      ? "the panels are empty" : "adoption and reach are provisional, and the other panels are empty"
    let usual = Console.duration(seconds: Double(lag.rawValue) / 1000)
    return """
      It was published at \(time(published)), after the cutoff \(time(facts.cutOff)), as 99 % of events arrive within \(usual). Until \
      about \(time(published + lag)) \(panels). Crashes and rollbacks count up to now.
      """
  }
}

extension Panel {
  /// nil where nothing is known.
  static func provisionalAdoption(_ release: ReleaseAnswers, _ context: PanelContext) -> HTML? {
    guard release.facts.isTooNew, let row = release.newest?.sinceRelease, let age = row.ages.last else {
      return nil
    }
    let words: HTML = """
      Provisional: \(row.counts.observedHTML) had updated to \(Name(release.facts.label).html()). Estimated \(age.told.html(.share)), \
      \(Console.duration(seconds: Double(age.seconds))) after its publication.
      """
    return context.section(
      "Adoption since publication", paragraph(words, of: context.picture),
      chart(release, row, 0, context)
        .picture(id: context.picture, title: "Adoption of \(release.facts.label) since publication").html,
      note(release.newestNote), table(release, row, upTo: age.seconds).behind)
  }

  /// As above.
  static func provisionalReach(_ release: ReleaseAnswers, _ context: PanelContext) -> HTML? {
    guard release.facts.isTooNew, let newest = release.newest, let row = newest.reach.data.first,
      let window = row.windows.first, window.reachable > 0
    else { return nil }
    let words: HTML = """
      Provisional: \(window.runWords(release.facts.label, context.site.smallestGroup)).
      """
    return context.section(
      "Reach: what devices run", paragraph(words, of: context.picture),
      chart(release.reach.data.first ?? row, newest).picture(
        id: context.picture, title: "Share of reachable devices that run \(release.facts.label)"
      ).html,
      note(release.newestNote), seriesTable(row, release).behind)
  }
}
