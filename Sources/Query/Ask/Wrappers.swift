public import Lifecycle
public import Store

extension Adoption {
  public static func answer(_ snapshot: borrowing Snapshot, _ chosen: Chosen, _ options: Options = Options()) throws
    -> Answer<Counted<Adoption>>
  {
    try snapshot.ask(Question(snapshot.vocabulary, chosen, options))
  }
}
extension TimeToUpdate {
  public static func answer(_ snapshot: borrowing Snapshot, _ chosen: Chosen, _ options: Options = Options()) throws
    -> Answer<TimeToUpdate>
  {
    try snapshot.ask(Question(snapshot.vocabulary, chosen, options))
  }
}
extension Compare {
  public static func answer(
    _ snapshot: borrowing Snapshot, _ chosen: Chosen, with other: ReleaseRecord, _ options: Options = Options()
  ) throws -> Answer<Compare> {
    try snapshot.ask(Question(snapshot.vocabulary, chosen, with: other, options))
  }
}
extension Failures {
  public static func answer(_ snapshot: borrowing Snapshot, _ chosen: Chosen, _ options: Options = Options()) throws
    -> Answer<Failures>
  {
    try snapshot.ask(Question(snapshot.vocabulary, chosen, options))
  }
}
extension Forecast {
  public static func answer(_ snapshot: borrowing Snapshot, _ chosen: Chosen, _ options: Options = Options()) throws
    -> Answer<Forecast>
  {
    try snapshot.ask(Question(snapshot.vocabulary, chosen, options))
  }
}
extension Funnel {
  public static func answer(_ snapshot: borrowing Snapshot, _ chosen: Chosen, _ options: Options = Options()) throws
    -> Answer<Funnel>
  {
    try snapshot.ask(Question(snapshot.vocabulary, chosen, options))
  }
}
extension Mechanisms {
  public static func answer(_ snapshot: borrowing Snapshot, _ chosen: Chosen, _ options: Options = Options()) throws
    -> Answer<Counted<Mechanisms>>
  {
    try snapshot.ask(Question(snapshot.vocabulary, chosen, options))
  }
}
extension Reach {
  public static func answer(_ snapshot: borrowing Snapshot, _ chosen: Chosen, _ options: Options = Options()) throws
    -> Answer<Reach>
  {
    try snapshot.ask(Question(snapshot.vocabulary, chosen, options))
  }
}
extension Push {
  public static func answer(_ snapshot: borrowing Snapshot, _ extent: Extent, _ options: Options = Options()) throws
    -> Answer<Push>
  {
    try snapshot.ask(Question(snapshot.vocabulary, extent, options))
  }
}
extension WakeUps {
  public static func answer(_ snapshot: borrowing Snapshot, _ extent: Extent, _ options: Options = Options()) throws
    -> Answer<WakeUps>
  {
    try snapshot.ask(Question(snapshot.vocabulary, extent, options))
  }
}
extension Channels {
  public static func answer(_ snapshot: borrowing Snapshot, _ extent: Extent, _ options: Options = Options()) throws
    -> Answer<Channels>
  {
    try snapshot.ask(Question(snapshot.vocabulary, extent, options))
  }
}
extension Releases {
  public static func answer(
    _ snapshot: borrowing Snapshot, app: String?, now: Timestamp, _ options: Options = Options()
  ) throws -> Answer<Releases> {
    try snapshot.ask(Question(snapshot.vocabulary, app: app, now: now, options))
  }
}
