internal import Console
internal import Query
internal import Statistics

extension Panel {
  static let failures = Panel(
    name: "failures", scope: .release, options: [.title],
    purpose: "Failed first attempts and rollbacks against the limit and the release before, with reasons",
    reads: { context in context.release.map { [Exhibit($0.standing.failures)] } ?? [] }
  ) { context in
    guard let release = context.release, let row = release.standing.failed else {
      return context.missing(
        "Failures and rollbacks", context.release, context.release?.standing.failures,
        whoDid: "are known to have tried to get it", "No first attempt was an hour old at the cutoff.")
    }
    let finding = finding(row)
    return context.section(
      "Failures and rollbacks",
      paragraph(finding, of: context.picture),
      chart(row).picture(id: context.picture, title: "Failed first attempts and rollbacks of \(release.facts.label)")
        .html,
      note(
        """
        A device counts once, with its first attempt, an hour after it began. The attempt failed where the client says so \
        within that hour, and where the release was rolled back or crashed within a day of its launch, reported or not. \
        \(row.stopRule.limitFrom.words)\(oldLaunches(row))
        """),
      rates(row, release).behind, reasons(row, release, context.site.smallestGroup))
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

  /// Else two rates of rollbacks on one page would have one name.
  private static func oldLaunches(_ row: Failures) -> HTML {
    guard row.appliesTooYoung > 0 else { return "" }
    return """
       Rollbacks are here of the \(Number.count(row.applies)) launches at least a day old; the verdict counts those of \
      \(Number.count(row.appliesTooYoung)) younger ones, too.
      """
  }

  private static func chart(_ row: Failures) -> Rows {
    func bar(_ name: String, _ rate: Estimate, _ ink: Ink) -> Rows.Row {
      Rows.Row(name: name, words: rate.text(.share), value: rate.value, lo: rate.lo, hi: rate.hi, ink: ink)
    }
    let shown = row.reasons.prefix(6)
    var rows = [bar("first attempts that failed", row.rate, .failed)]
    if let previous = row.previous {
      rows.append(bar("the same of \(Name(previous.release).shortened(to: 20))", previous.rate, .waiting))
    }
    rows += shown.map { bar("reason: " + Name($0.reason).shortened(to: 20), $0.rate, .refresh) }
    var rolledBack = bar("launched a day ago, rolled back", row.rollbackRate, .location)
    rolledBack.words = row.noOldLaunch.map { "— " + $0 } ?? rolledBack.words + " of \(grouped(row.applies))"
    rows.append(rolledBack)
    let highest = rows.compactMap { $0.hi ?? $0.value }.max() ?? 0
    let limit = row.stopRule.judged
    let ticks = Ticks.shares(to: max(highest, limit ?? 0))
    return Rows(
      mark: .bar, rows: rows, ticks: ticks, scale: Scale(lowest: 0, highest: ticks.last?.value ?? 1),
      reference: limit.map { ($0, "limit") })
  }

  private static func rates(_ row: Failures, _ release: ReleaseAnswers) -> DataTable {
    var rows: [[HTML]] = [
      ["first attempts", Number.count(row.attempts), Number.count(row.failed), row.rate.html(.share)]
    ]
    if let previous = row.previous {
      rows.append([
        "first attempts of \(Name(previous.release).html())", Number.count(previous.attempts),
        Number.count(previous.failed), previous.rate.html(.share),
      ])
    }
    rows.append([
      "launches a day old, rolled back", Number.count(row.applies), Number.count(row.rolledBack),
      row.noOldLaunch.map { Number.none($0) } ?? row.rollbackRate.html(.share),
    ])
    return DataTable(
      caption: "Failures and rollbacks of \(Name(release.facts.label).shortened(to: 40)), with 95% intervals",
      columns: [.init("What"), .init("Devices"), .init("Of them"), .init("Share")], rows: rows)
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

extension Failures {
  /// Rollbacks are told of launches a day old; a verdict counts those of younger ones, too.
  fileprivate var noOldLaunch: String? {
    applies == 0 && appliesTooYoung > 0 ? "none is a day old yet" : nil
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
    case .widen: "safe to widen, the rate is below it"
    case .goOn: "not decided yet"
    }
  }
}
