internal import Console
internal import Query
internal import Store

/// A question about what happened, to all devices or to those of a release.
protocol PeriodQuestion: Presentable {
  static func options(_ asked: Parameters) throws -> Options
  static func answer(_ snapshot: borrowing Snapshot, _ extent: FleetScope, _ options: Options) throws -> Answer<Row>
  /// Of each row, where there is one for each release.
  static func recency(_ rows: [Row], _ vocabulary: Vocabulary, _ extent: FleetScope) -> [Recency]
}

extension PeriodQuestion {
  static func recency(_ rows: [Row], _ vocabulary: Vocabulary, _ extent: FleetScope) -> [Recency] { [] }

  static func ask(
    _ asked: Parameters, _ snapshot: borrowing Snapshot, hash: QuestionCommand.DeviceHashing
  ) throws -> Reply<Self> {
    let gates = try gates(asked)
    let extent = try asked.extent(asked.arguments.first, snapshot.vocabulary)
    let options = try options(asked)
    let answer = try answer(snapshot, extent, options)
    return Reply(asked, answer, options, gates, recency: recency(answer.data, snapshot.vocabulary, extent))
  }
}
