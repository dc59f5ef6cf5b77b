internal import Console
internal import Query
internal import Store

/// A question about one release, which is its first argument.
protocol ReleaseQuestion: Presentable {
  static func options(_ asked: Parameters, _ gates: [Gate]) throws -> Options
  static func answer(_ snapshot: borrowing Snapshot, _ chosen: ReleaseScope, _ options: Options) throws -> Answer<Row>
}

extension ReleaseQuestion {
  static func ask(
    _ asked: Parameters, _ snapshot: borrowing Snapshot, hash: QuestionCommand.DeviceHashing
  ) throws -> Reply<Self> {
    let gates = try gates(asked)
    let chosen = try asked.chosen(snapshot.vocabulary)
    let options = try options(asked, gates)
    return Reply(asked, try answer(snapshot, chosen, options), options, gates)
  }

  static func next(_ reply: Reply<Self>) -> ShellCommand? {
    usage.next.map { ShellCommand("uptake", $0).argument(reply.release) }
  }
}
