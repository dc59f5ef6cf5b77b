internal import Console
internal import Query
internal import Store

/// A question about one release, which is its first argument.
protocol ReleaseQuestion: Presentable {
  static func options(_ asked: Parameters, _ gates: [Gate]) throws -> Options
  static func answer(_ snapshot: borrowing Snapshot, _ chosen: ReleaseScope, _ options: Options) throws -> Answer<Row>
  /// What some mechanisms have in a row of an answer that is split by mechanism; nil where they have nothing.
  static func part(_ row: Row, of mechanisms: [String]) -> Row?
}

extension ReleaseQuestion {
  static func ask(
    _ asked: Parameters, _ snapshot: borrowing Snapshot, hash: QuestionCommand.DeviceHashing
  ) throws -> Reply<Self> {
    let gates = try gates(asked)
    let chosen = try asked.chosen(snapshot.vocabulary)
    let options = try options(asked, gates)
    return Reply(asked, narrowed(try answer(snapshot, chosen, options), to: asked.mechanisms), options, gates)
  }

  static func part(_ row: Row, of mechanisms: [String]) -> Row? {
    names(row)[Grouping.mechanism.rawValue].map(mechanisms.contains) == false ? nil : row
  }

  private static func narrowed(_ answer: Answer<Row>, to mechanisms: [String]) -> Answer<Row> {
    guard !mechanisms.isEmpty else { return answer }
    var narrowed = answer
    narrowed.data = answer.data.compactMap { part($0, of: mechanisms) }
    narrowed.query.fields["mechanism"] = .chosen(mechanisms)
    let missing = mechanisms.filter { one in answer.data.allSatisfy { part($0, of: [one]) == nil } }
    if !missing.isEmpty { narrowed.warnings.append(nothing(by: missing)) }
    return narrowed
  }

  /// No row is not to be read as no answer.
  private static func nothing(by mechanisms: [String]) -> Warning {
    Warning(
      "nothing_by_mechanism",
      "nothing is known of \(mechanisms.joined(separator: ", ")) here: no device that counts was brought the release so, or too few"
        + " to be shown; --by mechanism shows what the others brought")
  }

  static func next(_ reply: Reply<Self>) -> ShellCommand? {
    usage.next.map { ShellCommand("uptake", $0).argument(reply.release) }
  }
}
