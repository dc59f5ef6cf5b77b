internal import Console
internal import Query
internal import Store

/// A question about what happened, to all devices or to those of a release.
protocol PeriodQuestion: Presentable {
  static func options(_ asked: Parameters) throws -> Options
  static func answer(_ snapshot: borrowing Snapshot, _ extent: FleetScope, _ options: Options) throws -> Answer<Row>
}

extension PeriodQuestion {
  static func ask(
    _ asked: Parameters, _ snapshot: borrowing Snapshot, hash: QuestionCommand.DeviceHashing
  ) throws -> Reply<Self> {
    let gates = try gates(asked)
    let extent = try asked.extent(asked.arguments.first, snapshot.vocabulary)
    let options = try options(asked)
    return Reply(asked, try answer(snapshot, extent, options), options, gates)
  }
}
