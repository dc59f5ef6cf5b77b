internal import Query

/// What a panel draws from.
struct PanelContext {
  var site: SiteAnswers
  /// The release of a release's page.
  var release: ReleaseAnswers?
  var options: PanelOptions
  /// From the page to the folder of the site.
  var root: HTML
  /// The answers that the page's numbers come from, each once.
  var exhibits: [Exhibit] = []
  var detail = PageDetail.full
  /// Unique on the page: the panel's name, and its place where a page shows it twice.
  var id: String
  /// The same, of the panel's picture.
  var picture: String { id + "-p" }
}

/// How a page wants a panel.
struct PanelOptions: Equatable {
  var title: String?
  /// The longest age that a curve shows, in seconds.
  var horizon: Double?
}

/// A kind of panel. The table below is all there is: pages, errors and documentation read the same rows.
struct Panel {
  enum Scope: String { case site, release }
  enum Option: String, CaseIterable { case title, horizon }
  /// On a wide screen: two abreast, one beside two that are shorter, or alone in its row.
  enum Place: String { case half, tall, wide }

  var name: String
  var scope: Scope
  var place = Place.half
  var options: [Option]
  /// One sentence for people who write pages.
  var purpose: String
  /// The answers that its numbers come from.
  var reads: @Sendable (PanelContext) -> [Exhibit] = { _ in [] }
  /// Where its numbers stand in `data.json` that are in none of the answers.
  var ownData: String?
  var render: @Sendable (PanelContext) -> HTML

  static let all: [Panel] = [
    verdicts, findings, releases, mix, comparisons, mechanismVerdict,
    mechanismCurves, mechanismLegs, mechanismArms, mechanismChannels,
    mechanismWays, mechanismReleases, pushTiles, pushStates, pushDelay, pushHours, pushPlaces, pushThrottling,
    pushToUpdate, verdict, tiles, adoption, reach, timeToUpdate, outcomes, funnel, failures, suspects, segments,
    rollout, quality, health,
    method,
  ]

  static func named(_ name: String) -> Panel? { all.first { $0.name == name } }
}

extension PanelContext {
  func section(_ title: String, _ parts: HTML...) -> HTML {
    var section = Section(id, options.title ?? title)
    section.parts = parts
    return section.html
  }

  /// Why there is nothing of a release: its devices are too few to be shown, or it is known of none how long it waited. Nothing where the
  /// verdict says so.
  func missing(_ title: String, _ release: ReleaseAnswers?, _ why: HTML) -> HTML {
    guard let standing = release?.standing else { return missing(title, why) }
    if standing.facts.isTooNew { return missing(title, "Published after the cutoff: nobody is counted yet.") }
    if standing.isToldByVerdict { return .empty }
    return missing(title, standing.isWithheld ? standing.tooFew(site.smallestGroup) : why + standing.unseen)
  }

  /// The same, where the devices that the panel's own answer counts may be too few, whatever the release has.
  func missing<Row>(
    _ title: String, _ release: ReleaseAnswers?, _ asked: Asked<Row>?, whoDid what: HTML, _ why: HTML
  ) -> HTML {
    guard let asked, asked.data.isEmpty, !asked.withheld.isEmpty, let standing = release?.standing,
      !standing.facts.isTooNew, !standing.isToldByVerdict
    else {
      return missing(title, release, why)
    }
    return missing(title, "Fewer than \(site.smallestGroup) devices \(what), so nothing is shown of them.")
  }

  /// A section that says why it has nothing to show.
  func missing(_ title: String, _ why: HTML) -> HTML { section(title, note(why)) }
}
