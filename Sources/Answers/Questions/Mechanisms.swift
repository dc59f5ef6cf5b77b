internal import Console
internal import Lifecycle
internal import Query
internal import Statistics
internal import Store

private extension Option {
  static let at = ages("1h,6h,24h,72h,168h")
  static let horizon = Option(
    "horizon", .duration, fallback: "72h", group: "STATISTICS", help: "The end of the mean wait for the user")
}

extension Question {
  static let mechanisms = Question(
    "mechanisms", schema: .mechanisms, purpose: "Compare how silent push, background refresh and the user deliver",
    discussion: """
      Mechanisms compete for each device: the shares of all and of those that still wait make 100 %. From publication to \
      ready is the mechanism's doing, from ready to applied the user's. Devices are not assigned at random, so this \
      describes; where the app marks arms of a random hold-out, their comparison says what pushing causes.
      """,
    arguments: [.init("RELEASE", completion: "releases", help: "The release")],
    options: Option.filters
      + [.by(DeviceGrouping.self), .at, .quantiles.with(fallback: "0.5,0.9"), .horizon] + Option.rules
      + Option.precision + [.require("silentPush@24h.lo>=0.2")],
    examples: [
      .init("Who delivered it, and how fast", "uptake mechanisms 2.0.0"),
      .init("Drawn, one plot a mechanism", "uptake mechanisms 2.0.0 --format plot"),
      .init("Per platform, after one day", "uptake mechanisms 2.0.0 --by platform --at 24h"),
      .init("In a pipeline", "uptake mechanisms 2.0.0 --require 'silentPush@24h.lo>=0.2'"),
    ],
    exits: [.gateNotMet, .notEnoughData, .databaseUnusable], seeAlso: ["push", "wakeups", "time-to-update"]
  ) { asked, snapshot in
    let gates = try asked.gates(on: Counted<Mechanisms>.self)
    let chosen = try asked.chosen(snapshot.vocabulary)
    let options = Mechanisms.Options(asked, gates)
    let answer = try Mechanisms.answer(snapshot, chosen, options)
    let groups = GroupColumns(chosen.selection.by)
    let verdicts = answer.verdicts(gates) { groups.words($0.group.byName) }
    return Shown(
      answer.presentation(
        table: table(answer, options, groups), plots: plots(answer, groups),
        notes: verdicts.map(\.sentence) + notes(answer, groups),
        level: chosen.selection.level, next: ShellCommand("uptake", "push").argument(asked.arguments[0])),
      verdicts, isKnown: answer.data.contains { $0.counts.devices > 0 })
  }
}

extension Mechanisms.Options {
  fileprivate init(_ asked: Parameters, _ gates: [Gate]) {
    self.init()
    ages = asked.ages(.at, with: gates)
    quantiles = asked.numbers(.quantiles)
    horizon = asked.milliseconds(.horizon) ?? horizon
  }
}

private typealias Answered = Answer<Counted<Mechanisms>>

/// A row for each mechanism: its shares by age, then both legs; last, those that wait.
private func table(_ answer: Answered, _ options: Mechanisms.Options, _ groups: GroupColumns) -> Table {
  let ages = options.ages.map { $0.rawValue / 1000 }
  let shares = ages.map { seconds in
    Table.Column(
      "BY \(age(seconds: seconds))", key: "share\(seconds)", hasInterval: true, isOptional: seconds != 86_400)
  }
  let legs: [Table.Column] = [
    .init("HALF READY", key: "publishedToReady", isOptional: true),
    .init("READY TO APPLIED", key: "readyToApplied", hasInterval: true, isOptional: true),
  ]
  let columns =
    [Table.Column("MECHANISM", key: "mechanism", least: 18), .init("UPDATED", key: "events")] + shares + legs
  return Table(
    groups.columns + columns,
    rows: answer.data.flatMap { row in
      row.names.map { name in groups.cells(row.group.byName) + cells(row, name) }
        + [groups.cells(row.group.byName) + waiting(row)]
    } + answer.withheldRows(groups, cells: columns.count))
}

extension Counted<Mechanisms> {
  /// The mechanisms that delivered anything.
  fileprivate var names: [String] {
    let known = figures.ages.last?.shares.map(\.mechanism) ?? []
    return known.filter { name in
      counts.eventsByMechanism[name] ?? 0 > 0 || figures.legs.contains { $0.mechanism == name && $0.delivered > 0 }
        || name == "newerRelease" && counts.newerRelease > 0
    }
  }
}

private func cells(_ row: Counted<Mechanisms>, _ name: String) -> [Cell] {
  let leg = row.legs.first { $0.mechanism == name }
  let none = Cell.missing(because: "nobody reported when it was ready")
  let half = leg?.publishedToReady.amongDelivered.first { $0.p == 0.5 }?.seconds.map { Cell.duration(seconds: $0) }
  let launch = leg?.readyToApplied.quantiles.first { $0.p == 0.5 }?.seconds
  let events = name == "newerRelease" ? row.counts.newerRelease : row.counts.eventsByMechanism[name] ?? 0
  return [.text(name), .count(events)]
    + row.ages.map { age in age.shares.first { $0.mechanism == name }?.share.shareCell ?? .missing(because: "") }
    + [half ?? none, launch?.durationCell ?? none]
}

private func waiting(_ row: Counted<Mechanisms>) -> [Cell] {
  [.text("still waiting"), .missing(because: "")] + row.ages.map(\.waiting.shareCell)
    + [.missing(because: ""), .missing(because: "")]
}

private func notes(_ answer: Answered, _ groups: GroupColumns) -> [String] {
  var notes = answer.data.map(\.counts).notes
  if answer.data.contains(where: { !$0.legs.isEmpty }) {
    notes.append(
      "half ready: when half of those that it delivered to by now were; ready to applied: the median wait for the user")
  }
  for row in answer.data {
    let group = groups.words(row.group.byName)
    let name = group.isEmpty ? "" : group + ": "
    notes += row.hazardRatios.filter {
      $0.ratio.value != nil && min($0.firstEvents, $0.secondEvents) * 20 >= row.counts.events
    }.map { ratio in
      "\(name)\(ratio.first) was first \(decimal(ratio.ratio.value ?? 0, 2)) times as often as \(ratio.second)"
        + (ratio.ratio.lo.flatMap { lo in ratio.ratio.hi.map { " (\(decimal(lo, 2))–\(decimal($0, 2)))" } } ?? "")
    }
    if row.withoutDelivery > 0 {
      notes.append("\(name)\(counted(row.withoutDelivery, "update")) of which nobody reported when it was ready")
    }
    notes += row.experiment.map { experimentNotes($0, name) } ?? []
    notes += row.ways.map { name + $0.words }
  }
  return notes
}

/// What the arms of a random experiment say: effects, not descriptions.
private func experimentNotes(_ experiment: Experiment, _ name: String) -> [String] {
  experiment.comparisons.map { comparison in
    let known = comparison.shares.filter { $0.share.value != nil }
    let age = known.first { $0.seconds == 86_400 } ?? known.last
    let effect = age.map { point in
      let limits = point.share.lo.flatMap { lo in
        point.share.hi.map { " (\(decimal(lo * 100, 1)) to \(decimal($0 * 100, 1)))" }
      }
      return "\(points(point.share.value ?? 0))\(limits ?? "") adopted by \(Console.age(seconds: point.seconds))"
    }
    return
      "\(name)random experiment: \(comparison.arm) against \(comparison.reference): \(effect ?? "nothing to say yet");"
      + " an effect of the assignment"
  }
}

extension Mechanisms.Way {
  /// A line of the table that a manual would give in general words, with the fleet's own figures.
  fileprivate var words: String {
    let name = way == "silentPush" ? "silent push" : "periodic sync"
    let speed = deliverySeconds.map { "half of \(counted(delivered, "device")) ready after \(duration(seconds: $0))" }
    let taken = interference.share?.value.map { share($0) }
    let system =
      interference.kind == "lostPushes"
      ? taken.map { "the system lost \($0)" } : taken.map { "up to \($0) overran or were killed" }
    let every = interference.medianIntervalSeconds.map { "runs every \(duration(seconds: Double($0)))" }
    let server = needsPushServer ? "needs a push server" : "needs no push server"
    return "\(name): "
      + [speed ?? "delivered nothing", system, every, server, "good for \(goodFor)"].compactMap(\.self).joined(
        separator: "; ")
  }
}

/// What each mechanism had delivered by the ages asked for, all with the same axes.
private func plots(_ answer: Answered, _ groups: GroupColumns) -> [Plot] {
  answer.data.flatMap { row -> [Plot] in
    let known = row.ages.filter { $0.waiting.value != nil }
    guard let end = known.last?.seconds else { return [] }
    return row.names.map { name in
      let points = known.compactMap { age in
        age.shares.first { $0.mechanism == name }.map { (seconds: age.seconds, share: $0.share) }
      }
      var plot = Plot([Plot.Series(name, of: points, end: end)], horizon: Double(end), rows: 6)
      plot.title = [groups.words(row.group.byName), name].filter { !$0.isEmpty }.joined(separator: ", ")
      return plot
    }
  }.alike
}
