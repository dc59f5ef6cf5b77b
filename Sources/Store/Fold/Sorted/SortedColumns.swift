import Lifecycle

/// Events of one shard as bytes: a packed column each for what a fold keeps of them, with its length before it.
struct SortedColumns {
  private static let count = 10
  /// Of one event: stages take five bits, triggers three.
  private static func words(_ event: FoldEvent) -> Int64 {
    Int64(event.stage.code) | Int64(event.trigger.code) << 5 | Int64(event.outcome?.code ?? 0) << 8
  }

  static func pack(_ events: [FoldEvent]) -> [UInt8] {
    let absent = PackedColumn.absent
    let columns = [
      PackedColumn.pack(events) { JourneyShard.ordered($0.device) },
      PackedColumn.pack(events) { $0.at.rawValue },
      PackedColumn.pack(events) { $0.push == 0 ? absent : JourneyShard.ordered($0.push) },
      PackedColumn.pack(events) { Int64($0.block) }, PackedColumn.pack(events) { Int64($0.context) },
      PackedColumn.pack(events) { Int64($0.release) },
      PackedColumn.pack(events) { $0.milliseconds < 0 ? absent : Int64($0.milliseconds) },
      PackedColumn.pack(events, words),
      PackedColumn.pack(events) { $0.namedBucket < 0 ? absent : Int64($0.namedBucket) },
      PackedColumn.pack(events) { $0.reason == 0 ? absent : Int64($0.reason) },
    ]
    var bytes: [UInt8] = []
    for column in columns {
      withUnsafeBytes(of: UInt32(column.count).littleEndian) { bytes += $0 }
      bytes += column
    }
    return bytes
  }

  private var columns = [[Int64]](repeating: [], count: count)
  private let stages = (0..<32).map { Stage(code: UInt8($0)) }
  private let triggers = (0..<8).map { Trigger(code: UInt8($0)) }
  private let outcomes = (0..<8).map { Outcome(code: UInt8($0)) }

  init() {}

  /// Adds the events to others; false where the bytes are damaged.
  ///
  /// - Parameter some: only of these devices, in order.
  mutating func unpack(
    _ bytes: UnsafeRawBufferPointer, of some: [UInt64]? = nil, into events: inout [FoldEvent]
  ) -> Bool {
    guard let packed = Self.packed(bytes) else { return false }
    if let some { return add(packed, of: some, to: &events) }
    for index in columns.indices { PackedColumn.unpack(packed[index], into: &columns[index]) }
    events.reserveCapacity(events.count + columns[0].count)
    for index in columns[0].indices {
      guard let event = event({ columns[$0][index] }) else { return false }
      events.append(event)
    }
    return true
  }

  /// The columns where they lie, of one length; nil where the bytes are damaged.
  private static func packed(_ bytes: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer]? {
    var (rest, found, events) = (bytes, [UnsafeRawBufferPointer](), 0)
    for index in 0..<count {
      guard rest.count >= 4, case let length = Int(PackedColumn.read(rest, at: 0, width: 4)), length <= rest.count - 4
      else { return nil }
      let column = UnsafeRawBufferPointer(rebasing: rest[4..<(4 + length)])
      guard let count = PackedColumn.count(column), index == 0 || count == events else { return nil }
      events = count
      found.append(column)
      rest = UnsafeRawBufferPointer(rebasing: rest[(4 + length)...])
    }
    return rest.isEmpty ? found : nil
  }

  /// Of other events hardly any is looked at: whoever asks for few devices finds theirs by halving.
  private func add(_ packed: [UnsafeRawBufferPointer], of some: [UInt64], to events: inout [FoldEvent]) -> Bool {
    // Every event has a device.
    guard packed[0].first == 0 else { return false }
    let devices = PackedColumn.Dense(packed[0], at: 1)
    var (walks, place) = (packed.map(PackedWalk.init), 0)
    for device in some {
      let wanted = JourneyShard.ordered(device)
      place = nearestPlace(from: place, of: devices.count) { devices[$0] >= wanted }
      while place < devices.count, devices[place] == wanted {
        guard let event = event({ walks[$0].number(at: place) }) else { return false }
        events.append(event)
        place += 1
      }
    }
    return true
  }

  /// - Parameter column: its number in each.
  @inline(__always)
  private func event(_ column: (Int) -> Int64) -> FoldEvent? {
    let words = column(7)
    guard 0..<2048 ~= words, let stage = stages[Int(words & 31)], let trigger = triggers[Int(words >> 5 & 7)],
      let block = Int32(exactly: column(3)), let context = Int32(exactly: column(4)),
      let release = Int32(exactly: column(5))
    else { return nil }
    let (push, time, bucket, reason) = (column(2), column(6), column(8), column(9))
    return FoldEvent(
      device: JourneyShard.hash(column(0)), at: Timestamp(stored: column(1)),
      push: push == PackedColumn.absent ? 0 : JourneyShard.hash(push), block: block, context: context,
      release: release, reason: reason == PackedColumn.absent ? 0 : Int32(truncatingIfNeeded: reason),
      milliseconds: time == PackedColumn.absent ? -1 : Int32(truncatingIfNeeded: time), stage: stage, trigger: trigger,
      outcome: outcomes[Int(words >> 8 & 7)],
      namedBucket: bucket == PackedColumn.absent ? -1 : Int8(truncatingIfNeeded: bucket))
  }
}
