internal import Console
internal import Lifecycle
public import Query
internal import Statistics
internal import Store

private extension Option {
  static let at = ages("1h,6h,24h,72h,168h")
}

extension Question {
  static let adoption = Question(
    "adoption", schema: .adoption, purpose: "Show what share of devices had updated by some ages",
    discussion: """
      Of the eligible devices, each from when it became eligible, the share that had updated by then, beside the release \
      before at the same ages. It never falls; for what devices run now see reach.
      """,
    arguments: [.init("RELEASE", completion: "releases", help: "The release")],
    options: Option.filters + [.by(DeviceGrouping.self), .at, .baseline, .points(300)] + Option.rules
      + Option.precision
      + [.require("adoption@24h.lo>=0.40")],
    examples: [
      .init("Beside the release before, drawn", "uptake adoption 2.0.0 --format plot"),
      .init("After one day, per platform", "uptake adoption 2.0.0 --at 24h --by platform"),
      .init("In a pipeline", "uptake adoption 2.0.0 --require 'adoption@24h.lo>=0.40'"),
    ],
    exits: [.gateNotMet, .notEnoughData, .databaseUnusable], seeAlso: ["reach", "time-to-update", "compare"]
  ) { asked, snapshot in
    let gates = try asked.gates(on: Counted<Adoption>.self)
    let chosen = try asked.chosen(snapshot.vocabulary)
    let answer = try Adoption.answer(snapshot, chosen, .init(asked, gates))
    let groups = GroupColumns(chosen.selection.by)
    let verdicts = answer.verdicts(gates) { groups.words($0.group.byName) }
    return Shown(
      answer.presentation(
        heading: heading(answer, chosen), table: table(answer, groups), plots: plots(answer, groups),
        notes: verdicts.map(\.sentence) + notes(answer, groups), level: chosen.selection.level,
        next: ShellCommand("uptake", "time-to-update").argument(asked.arguments[0]).option("by", "mechanism")),
      verdicts, isKnown: answer.data.contains { $0.counts.devices > 0 })
  }
}

extension Adoption.Options {
  fileprivate init(_ asked: Parameters, _ gates: [Gate]) {
    self.init()
    ages = asked.ages(.at, with: gates)
    baseline = asked.baseline
    points = asked.integer(.points(300)) ?? points
  }
}

private typealias Answered = Answer<Counted<Adoption>>

/// `4.4.0 on production, published 2025-06-20 09:00 UTC`.
private func heading(_ answer: Answered, _ chosen: Chosen) -> [String] {
  let publications = Set(answer.data.flatMap(\.publications)).sorted {
    ($0.channel, $0.platform ?? "", $0.publishedAt) < ($1.channel, $1.platform ?? "", $1.publishedAt)
  }
  let places = publications.prefix(4).map { publication in
    let place = [publication.channel, publication.platform].compactMap(\.self).joined(separator: "/")
    return "\(place) \(Instant(rawValue: publication.publishedAt.rawValue).words)"
  }
  guard !places.isEmpty else { return [] }
  return ["\(chosen.selection.release.rawValue), published: \(places.joined(separator: ", "))"]
}

private func table(_ answer: Answered, _ groups: GroupColumns) -> Table {
  let baselines = Set(answer.data.map { $0.baseline?.release })
  let before = baselines.count == 1 ? baselines.first.flatMap { $0 } : nil
  let columns: [Table.Column] = [
    .init("AGE", key: "age"), .init("ADOPTED", key: "adoption", hasInterval: true),
    .init(before ?? "BEFORE", key: "baseline", hasInterval: true, isOptional: before == nil && baselines == [nil]),
    .init("DIFFERENCE", key: "difference", hasInterval: true),
    .init("UPDATED", key: "events", isOptional: true), .init("WAITING", key: "atRisk", isOptional: true),
    .init("SEEN SO FAR", key: "observed", isOptional: true),
  ]
  return Table(
    groups.columns + columns,
    rows: answer.data.flatMap { row in row.ages.map { groups.cells(row.group.byName) + cells($0) } }
      + answer.withheldRows(groups, cells: columns.count))
}

private func cells(_ age: Adoption.Age) -> [Cell] {
  let none = Cell.missing(because: "there is no release to compare with")
  return [
    .age(seconds: age.seconds), age.cell, age.baseline?.shareCell ?? none,
    age.difference?.pointsCell ?? none, .count(age.events), .count(age.atRisk),
    .text("\(grouped(age.observed.updated)) of \(grouped(age.observed.devices))"),
  ]
}

extension Adoption.Age {
  /// Whether it can be held against another release at that age.
  public var isCompared: Bool { difference?.value != nil }

  /// Where nothing has happened yet, what it is at most; never a bare 0 %.
  fileprivate var cell: Cell {
    guard share.value == 0, share.hi == nil, let atMost else { return share.shareCell }
    return .share(0, Cell.Interval(nil, atMost))
  }
}

private func notes(_ answer: Answered, _ groups: GroupColumns) -> [String] {
  var notes = answer.data.map(\.counts).notes
  let shaky = answer.data.flatMap(\.ages).filter { $0.isUnstable && $0.share.value != nil }.map(\.seconds).min()
  if let shaky { notes.append("from \(age(seconds: shaky)) on fewer than 30 devices carry an estimate") }
  for row in answer.data {
    guard let baseline = row.baseline else { continue }
    let group = groups.words(row.group.byName)
    notes.append(
      "\(group.isEmpty ? "" : group + ": ")before: \(baseline.release) with \(counted(baseline.devices, "device")), "
        + "\(grouped(baseline.events)) updated, at equal age")
  }
  return notes
}

/// This release solid with its band, the one before dotted, at equal age.
private func plots(_ answer: Answered, _ groups: GroupColumns) -> [Plot] {
  let ages = answer.data.flatMap(\.ages).map(\.seconds).max() ?? 0
  let known = answer.data.compactMap { $0.curve.points.last?.seconds }.max() ?? 0
  let end = max(min(ages, known), min(known, 86_400))
  return answer.data.map { row in
    let baseline = row.baseline.map { Plot.Series("\($0.release) at the same age", .dotted, $0.curve) }
    var plot = Plot([Plot.Series(row.release, .solid, row.curve)] + [baseline].compactMap(\.self), horizon: Double(end))
    plot.title = groups.words(row.group.byName)
    return plot
  }.alike
}
