internal import Console
internal import Lifecycle
internal import Query
internal import Statistics
internal import Store

private extension Option {
  static let at = ages("24h,72h", "The ages to compare at")
  static let margin = Option(
    "margin", .share, fallback: "1pp", group: "STATISTICS", help: "A difference of adoption that matters")
  static let timeMargin = Option(
    "time-margin", .duration, fallback: "1h", group: "STATISTICS",
    help: "A difference of the mean time without the update that matters")
  static let maxDrop = Option(
    "max-drop", .share, group: "GATES",
    help: "End with 3 where the release is behind by more than this at an age of --at, with 4 where it may be")
}

extension Question {
  static let compare = Question(
    "compare", schema: .compare, purpose: "Hold a release against another at equal age",
    discussion: """
      Both are looked at up to the age that both have lived. What matters is told by a margin, not by significance; the \
      range of past releases stands beside it, because a difference inside it is nothing unusual.
      """,
    arguments: [
      .init("RELEASE", completion: "releases", help: "The release"),
      .init("BASELINE", completion: "releases", help: "The one that it is held against"),
    ],
    options: Option.filters + [.by(DeviceGrouping.self), .at, .margin, .timeMargin] + Option.rules
      + Option.precision + [.maxDrop],
    examples: [
      .init("Is it as fast as the last one", "uptake compare 2.0.0 1.9.0"),
      .init("In a pipeline", "uptake compare 2.0.0 1.9.0 --at 24h --max-drop 2pp"),
    ],
    exits: [.gateNotMet, .notEnoughData, .databaseUnusable], seeAlso: ["adoption", "failures"]
  ) { asked, snapshot in
    let chosen = try asked.chosen(snapshot.vocabulary)
    let other = try chosen.other(ReleaseLabel(rawValue: asked.arguments[1]))
    let answer = try Compare.answer(snapshot, chosen, with: other, .init(asked))
    let groups = GroupColumns(chosen.selection.by)
    let verdicts = asked.number(.maxDrop).map { answer.verdicts(maxDrop: $0, groups) } ?? []
    return Shown(
      answer.presentation(
        heading: answer.data.flatMap { row in row.ages.map { row.sentence($0, groups.words(row.group.byName)) } },
        table: table(answer, groups), notes: verdicts.map(\.sentence) + notes(answer, groups),
        level: chosen.selection.level,
        next: ShellCommand("uptake", "adoption").argument(asked.arguments[0])
          .option("baseline", asked.arguments[1]).option("format", "plot")),
      verdicts, isKnown: answer.data.contains { !$0.ages.isEmpty && $0.verdict != .cannotSay })
  }
}

extension Compare.Options {
  fileprivate init(_ asked: Parameters) {
    self.init()
    ages = asked.ages(.at)
    shareMargin = asked.number(.margin) ?? shareMargin
    timeMargin = asked.milliseconds(.timeMargin) ?? timeMargin
  }
}

extension Compare {
  /// `4.4.0 is behind 4.3.1 at 24h: -7.3 pp (-10.7 to -3.8), 1,622 and 1,587 devices`.
  fileprivate func sentence(_ age: Age, _ group: String) -> String {
    let place = (group.isEmpty ? "" : group + ": ") + first.release
    let devices = "\(grouped(first.counts.devices)) and \(counted(second.counts.devices, "device"))"
    let when = "at \(Console.age(seconds: age.seconds))"
    guard let value = age.difference.value else {
      return "\(place) cannot be compared with \(second.release) \(when): \(age.difference.reason?.words ?? "no data")"
    }
    let relation =
      switch age.relevance {
      case .relevant: value > 0 ? "is ahead of" : "is behind"
      case .equivalent: "is level with"
      case .undecided: "cannot be told from"
      }
    return "\(place) \(relation) \(second.release) \(when): \(age.difference.pointsWords), \(devices)"
  }
}

extension Estimate {
  /// `+6.8 pp (+5.4 to +8.3)`.
  fileprivate var pointsWords: String {
    guard let value else { return "not known" }
    guard let lo, let hi else { return points(value) + " (no limits)" }
    let ends = [lo, hi].map { String(points($0).dropLast(3)) }
    return "\(points(value)) (\(ends[0]) to \(ends[1]))"
  }
}

extension Answer<Compare> {
  fileprivate func verdicts(maxDrop: Double, _ groups: GroupColumns) -> [GateVerdict] {
    let most = "drop ≤ \(decimal(maxDrop * 100, maxDrop * 100 == (maxDrop * 100).rounded() ? 0 : 1)) pp"
    let judged = data.flatMap { row in
      row.ages.map { age in
        GateVerdict(
          MaxDrop(maxDrop).judge(age.difference), ": \(most); " + row.sentence(age, groups.words(row.group.byName)))
      }
    }
    guard judged.isEmpty else { return judged }
    return [
      GateVerdict(
        .cannotBeJudged(nil), ": \(most); the two releases have not both lived to an age of --at")
    ]
  }
}

private func table(_ answer: Answer<Compare>, _ groups: GroupColumns) -> Table {
  let names = answer.data.first.map { ($0.first.release, $0.second.release) } ?? ("RELEASE", "BASELINE")
  let columns: [Table.Column] = [
    .init("AGE", key: "age"), .init(names.0, key: "adoption", hasInterval: true),
    .init(names.1, key: "baseline", hasInterval: true), .init("DIFFERENCE", key: "difference", hasInterval: true),
    .init("USUAL RANGE", key: "usual", isOptional: true, least: 20),
    .init("VERDICT", key: "relevance", isOptional: true),
  ]
  return Table(
    groups.columns + columns,
    rows: answer.data.flatMap { row in
      row.ages.map { age in
        groups.cells(row.group.byName) + [
          .age(seconds: age.seconds), age.share.shareCell, age.baseline.shareCell, age.difference.pointsCell,
          row.usualCell(age.seconds), .text(age.relevance.rawValue),
        ]
      }
    } + answer.withheldRows(groups, cells: columns.count))
}

extension Compare {
  fileprivate func usualCell(_ seconds: Int64) -> Cell {
    guard let range = usual.first(where: { $0.seconds == seconds }), let low = range.lowest, let high = range.highest
    else { return .missing(because: "no other past release lived so long") }
    return .text("\(share(low)) to \(share(high)) (\(range.releases.count))")
  }
}

private func notes(_ answer: Answer<Compare>, _ groups: GroupColumns) -> [String] {
  answer.data.flatMap { row -> [String] in
    let group = groups.words(row.group.byName)
    let name = group.isEmpty ? "" : group + ": "
    var notes = [row.first, row.second].map { side in
      "\(name)\(side.release)\(side.publishedWords); \([side.counts].notes[0])"
    }
    notes += row.restrictedMeans.filter { $0.difference.value != nil }.map { mean in
      "\(name)mean wait within \(age(seconds: mean.horizonSeconds)): \(mean.seconds.durationWords) and"
        + " \(mean.baseline.durationWords)"
    }
    if row.failureDifference.value != nil {
      notes.append(
        "\(name)first attempts failed: \(row.first.failures.rate.words) and \(row.second.failures.rate.words),"
          + " difference \(row.failureDifference.pointsWords)")
    }
    if let day = row.first.weekday, let other = row.second.weekday, day != other {
      notes.append("\(name)published on a \(day) and on a \(other): part of the difference may be the day")
    }
    return notes
  }
}

extension Compare.Side {
  fileprivate var publishedWords: String {
    publishedAt.map { ", published \(Instant(rawValue: $0.rawValue).words)" } ?? ""
  }
}

extension Estimate {
  fileprivate var durationWords: String {
    guard let value else { return "—" }
    guard let lo, let hi else { return duration(seconds: value) }
    return "\(duration(seconds: value)) (\(duration(seconds: lo)) to \(duration(seconds: hi)))"
  }
}
