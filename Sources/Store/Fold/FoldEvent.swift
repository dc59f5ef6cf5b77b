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
  var bucket: Int64
  var outcome: Outcome?
  /// In milliseconds; negative where the client gave none.
  var duration: Int64
  /// 0 is none.
  var push: UInt64
  var sequence: Int64

  /// The packed first time, for milestones.
  var first: Int64 { FirstTime(at, trigger).rawValue }
  var packedBucket: Int64 { bucket < 0 ? .max : at.rawValue << 7 | bucket }
}

/// Devices are spread over shards by the top bits of their hash, so that a shard is a range in device order.
public enum Shards {
  static let bits: UInt64 = 6
  public static let count = 1 << Int(bits)
  static func shard(_ device: UInt64) -> Int { Int(device >> (64 - bits)) }
}

/// Events after a watermark, read in one go.
struct FoldEvents {
  var events: [FoldEvent] = []
  /// The number of the last row read, or the watermark where there was none.
  var last: Int64

  init(_ connection: borrowing Connection, after watermark: Int64, limit: Int64) throws(StoreError) {
    last = watermark
    let select = try connection.prepare(
      """
      SELECT seq, device, at, received, context, coalesce(release, 0), coalesce(reason, 0), stage, trigger,
        coalesce(bucket, -1), coalesce(outcome, 0), coalesce(duration, -1), coalesce(push, 0) FROM event WHERE seq > ?1 ORDER BY seq LIMIT ?2
      """)
    select.bind(1, watermark)
    select.bind(2, limit)
    let (stages, triggers) = (Self.stages, Self.triggers)
    while try select.step() {
      last = select.integer(0)
      guard let stage = stages[Int(select.integer(7) & 31)], let trigger = triggers[Int(select.integer(8) & 7)] else {
        continue
      }
      let received = select.isNull(3) ? nil : Timestamp(rawValue: select.integer(3))
      events.append(
        FoldEvent(
          device: UInt64(bitPattern: select.integer(1)), at: Timestamp(rawValue: select.integer(2)), received: received,
          context: select.integer(4), release: select.integer(5), reason: select.integer(6), stage: stage,
          trigger: trigger,
          bucket: select.integer(9), outcome: Outcome(code: UInt8(truncatingIfNeeded: select.integer(10))),
          duration: select.integer(11), push: UInt64(bitPattern: select.integer(12)), sequence: last))
    }
  }

  private static let stages = (0..<32).map { Stage(code: UInt8($0)) }
  private static let triggers = (0..<8).map { Trigger(code: UInt8($0)) }
}
