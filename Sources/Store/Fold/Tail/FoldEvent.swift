import Lifecycle

/// What the fold keeps of one row of the event table; millions of them are in memory at once, so it is small.
struct FoldEvent {
  var device: UInt64
  var at: Timestamp
  /// 0 is none.
  var push: UInt64
  /// The block of the event table that the row lies in.
  var block: Int32
  /// Numbers of `context`, `release` and `name`; 0 is none.
  var context, release, reason: Int32
  /// A duration, as far as it fits; negative where the client gave none.
  var milliseconds: Int32
  var stage: Stage
  var trigger: Trigger
  var outcome: Outcome?
  /// Negative where the client named none.
  var namedBucket: Int8

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

/// Reads rows of the event table.
struct FoldRows {
  private let stages = (0..<32).map { Stage(code: UInt8($0)) }
  private let triggers = (0..<8).map { Trigger(code: UInt8($0)) }
  private let outcomes = (0..<8).map { Outcome(code: UInt8($0)) }

  /// Calls `body` with each of some event numbers in order, and with when it was received; with nil where this program
  /// does not know the stage or the trigger.
  func each(
    _ connection: borrowing Connection, after watermark: Int64, upTo last: Int64,
    _ body: (FoldEvent?, _ received: Timestamp?) -> Void
  ) throws(StoreError) {
    let select = try connection.prepare(
      """
      SELECT take_row(?1, seq, device, at, received, context, release, reason, stage, trigger, bucket, outcome, duration,
        push) FROM event WHERE seq > ?2 AND seq <= ?3
      """)
    select.bind(2, watermark)
    select.bind(3, last)
    try RowTaker.run(select) { row in
      body(event(row), row.isNull(3) ? nil : Timestamp(stored: row.integer(3)))
    }
  }

  /// nil for a code that this program does not know, however large.
  private static func known<T>(_ words: [T?], _ code: Int64) -> T? {
    0..<Int64(words.count) ~= code ? words[Int(code)] : nil
  }

  private func event(_ row: RowValues) -> FoldEvent? {
    guard let stage = Self.known(stages, row.integer(7)), let trigger = Self.known(triggers, row.integer(8)) else {
      return nil
    }
    return FoldEvent(
      device: UInt64(bitPattern: row.integer(1)), at: Timestamp(stored: row.integer(2)),
      push: UInt64(bitPattern: row.integer(12)), block: TrailPlace.block(row.integer(0)),
      context: Int32(truncatingIfNeeded: row.integer(4)), release: Int32(truncatingIfNeeded: row.integer(5)),
      reason: Int32(truncatingIfNeeded: row.integer(6)),
      milliseconds: row.isNull(11) ? -1 : Int32(clamping: max(-1, row.integer(11))), stage: stage, trigger: trigger,
      outcome: Self.known(outcomes, row.integer(10)),
      namedBucket: row.isNull(9) ? -1 : Int8(truncatingIfNeeded: row.integer(9)))
  }
}
