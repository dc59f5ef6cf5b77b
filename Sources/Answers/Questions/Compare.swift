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

extension Compare: Presentable, Grouped {
  static let usage = Usage(
    "compare", purpose: "Compare two releases at the same age",
    discussion: """
      Both are looked at up to the age that both have lived. What matters is told by a margin, not by significance; the \
      range of past releases stands beside it, because a difference inside it is nothing unusual. In all, the mean time without the \
      update decides, up to 72 hours or as far as both lived.
      """,
    arguments: [
      .release, .init("BASELINE", completion: "releases", help: "The one that it is held against"),
    ],
    options: Option.slicing(DeviceGrouping.self) + [.at, .margin, .timeMargin] + Option.rules
      + Option.precision + [.maxDrop],
    examples: [
      .init("Is it as fast as the last one", "uptake compare 2.0.0 1.9.0"),
      .init("In a pipeline", "uptake compare 2.0.0 1.9.0 --at 24h --max-drop 2pp"),
    ], seeAlso: ["adoption", "failures"])

  static func ask(
    _ asked: Parameters, _ snapshot: borrowing Snapshot, hash: QuestionCommand.DeviceHashing
  ) throws -> Reply<Compare> {
    let chosen = try asked.chosen(snapshot.vocabulary)
    let other = try chosen.other(ReleaseLabel(rawValue: asked.arguments[1]))
    let options = Options(asked)
    return Reply(asked, try answer(snapshot, chosen, with: other, options), options)
  }

  static func isKnown(_ row: Compare) -> Bool { !row.ages.isEmpty && row.verdict != .cannotSay }

  static func verdicts(_ reply: Reply<Compare>) -> [GateVerdict] {
    guard let drop = reply.asked.number(.maxDrop) else { return [] }
    let most = "drop ≤ \(percent(drop)) pp"
    let judged =
      reply.sentences.map { difference, sentence in
        GateVerdict(MaxDrop(drop).judge(difference), ": \(most); " + sentence)
      } + reply.unreached.map { GateVerdict(.cannotBeJudged(nil), ": \(most); " + $0) }
      + reply.answer.withheld.map { withheld in
        let group = reply.words(withheld)
        return GateVerdict(withheld: ": \(most)" + (group.isEmpty ? "" : " for \(group)"))
      }
    return judged.isEmpty
      ? [GateVerdict(.cannotBeJudged(nil), ": \(most); the two releases have not both lived to an age of --at")]
      : judged.map { reply.answer.minding(silence: $0, isHeldDown: true) }
  }

  static func heading(_ reply: Reply<Compare>) -> [String] {
    reply.sentences.map(\.sentence)
      + reply.rows.compactMap { row in row.verdictSentence(reply.options).map { reply.prefix(row) + $0 } }
  }

  static func notes(_ reply: Reply<Compare>) -> [String] {
    reply.rows.flatMap { row in row.notes.map { reply.prefix(row) + $0 } }
  }

  /// Of a young release nothing is seen at a day; at an age that it has, there is.
  static func next(_ reply: Reply<Compare>) -> ShellCommand? {
    let lived = reply.rows.map(\.ageSeconds).min() ?? 0
    if reply.rows.allSatisfy(\.ages.isEmpty), let usual = usualAge(within: lived) {
      return ShellCommand("uptake", "compare").argument(reply.release).argument(reply.asked.arguments[1])
        .option("at", age(seconds: usual))
    }
    return ShellCommand("uptake", "adoption").argument(reply.release).option("baseline", reply.asked.arguments[1])
      .option("format", "plot")
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

extension Reply<Compare> {
  /// A sentence for each row and age that somebody named, and both did not live to; of ages that nobody named none is missed.
  fileprivate var unreached: [String] {
    guard asked.names(.at) else { return [] }
    return rows.flatMap { row in
      options.ages.map { $0.rawValue / 1000 }.filter { seconds in !row.ages.contains { $0.seconds == seconds } }.map {
        prefix(row) + "the two releases have not both lived to an age of \(age(seconds: $0))"
      }
    }
  }

  /// A sentence for each row and age, with the difference that it speaks of.
  fileprivate var sentences: [(difference: Estimate, sentence: String)] {
    rows.flatMap { row in row.ages.map { ($0.difference, prefix(row) + row.sentence($0)) } }
  }
}
