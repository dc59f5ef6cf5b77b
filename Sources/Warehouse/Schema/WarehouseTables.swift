import Lifecycle
import Store

/// The tables of a warehouse. What arrives in `inlet` goes by views into tables of facts whose rows may be there twice:
/// only minimums, maximums and sets are made of them.
///
/// Times are milliseconds since 1970; texts are hashes of `word`; 0 is none.
struct WarehouseTable {
  var name: String
  /// Names and types.
  var columns: String
  /// Without `Replicated`; nil where nothing is kept.
  var engine: String?
  var order = ""
  var partition = ""
  /// What spreads the rows over the shards of a cluster.
  var sharding = "bitShiftRight(device, 58)"
  /// Fill it from the inlet, each by itself: views of subqueries are not followed.
  var views: [String] = []

  static let version = "2"
}

extension WarehouseTable {
  static let all: [WarehouseTable] = [
    meta, inlet, event, contact, profileSeen, deviceBucket, journey, journeyBucket, failure, wake, mention, word,
    profile, release, state, batch, change, summary,
  ]

  private static let meta = WarehouseTable(
    name: "meta", columns: "key String, value String", engine: "ReplacingMergeTree", order: "key",
    sharding: "sipHash64(key)")

  /// Keeps nothing: a batch that is repeated repairs every table behind it.
  private static let inlet = WarehouseTable(
    name: "inlet",
    columns: """
      node UInt64, seq Int64, id UInt64, app UInt64, device UInt64, at Int64, received Int64, channel UInt64,
      network UInt8, networkText UInt64, profile UInt64, platform UInt64, release UInt64, fromRelease UInt64, stage UInt8,
      trigger UInt8, outcome UInt8, reason UInt64, duration Int64, bytes Int64, bucket Int8, push UInt64
      """)

  private static let event = WarehouseTable(
    name: "event", columns: inlet.columns, engine: "ReplacingMergeTree",
    order: """
      app, device, at, id, stage, trigger, channel, release, fromRelease, outcome, reason, profile, networkText, push,
      duration, bytes, bucket
      """, partition: "toYYYYMM(toDateTime(intDiv(at, 1000), 'UTC'))",
    views: [
      """
      SELECT node, seq, id, app, device, at, received, channel, network, networkText, profile, platform, release,
      fromRelease, stage, trigger, outcome, reason, duration, bytes, bucket, push FROM @inlet
      """
    ])

  /// First and last contact of a kind on a day: between the two there is no silence that would end a run.
  private static let contact = WarehouseTable(
    name: "contact",
    columns: """
      app UInt64, device UInt64, channel UInt64, claim UInt8, claimed UInt64, day Int32,
      first AggregateFunction(min, Int64), last AggregateFunction(max, Int64)
      """, engine: "AggregatingMergeTree", order: "app, device, channel, claim, claimed, day",
    views: [
      """
      SELECT app, device, channel, \(claim) AS claim, if(\(claim) = 0, toUInt64(0), release) AS claimed,
      toInt32(intDiv(at, 86400000)) AS day, minState(at) AS first, maxState(at) AS last FROM @inlet
      WHERE \(isContact) GROUP BY app, device, channel, claim, claimed, day
      """
    ])

  private static let profileSeen = WarehouseTable(
    name: "profile_seen",
    columns: "app UInt64, device UInt64, profile UInt64, first AggregateFunction(min, Int64)",
    engine: "AggregatingMergeTree", order: "app, device, profile",
    views: [
      """
      SELECT app, device, profile, minState(at) AS first FROM @inlet WHERE \(isContact) GROUP BY app, device, profile
      """
    ])

  private static let deviceBucket = WarehouseTable(
    name: "device_bucket", columns: "app UInt64, device UInt64, first AggregateFunction(min, Int64)",
    engine: "AggregatingMergeTree", order: "app, device",
    views: [
      """
      SELECT app, device, minState(\(packedBucket)) AS first FROM @inlet WHERE \(isContact) AND bucket >= 0
      GROUP BY app, device
      """
    ])

  private static let journey = WarehouseTable(
    name: "journey",
    columns: """
      app UInt64, release UInt64, channel UInt64, device UInt64, milestone UInt8,
      first AggregateFunction(min, Int64)
      """, engine: "AggregatingMergeTree", order: "app, release, channel, device, milestone",
    views: [
      """
      SELECT app, release, channel, device, \(milestone) AS milestone, minState(\(packedFirst)) AS first FROM @inlet
      WHERE \(hasMilestone) GROUP BY app, release, channel, device, milestone
      """
    ])

  private static let journeyBucket = WarehouseTable(
    name: "journey_bucket",
    columns: "app UInt64, release UInt64, channel UInt64, device UInt64, first AggregateFunction(min, Int64)",
    engine: "AggregatingMergeTree", order: "app, release, channel, device",
    views: [
      """
      SELECT app, release, channel, device, minState(\(packedBucket)) AS first FROM @inlet
      WHERE \(hasMilestone) AND bucket >= 0 GROUP BY app, release, channel, device
      """
    ])

  private static let failure = WarehouseTable(
    name: "failure", columns: "app UInt64, release UInt64, channel UInt64, device UInt64, first Int64, reason UInt64",
    engine: "ReplacingMergeTree", order: "app, release, channel, device, first, reason",
    views: [
      """
      SELECT app, release, channel, device, \(packedFirst) AS first, reason FROM @inlet
      WHERE stage = \(Stage.failed.code) AND release != 0 AND reason != 0
      """
    ])

  private static let wake = WarehouseTable(
    name: "wake",
    columns: """
      app UInt64, week Int32, device UInt64, at Int64, stage UInt8, trigger UInt8, outcome UInt8, network UInt8,
      push UInt64, milliseconds Int32, pushedRelease UInt64, channel UInt64, pushedPlatform UInt64
      """, engine: "ReplacingMergeTree",
    order: """
      app, week, device, at, stage, trigger, outcome, network, push, milliseconds, pushedRelease, channel,
      pushedPlatform
      """,
    views: [
      """
      SELECT app, \(week) AS week, device, at, stage, trigger, outcome, network, push,
      toInt32(least(duration, 2147483647)) AS milliseconds,
      if(stage = \(Stage.pushSent.code), release, toUInt64(0)) AS pushedRelease, channel,
      if(stage = \(Stage.pushSent.code), platform, toUInt64(0)) AS pushedPlatform FROM @inlet WHERE \(isWake)
      """
    ])

  /// What there is of an app: releases with journeys in a channel (1), weeks with wake-ups (2), platforms in a channel (3).
  private static let mention = WarehouseTable(
    name: "mention", columns: "app UInt64, kind UInt8, one UInt64, other UInt64", engine: "ReplacingMergeTree",
    order: "app, kind, one, other", sharding: "app",
    views: [
      "SELECT app, toUInt8(1) AS kind, release AS one, channel AS other FROM @inlet WHERE \(hasMilestone)",
      "SELECT app, toUInt8(2) AS kind, toUInt64(\(week)) AS one, toUInt64(0) AS other FROM @inlet WHERE \(isWake)",
      "SELECT app, toUInt8(3) AS kind, channel AS one, platform AS other FROM @inlet",
    ].map { $0 + " GROUP BY app, kind, one, other" })

  private static let word = WarehouseTable(
    name: "word", columns: "hash UInt64, text String", engine: "ReplacingMergeTree", order: "hash", sharding: "hash")

  /// `said`: which of the texts there are, bit by bit in their order.
  private static let profile = WarehouseTable(
    name: "profile",
    columns: """
      hash UInt64, platform String, osVersion String, appVersion String, sdkVersion String, arm String,
      traits String, said UInt8, emulator Int8
      """, engine: "ReplacingMergeTree", order: "hash", sharding: "hash")

  private static let release = WarehouseTable(
    name: "release", columns: "hash UInt64, app String, label String", engine: "ReplacingMergeTree", order: "hash",
    sharding: "hash")

  /// Documents of a node, each replaced as a whole; rows in RowBinary.
  private static let state = WarehouseTable(
    name: "state", columns: "node UInt64, kind String, version Int64, body String",
    engine: "ReplacingMergeTree(version)", order: "node, kind", sharding: "node")

  private static let batch = WarehouseTable(
    name: "batch", columns: "node UInt64, counter Int64, first Int64, last Int64, rows Int64, sentAt Int64",
    engine: "ReplacingMergeTree", order: "node, counter", sharding: "node")

  /// What each node is about to change, or has changed; see `ChangeNotes`.
  private static let change = WarehouseTable(
    name: "change", columns: "node UInt64, version Int64, token UInt64, isOver UInt8, at Int64",
    engine: "ReplacingMergeTree(version)", order: "node", sharding: "node")

  /// Tallies of default questions; see `KeptSummaries`.
  private static let summary = WarehouseTable(
    name: "summary",
    columns: "app UInt64, release UInt64, kind UInt8, state Int64, version Int64, token UInt64, body String",
    engine: "ReplacingMergeTree(version)", order: "app, release, kind", sharding: "release")
}

/// Expressions over a row of the inlet, made from the vocabulary.
extension WarehouseTable {
  private static func codes(_ stages: [Stage]) -> String { stages.map { "\($0.code)" }.joined(separator: ", ") }

  private static let isContact = "stage IN (\(codes(Stage.allCases.filter(\.isContact))))"

  /// As `Claim`.
  private static let claim: String = {
    func stages(_ claim: Claim) -> String { codes(Stage.allCases.filter { Claim($0, namesRelease: true) == claim }) }
    return """
      multiIf(release = 0, toUInt8(0), stage IN (\(stages(.running))), toUInt8(1), stage IN (\(stages(.applied))),
      toUInt8(2), stage IN (\(stages(.rolledBack))), toUInt8(3), toUInt8(0))
      """
  }()

  private static let withMilestone = Stage.allCases.filter { Milestone($0) != nil }
  private static let hasMilestone = "(release != 0 AND stage IN (\(codes(withMilestone))))"
  private static let milestone = """
    toUInt8(transform(stage, [\(codes(withMilestone))],
    [\(withMilestone.compactMap { Milestone($0) }.map { "\($0.rawValue)" }.joined(separator: ", "))], 0))
    """
  private static let isWake =
    "stage IN (\(codes([.pushSent, .pushReceived, .wakeStarted, .wakeFinished, .check])))"
  private static let week = "toInt32(least(greatest(intDiv(at, 604800000), 2087), 6783))"
  private static let packedFirst = "toInt64(at * 8 + trigger)"
  private static let packedBucket = "toInt64(at * 128 + bucket)"
}
