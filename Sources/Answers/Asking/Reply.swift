internal import Console
internal import Lifecycle
internal import Query

/// What was asked, and what came of it: everything that is shown is made from these.
struct Reply<Question: Presentable>: Sendable {
  let asked: Parameters
  let answer: Answer<Question.Row>
  let options: Question.Options
  let gates: [Gate]
  let groups: GroupColumns
  /// Of each row, where the question is about many releases; else nothing.
  let recency: [Recency]
  /// Rows before `--newest` left some out.
  let all: Int

  /// - Parameter recency: of all rows, of which those stay that `--newest` leaves.
  init(
    _ asked: Parameters, _ answer: Answer<Question.Row>, _ options: Question.Options, _ gates: [Gate] = [],
    recency: [Recency] = []
  ) {
    var (answer, kept) = (answer, recency)
    all = answer.data.count
    if !recency.isEmpty, let most = asked.newest {
      let places = recency.newest(most)
      (answer.data, kept) = (places.map { answer.data[$0] }, places.map { recency[$0] })
    }
    (self.asked, self.answer, self.options, self.gates, self.recency) = (asked, answer, options, gates, kept)
    groups = GroupColumns(answer.query.by)
  }

  var rows: [Question.Row] { answer.data }

  /// The release that was asked about.
  var release: String { asked.arguments[0] }

  /// `production, ios`; nothing where the answer is not split.
  func words(_ row: Question.Row) -> String { groups.words(Question.names(row)) }

  /// Likewise of a group that is too small to be shown.
  func words(_ withheld: Withheld) -> String { groups.words(withheld.group.parts) }

  /// The same before a sentence: `production, ios: `.
  func prefix(_ row: Question.Row) -> String {
    let words = words(row)
    return words.isEmpty ? "" : words + ": "
  }
}

extension Reply {
  /// A table, plots where there are some, the JSON, and below the table warnings, what stands behind the numbers, and how
  /// far the data go.
  var shown: Shown {
    let verdicts = Question.verdicts(self)
    let presentation = Presentation(
      heading: Question.heading(self), table: table, plots: Question.plots(self), encoded: answer,
      notes: answer.warnings.map { "warning: \($0.carrying(asked.typedDatabase).message)" } + verdicts.map(\.sentence)
        + Question.notes(self) + leftOut + [ground], next: Question.next(self)?.narrowed(as: asked))
    return Shown(presentation: shortened(presentation), exit: verdicts.exit(otherwise: Question.exit(self)))
  }

  private var leftOut: [String] { all > rows.count ? [[Recency].leftOut(all - rows.count, of: all)] : [] }

  private func shortened(_ presentation: Presentation) -> Presentation {
    guard !recency.isEmpty, asked.integer(.newest) == nil else { return presentation }
    return presentation.shortened { recency.brief(withheld: answer.withheld.count) }
  }

  /// Up to when anything is known, and how sure the intervals are.
  private var ground: String {
    let level = Question.saysLevel ? answer.query.level.map { "\(percent($0))% intervals" } : nil
    return [counted, level].compactMap(\.self).joined(separator: "; ")
  }

  /// Where events come hours late, what came since the cutoff is left out: nobody is to read that as silence.
  private var counted: String {
    guard let newest = answer.dataThrough else { return "no data" }
    func words(_ instant: Timestamp) -> String { Instant(rawValue: instant.rawValue).words }
    guard let lag = answer.query.lag, case let cutOff = answer.generatedAt - lag, newest <= cutOff,
      cutOff - newest < .hours(1)
    else { return "newest contact \(words(newest))" }
    let late = duration(seconds: Double(lag.rawValue) / 1000)
    return "counted up to \(words(cutOff)), as 99% of events arrive within \(late)"
  }
}

extension QueryEcho {
  /// What the answer is split by.
  var by: [String] {
    guard case .texts(let names) = fields["by"] else { return [] }
    return names
  }

  /// Whether clocks start at publication: then curves allow for devices that come later, and are no counts of these.
  var startsAtPublication: Bool {
    guard case .text(let clock) = fields["clock"] else { return false }
    return clock == Clock.releaseAge.rawValue
  }

  /// An hour or more.
  fileprivate var lag: Milliseconds? {
    guard case .integer(let seconds) = fields["reportingLagSeconds"], seconds >= 3600 else { return nil }
    return .seconds(seconds)
  }

  fileprivate var level: Double? {
    guard case .number(let level) = fields["level"] else { return nil }
    return level
  }
}
