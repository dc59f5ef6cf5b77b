internal import Console
internal import Query
internal import Statistics

extension Panel {
  static let failures = Panel(
    name: "failures", scope: .release, options: [.title],
    purpose: "Failed first attempts, crashes and rollbacks against their limits and the release before, with reasons",
    reads: { context in context.release.map { [Exhibit($0.standing.failures), Exhibit($0.standing.verdict)] } ?? [] }
  ) { context in
    guard let release = context.release, let row = release.standing.failed else {
      return context.missing(
        "Failures and rollbacks", context.release, context.release?.standing.failures,
        whoDid: "are known to have tried to get it",
        "No first attempt was an hour old at the cutoff.\(soFar(context.release?.standing.failures.data.first))")
    }
    let finding = finding(row)
    let rows = FailureRows(row, release.standing.verdict.data.first)
    return context.section(
      "Failures and rollbacks",
      paragraph(finding, of: context.picture),
      rows.chart.picture(
        id: context.picture, title: "Failed first attempts, crashes and rollbacks of \(release.facts.label)"
      ).html,
      note(
        """
        A device counts once, with its first attempt, an hour after it began. The attempt failed where the client says so \
        within that hour, and where the release was rolled back or crashed within a day of its launch, reported or not. \
        \(row.stopRule.limitFrom.words)\(rows.launchWords)
        """),
      rows.table(release.facts.label).behind, reasons(row, release, context.site.smallestGroup))
  }

  private static func finding(_ row: Failures) -> HTML {
    let decision = row.stopRule.decision?.words
    var words: HTML =
      "\(Number.count(row.failed)) of \(Number.count(row.attempts)) first attempts failed: \(row.rate.html(.share))"
    if let previous = row.previous, previous.difference.value != nil {
      words += ", \(previous.difference.html(.points)) against \(Name(previous.release).html())"
    }
    if row.watchedRate != nil {
      words += """
        ; the verdict counts attempts from their start on, however young, \(Number.count(row.stopRule.watchedFailures)) of \
        \(Number.count(row.stopRule.watched))
        """
    }
    guard let decision else {
      return words + ". There is no limit to hold that against, so nothing is decided."
    }
    let few = row.stopRule.canWiden ? "" : " It rests on too few past attempts to call a rate low."
    return words + ". Against the limit of \(Number.share(row.stopRule.limit)): \(decision).\(few)"
  }

  /// A failure is one at once.
  private static func soFar(_ row: Failures?) -> HTML {
    guard let row, row.stopRule.watchedFailures > 0 else { return "" }
    let reasons = row.reasonsSoFar.prefix(3).map { "\(Number.count($0.devices)) \(Name($0.reason).html())" as HTML }
    let words: HTML = reasons.isEmpty ? "" : ": \(reasons.joined(", "))"
    return """
       \(Number.count(row.stopRule.watchedFailures)) of \(Number.count(row.stopRule.watched)) failed so far\(words).
      """
  }

  private static func reasons(_ row: Failures, _ release: ReleaseAnswers, _ least: Int) -> HTML {
    guard !row.reasons.isEmpty || row.reasonsWithheld > 0 else { return note("No device gave a reason.") }
    let small = row.reasonsWithheld > 0 ? [smallRow(row.reasonsWithheld, "reason", fewerThan: least, cells: 2)] : []
    return DataTable(
      caption:
        "Reasons of failed first attempts of \(Name(release.facts.label).shortened(to: 40)), with 95% intervals",
      columns: [.init("Reason"), .init("Devices"), .init("Of first attempts")],
      rows: row.reasons.prefix(20).map { reason in
        [Name(reason.reason).html(), Number.count(reason.devices), reason.rate.html(.share)]
      } + small
    ).html
  }
}

extension Failures.StopRule {
  /// The limit that is decided against; nil where nobody set one.
  var judged: Double? {
    switch limitFrom {
    case .configured, .history: limit
    case .floor: nil
    }
  }
}

extension Failures.LimitSource {
  fileprivate var words: HTML {
    let looks: HTML = "the test against it may be looked at as often as one likes."
    return switch self {
    case .configured: "The limit is configured; \(looks)"
    case .history:
      "The limit is one and a half times the upper limit of the past five releases’ rate, from 1% to 50%; \(looks)"
    case .floor:
      "No past release has attempts to set a limit by: <code>uptake failures --limit</code> decides against one of yours."
    }
  }
}

extension MixtureTest.Decision {
  var words: String {
    switch self {
    case .stop: "stop, the rate is above it"
    case .widen: "the rate is below it, as far as first attempts go"
    case .goOn: "not decided yet"
    }
  }
}
