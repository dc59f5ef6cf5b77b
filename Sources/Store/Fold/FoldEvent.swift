import Lifecycle

/// What the fold reads of one row of the event table.
struct FoldEvent {
  var device: UInt64
  var at: Timestamp
  var received: Timestamp?
  var context: Int64
  var release: Int64
  var reason: Int64
  var stage: Stage
  var trigger: Trigger
  /// Negative where the client named none.
  var namedBucket: Int8
  var outcome: Outcome?
  /// In milliseconds; negative where the client gave none.
  var duration: Int64
  /// 0 is none.
  var push: UInt64
  var sequence: Int64
  /// Whether this program knows the stage and the trigger.
  var isKnown: Bool

  /// The packed first time, for milestones.
  var first: Int64 { FirstTime(at, trigger).rawValue }
}

/// The rollout bucket that an event names with the time, in one number whose minimum is the first; `.max` where none.
func packedBucket(_ bucket: Int8, at: Int64) -> Int64 { bucket < 0 ? .max : at << 7 | Int64(bucket) }

/// Devices are spread over shards by the top bits of their hash, so that a shard is a range in device order.
public enum Shards {
  static let bits: UInt64 = 6
  public static let count = 1 << Int(bits)
  static func shard(_ device: UInt64) -> Int { Int(device >> (64 - bits)) }
}

/// The rows of the event table after a watermark.
struct FoldRows: ~Copyable {
  private let select: Statement
  private let stages = (0..<32).map { Stage(code: UInt8($0)) }
  private let triggers = (0..<8).map { Trigger(code: UInt8($0)) }
  private let outcomes = (0..<8).map { Outcome(code: UInt8($0)) }

  init(_ connection: borrowing Connection, after watermark: Int64, limit: Int64) throws(StoreError) {
    let select = try connection.prepare(
      """
      SELECT seq, device, at, received, context, release, reason, stage, trigger, coalesce(bucket, -1), outcome,
        coalesce(duration, -1), push FROM event WHERE seq > ?1 ORDER BY seq LIMIT ?2
      """)
    select.bind(1, watermark)
    select.bind(2, limit)
    self.select = select
  }

  /// nil after the last one.
  func next() throws(StoreError) -> FoldEvent? {
    guard try select.step() else { return nil }
    let stage = stages[Int(select.integer(7) & 31)]
    let trigger = triggers[Int(select.integer(8) & 7)]
    return FoldEvent(
      device: UInt64(bitPattern: select.integer(1)), at: Timestamp(rawValue: select.integer(2)),
      received: select.isNull(3) ? nil : Timestamp(rawValue: select.integer(3)), context: select.integer(4),
      release: select.integer(5), reason: select.integer(6), stage: stage ?? .check, trigger: trigger ?? .unknown,
      namedBucket: Int8(truncatingIfNeeded: select.integer(9)), outcome: outcomes[Int(select.integer(10) & 7)],
      duration: select.integer(11), push: UInt64(bitPattern: select.integer(12)), sequence: select.integer(0),
      isKnown: stage != nil && trigger != nil)
  }
}
