internal import Console
internal import Lifecycle
internal import Query
internal import Report
internal import Store

/// The questions that are about all releases, and the command lines of all.
extension Asking {
  func glance(_ snapshot: borrowing Snapshot) throws -> Asked<Releases> {
    var options = Releases.Options()
    options.minCell = Site.smallestGroup
    return ask("releases", "releases", [], [], try Releases.answer(snapshot, app: app, now: order.now, options))
  }

  /// What devices ran in the last 90 days.
  func mix(_ snapshot: borrowing Snapshot, _ newest: ReleaseLabel) throws -> Asked<Reach> {
    let chosen = try chosen(snapshot, newest)
    var options = Reach.Options()
    options.history = .days(90)
    return ask("mix", chosen, "reach", [("history", "90d")], try Reach.answer(snapshot, chosen, options))
  }

  func mechanisms(
    _ snapshot: borrowing Snapshot, _ facts: ReleaseFacts, by grouping: Grouping?
  ) throws -> Asked<Counted<Mechanisms>> {
    var chosen = try chosen(snapshot, ReleaseLabel(rawValue: facts.label))
    chosen.selection.by = grouping.map { [$0] } ?? []
    if grouping == nil, chosen.timeline.channels.contains(facts.channel) { chosen.selection.channels = [facts.channel] }
    return ask(
      grouping.map { "mechanisms-by-\($0.rawValue)" } ?? "mechanisms", chosen, "mechanisms", [],
      try Mechanisms.answer(snapshot, chosen))
  }

  func push(_ snapshot: borrowing Snapshot, by grouping: Push.Grouping?) throws -> Asked<Push> {
    var extent = try Extent(snapshot.vocabulary, app: app, now: order.now)
    extent.minCell = grouping == nil ? 0 : Site.smallestGroup
    var options = Push.Options()
    options.by = grouping.map { [$0] } ?? []
    var words = [quantiles(options.quantiles)]
    if let grouping { words.append(("by", grouping.rawValue)) }
    return ask(
      grouping.map { "push-by-\($0.rawValue)" } ?? "push", "push", words, [],
      try Push.answer(snapshot, extent, options), minCell: extent.minCell)
  }

  /// An answer about one release, with the command line that its selection comes from.
  func ask<Row>(
    _ name: String, _ chosen: Chosen, _ question: String, _ options: [(String, String)],
    against other: String? = nil, _ answer: Answer<Row>
  ) -> Asked<Row> {
    var options = options
    if let channel = chosen.selection.channels.first { options.append(("channel", channel)) }
    if !chosen.selection.by.isEmpty {
      options.append(("by", chosen.selection.by.map(\.rawValue).joined(separator: ",")))
    }
    return ask(name, question, options, [chosen.target.label.rawValue] + [other].compactMap(\.self), answer)
  }

  fileprivate func ask<Row>(
    _ name: String, _ question: String, _ options: [(String, String)], _ arguments: [String], _ answer: Answer<Row>,
    minCell: Int = Site.smallestGroup
  ) -> Asked<Row> {
    var own = options.reduce(ShellCommand("uptake", question)) { $0.option($1.0, $1.1) }
    if minCell > 0 { own = own.option("min-cell", "\(minCell)") }
    own = arguments.reduce(own) { $0.argument($1) }
    let common = [("db", order.database), ("app", app), ("now", order.now.rfc3339), ("format", "json")]
    return Asked(name, brief: own, common: common, answer)
  }
}
