internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension Verdict {
  var style: String {
    switch condition {
    case .healthy: "good"
    case .crashing, .rollingBack, .failing, .fallingSilent: "bad"
    case .undone, .halted, .stale, .noLimit, .belowObjective, .slow: "warn"
    case .unsettled where isLikelyHarmful: "warn"
    case .replaced, .scheduled, .unsettled: "calm"
    }
  }

  var badge: HTML { "<span class=\"badge \(style)\">\(title)</span>" }
}

/// The answer first: what to do with a release, and what speaks for that.
struct VerdictCard {
  let standing: Standing
  /// Fewer devices are not shown.
  let least: Int
  /// The devices that it fails on most often for certain.
  var suspect: Suspects?
  /// What is counted until now.
  var moved: HTML?
  private var verdict: Verdict? { standing.verdict.data.first }
  var style: String { verdict?.style ?? "calm" }

  /// - Parameter heading: above the verdict.
  func html(heading: HTML = "") -> HTML {
    "<div class=\"verdict \(style)\">\(heading)\(words)</div>"
  }

  private var words: HTML {
    guard let verdict else { return absence }
    let names = standing.names(in: verdict)
    func sentence(_ reason: Verdict.Reason) -> HTML {
      .sentence(reason.sentence.capitalizedFirst(butFor: standing.platforms), naming: names)
    }
    let stillRun = ([verdict.stillRun].compactMap(\.self) + verdict.othersStillRun).map { one in
      HTML.sentence(one.sentence.capitalizedFirst(butFor: standing.platforms), naming: names)
    }
    let ahead = standing.verdict.warnings.filter { $0.code == Warning.stepAhead }.map { "\($0.sentence)" as HTML }
    let list =
      [suspect?.lead].compactMap(\.self) + ahead + verdict.reasons.dropFirst().map(sentence) + stillRun
      + standing.figures + [moved].compactMap(\.self)
    return """
      <p><strong>\(verdict.title).</strong> \(sentence(verdict.reasons[0])).</p>\
      <ul>\(list.map { "<li>\($0)</li>" as HTML })</ul>\(place(verdict))\(next(verdict))
      """
  }

  private func place(_ verdict: Verdict) -> HTML {
    if verdict.platforms.isEmpty { return "" }
    let names = verdict.platforms.map { Name($0).html(atMost: 24) }.joined(", ")
    return """
      <p class=note>The verdict is about \(names): elsewhere another release is out, or this one was halted. Adoption and \
      median, and all other panels, are of all platforms.</p>
      """
  }

  private func next(_ verdict: Verdict) -> HTML {
    let waits = !verdict.isTooSmall || verdict.isLikelyHarmful
    let look: HTML = verdict.lookAgainAt.flatMap { waits ? "Look again at \(time($0)). " : nil } ?? ""
    return "<p class=note>\(look)Would change it: \(verdict.wouldChange).</p>"
  }

  private var absence: HTML {
    let facts = standing.facts
    guard facts.publishedAt != nil else {
      return paragraph("Nothing to judge", "It was never published on \(Name(facts.channel).html()).")
    }
    return paragraph(facts.isTooNew ? "Nothing to judge" : "Too few", standing.tooFew(least))
  }

  private func paragraph(_ title: String, _ why: HTML) -> HTML { "<p><strong>\(title).</strong> \(why)</p>" }
}

extension Standing {
  /// The latest age at which both releases are known.
  var comparedAge: Adoption.Age? {
    sinceRelease?.ages.last { age in
      guard let difference = age.difference, difference.value != nil else { return false }
      return difference.reason != .clockFromOffer && age.seconds <= facts.followed ?? 0
    }
  }

  /// Those that got it at instants of their own, and those that its verdict is about.
  var platforms: [String] {
    (sinceRelease?.figures.publications.compactMap(\.platform) ?? []) + (verdict.data.first?.platforms ?? [])
  }

  /// What a verdict's sentences name, the longest first: one may be a part of another.
  fileprivate func names(in verdict: Verdict) -> [String] {
    let others =
      verdict.reasons.compactMap(\.before?.release) + verdict.othersStillRun.map(\.release)
      + [sinceRelease?.baseline?.release].compactMap(\.self)
    return Set([facts.label, facts.channel] + others).sorted { ($1.count, $0) < ($0.count, $1) }
  }

  /// How far and how fast it came.
  var figures: [HTML] {
    guard let own else { return [] }
    let median = own.median.map { ["Median time to update: \($0.html(.duration))" as HTML] } ?? []
    let counted: HTML =
      isOfOffered
      ? "Adoption: — (nobody knows who was let have it; \(own.counts.observedHTML) had updated)"
      : "Adoption, counted: \(own.counts.observedHTML)"
    return [counted] + median
  }
}

extension RiskCounts {
  /// `67.9%, 3,626 of 5,339 eligible devices`
  var isOfOffered: Bool { observedReason == .clockFromOffer }

  /// The same without a share where that would be of those alone that were offered the release.
  var observedHTML: HTML {
    if isOfOffered { return "\(Number.count(events)) of \(Number.count(devices)) devices that were offered it" }
    let share = observedShare.map { Number.share($0) } ?? "—"
    return "\(share), \(Number.count(events)) of \(Number.count(devices)) eligible devices"
  }
}

extension Panel {
  static let verdict = Panel(
    name: "verdict", scope: .release, place: .wide, options: [],
    purpose: "How the release fares in a word, and the figures behind it",
    reads: { context in
      context.release.map { $0.standing.exhibits + [$0.suspects.map { Exhibit($0) }].compactMap(\.self) } ?? []
    }
  ) { context in
    guard let release = context.release else { return .empty }
    let suspect = release.suspects?.data.first
    let card = VerdictCard(standing: release.standing, least: context.site.smallestGroup, suspect: suspect).html(
      heading: "<h2 class=vh>Verdict</h2>")
    return card + (release.facts.isTooNew ? note(release.tooNew(now: context.site.now)) : "") + cutOffNote(context)
  }

  /// Why the newest hours are not counted, where few or very late events say so.
  static func cutOffNote(_ context: PanelContext) -> HTML {
    context.site.findings.warnings.first { Warning.aboutCutOff.contains($0.code) }.map { note("\($0.sentence)") } ?? ""
  }

  static let tiles = Panel(
    name: "tiles", scope: .release, place: .wide, options: [],
    purpose:
      "Devices, adoption and its difference at equal age, median, 90th percentile, failures, rollbacks, crashes and reach",
    reads: { context in context.release.map { $0.standing.exhibits + [Exhibit($0.reach)] + $0.movedExhibits } ?? [] }
  ) { context in
    guard let release = context.release, let own = release.own else { return .empty }
    return Tile.list(
      [devicesTile(own), newestTile(release)].compactMap(\.self)
        + [adoptionTile(own), differenceTile(release)].compactMap(\.self)
        + timeTiles(own)
        + [failureTile(release)].compactMap(\.self) + harmTiles(release)
        + [reachTile(release, context)].compactMap(\.self))
  }

  private static func devicesTile(_ own: TimeToUpdate) -> Tile {
    Tile(
      own.counts.isOfOffered ? "Devices that were offered it" : "Eligible devices", Number.count(own.counts.devices),
      "\(Number.count(own.counts.events)) have updated",
      "\(Number.count(own.counts.censored)) have not, as far as known")
  }

  /// Where the rollout was widened or halted since the cutoff: the others are of the devices that could have it before.
  private static func newestTile(_ release: ReleaseAnswers) -> Tile? {
    guard let newest = release.newest, newest.isMoved, let counts = newest.sinceRelease?.counts else { return nil }
    return Tile(
      "\(newest.end), provisional", Number.count(counts.devices),
      "eligible devices; \(Number.count(counts.events)) have updated",
      "the rollout changed since the cutoff, up to which other figures count")
  }

  private static func adoptionTile(_ own: TimeToUpdate) -> Tile? {
    own.counts.observedShare.map { share in
      if own.counts.isOfOffered {
        return Tile(
          "Adoption", "—", own.counts.observedHTML,
          "nobody knows who else was let have it: clients do not say their rollout bucket")
      }
      return Tile(
        "Adoption", Number.share(share),
        "\(Number.count(own.counts.events)) of \(Number.count(own.counts.devices)) eligible devices",
        own.counts.censoredBy["halted"] == nil ? "counted up to the cutoff" : "counted up to the halt")
    }
  }

  private static func differenceTile(_ release: ReleaseAnswers) -> Tile? {
    guard let reference = release.standing.sinceRelease?.baseline else { return nil }
    let title = "Against \(Name(reference.release).shortened(to: 20))"
    guard let age = release.standing.comparedAge, let difference = age.difference else {
      let why = release.standing.latest?.difference?.reason
      return Tile(title, "—", why.map { "\($0.words)" } ?? "not followed to the same age")
    }
    let both = "both at \(Console.duration(seconds: Double(age.seconds))) since the publication"
    let counts = "\(grouped(age.events)) updated by then, \(grouped(age.atRisk)) waiting"
    return Tile(
      title, difference.valueHTML(.points), difference.intervalHTML(.points),
      release.facts.isStaged
        ? "\(both), its steps included: \(counts); the verdict goes by each device’s own clock"
        : "\(both), of \(grouped(age.events + age.atRisk))")
  }

  private static func timeTiles(_ own: TimeToUpdate) -> [Tile] {
    [(0.5, "Median time to update"), (0.9, "Nine in ten updated after")].compactMap { p, title in
      own.quantile(p).map {
        Tile(title, $0.valueHTML(.duration), $0.intervalHTML(.duration), "on each device’s own clock")
      }
    }
  }

  private static func failureTile(_ release: ReleaseAnswers) -> Tile? {
    release.standing.failed.map { row in
      Tile(
        "Failed first attempts", row.rate.valueHTML(.share), row.rate.intervalHTML(.share),
        "\(Number.count(row.failed)) of \(Number.count(row.attempts)) devices, up to the cutoff",
        row.stopRule.judged.map { "limit \(Number.share($0))" } ?? "no limit set")
    }
  }

  private static func harmTiles(_ release: ReleaseAnswers) -> [Tile] {
    let verdict = release.standing.verdict.data.first
    return [
      verdict?.harm(.rollbacks)?.tile("Rolled back"), verdict?.harm(.crashes)?.tile("Crashed"),
      verdict?.harm(.lateCrashes)?.tile("Crashed later", "that had launched it before, on one day"),
      verdict?.harm(.lateRollbacks)?.tile("Rolled back later", "that had launched it before, on one day"),
    ].compactMap(\.self)
  }

  private static func reachTile(_ release: ReleaseAnswers, _ context: PanelContext) -> Tile? {
    guard let row = release.reach.data.first, let window = row.windows.first, window.reachable > 0 else { return nil }
    return Tile(
      "Run it", window.exactly.share.valueHTML(.share), window.exactly.share.intervalHTML(.share),
      "\(window.exactly.words(context.site.smallestGroup)) reachable devices",
      "as of \(heard(release.reach.dataThrough, row.at).words)")
  }

  /// As the verdict beside it has it: who is not heard of for an hour may run anything since.
  private static func heard(_ newest: Timestamp?, _ at: Timestamp) -> Timestamp {
    newest.map { at - $0 > .hours(1) ? $0 : at } ?? at
  }
}
