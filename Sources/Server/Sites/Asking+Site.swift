internal import Console
internal import Lifecycle
internal import Query
internal import Report
internal import Store

/// The questions that are about all releases, and the command lines of all.
extension Asking {
  func glance(_ snapshot: borrowing Snapshot) throws -> Planned<Asked<Releases>> {
    var options = Releases.Options()
    options.minCell = order.minCell
    return plan(
      "releases", [], [], try Releases.Question(snapshot.vocabulary, app: app, now: order.now, options))
  }

  /// What devices ran in the last 90 days.
  func mix(_ snapshot: borrowing Snapshot, _ newest: ReleaseLabel) throws -> Planned<Asked<Reach>> {
    let chosen = try chosen(snapshot, newest)
    var options = Reach.Options()
    options.history = .days(90)
    return plan("mix", chosen, [("history", "90d")], Reach.Question(snapshot.vocabulary, chosen, options))
  }

  func mechanisms(
    _ snapshot: borrowing Snapshot, _ facts: ReleaseFacts, by grouping: Grouping?
  ) throws -> Planned<Asked<Counted<Mechanisms>>> {
    var chosen = try chosen(snapshot, ReleaseLabel(rawValue: facts.label))
    chosen.selection.by = grouping.map { [$0] } ?? []
    if grouping == nil, chosen.timeline.channels.contains(facts.channel) { chosen.selection.channels = [facts.channel] }
    return plan(
      grouping.map { "mechanisms-by-\($0.rawValue)" } ?? "mechanisms", chosen, [],
      try Mechanisms.Question(snapshot.vocabulary, chosen))
  }

  func push(_ snapshot: borrowing Snapshot, by grouping: Push.Grouping?) throws -> Planned<Asked<Push>> {
    var extent = try FleetScope(snapshot.vocabulary, app: app, now: order.now)
    extent.minCell = grouping == nil ? 0 : order.minCell
    var options = Push.Options()
    options.by = grouping.map { [$0] } ?? []
    var words = [quantiles(options.quantiles)]
    if let grouping { words.append(("by", grouping.rawValue)) }
    return plan(
      grouping.map { "push-by-\($0.rawValue)" } ?? "push", words, [],
      try Push.Question(snapshot.vocabulary, extent, options), minCell: extent.minCell)
  }

  /// What is known from the cutoff until now, on the channel that the page is about; nil where there is nothing to see.
  func newest(
    _ snapshot: borrowing Snapshot, _ chosen: ReleaseScope, _ facts: ReleaseFacts, _ name: String
  ) throws -> Planned<NewestHours>? {
    guard let ages = NewestHours.ages(facts, now: now) else { return nil }
    var chosen = chosen
    chosen.selection.isProvisional = true
    let reach = plan(
      "\(name)-newest-reach", chosen, [("provisional", "")], Reach.Question(snapshot.vocabulary, chosen))
    chosen.selection.clock = .releaseAge
    let adoption = try planned(
      snapshot, chosen, "\(name)-newest-adoption", ages: ages, points: Standing.points,
      baseline: facts.followed == 0 ? .auto : .none)
    return Planned(adoption.counts + reach.counts) { ledger, snapshot in
      NewestHours(
        adoption: try adoption.value(ledger, snapshot), reach: try reach.value(ledger, snapshot),
        facts, now: now)
    }
  }

  /// What holds updates up, of the newest release of each channel.
  func diagnosis(_ snapshot: borrowing Snapshot) throws -> Diagnosis.Question {
    var extent = try FleetScope(snapshot.vocabulary, app: app, now: order.now)
    extent.minCell = order.minCell
    return try Diagnosis.Question(snapshot.vocabulary, extent)
  }
  func findings(_ diagnosis: Diagnosis.Question) -> Planned<Asked<Diagnosis>> { plan("findings", [], [], diagnosis) }

  /// How the app's events come in, beside what is answered of them.
  func health(
    _ snapshot: borrowing Snapshot, _ glance: Asked<Releases>, _ findings: Asked<Diagnosis>,
    _ repeats: DataHealth.Repeats?
  ) throws -> DataHealth {
    DataHealth(
      snapshot.vocabulary, app: app, now: now, receipt: try snapshot.newestReceipts(now: now)[app], repeats: repeats,
      glance: glance.answer, findings: findings.answer)
  }

  /// The verdict of a release on the channel that its numbers are about.
  func verdict(
    _ snapshot: borrowing Snapshot, _ chosen: ReleaseScope, _ facts: ReleaseFacts, _ name: String
  ) throws -> Planned<Asked<Verdict>> {
    let vocabulary = snapshot.vocabulary
    var extent = try FleetScope(vocabulary, app: app, release: chosen.target.label, now: order.now)
    (extent.channels, extent.minCell) = (chosen.selection.channels, chosen.selection.minCell)
    let words = extent.channels.map { ("channel", $0) } + order.judging.words
    return plan(
      "\(name)-verdict", words, [facts.label], try Verdict.Question(vocabulary, extent, order.judging),
      minCell: extent.minCell)
  }

  /// A question about one release, with the command line that its selection comes from.
  func plan<Asks: Query.Question>(
    _ name: String, _ chosen: ReleaseScope, _ options: [(String, String)], against other: String? = nil,
    _ question: Asks
  ) -> Planned<Asked<Asks.Row>> {
    var options = options
    if let channel = chosen.selection.channels.first { options.append(("channel", channel)) }
    if !chosen.selection.by.isEmpty {
      options.append(("by", chosen.selection.by.map(\.rawValue).joined(separator: ",")))
    }
    return plan(name, options, [chosen.target.label.rawValue] + [other].compactMap(\.self), question)
  }

  fileprivate func plan<Asks: Query.Question>(
    _ name: String, _ options: [(String, String)], _ arguments: [String], _ question: Asks,
    minCell: Int? = nil
  ) -> Planned<Asked<Asks.Row>> {
    // One without a value takes none.
    var own = options.reduce(ShellCommand("uptake", Asks.name)) { $0.option($1.0, $1.1.isEmpty ? nil : $1.1) }
    let minCell = minCell ?? order.minCell
    own = arguments.reduce(own) { $0.argument($1) }
    let common =
      [("db", order.database), ("app", app), ("now", order.now.rfc3339), ("format", "json")]
      + (minCell > 0 ? [("min-cell", "\(minCell)")] : [])
    return Planned([question.counts]) { [own] ledger, snapshot in
      Asked(name, brief: own, common: common, try snapshot.ask(question, ledger))
    }
  }
}

extension Verdict.Options {
  /// As a command line says them; what is not said has its default.
  fileprivate var words: [(String, String)] {
    let usual = Self()
    var words = limit.map { [("limit", "\($0)")] } ?? []
    if harmLimit != usual.harmLimit { words.append(("harm-limit", "\(harmLimit)")) }
    if let objective {
      words += [("objective", "\(objective.share)"), ("within", "\(objective.within.rawValue / 1000)s")]
    }
    return words
  }
}
