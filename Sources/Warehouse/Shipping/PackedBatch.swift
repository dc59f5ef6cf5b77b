import Dispatch
import HTTP
import Locks
import Store

/// The rows of a batch as they go over the wire.
struct PackedBatch: Sendable {
  var batch: ShippingLog.Batch
  var events: Int
  var rows: Int
  /// A block of `Native` as a gzip file.
  var body: [UInt8]
  /// Of the file before its events were read: where rows were taken back since, they must be read again.
  var generation: Int64

  init(_ batch: ShippingLog.Batch, _ events: [ShippedEvent], _ words: ShippedWords, generation: Int64) {
    let block = NativeBlock(events, words, node: batch.node)
    (self.batch, self.events, self.rows, self.generation) = (batch, events.count, block.rows, generation)
    body = gzip(block.bytes, .fast)
  }
}

/// Packs the batch after the one that is being sent, on another thread: the server need not wait for this program, nor this
/// program for the server. Nothing is promised of what it packs: a batch that is frozen with other events is packed anew.
final class PackingAhead: Sendable {
  private let log: ShippingLog
  private let packed = Lock<PackedBatch?>(nil)
  private let work = DispatchGroup()
  private let queue = DispatchQueue(label: "uptake.packing")

  init(_ log: ShippingLog) { self.log = log }

  func begin(after batch: ShippingLog.Batch, limit: Int, _ words: ShippedWords) {
    work.wait()
    queue.async(group: work) { [self] in
      let next = try? read(after: batch, limit: limit, words)
      packed.withLock { $0 = next }
    }
  }

  private func read(
    after batch: ShippingLog.Batch, limit: Int, _ words: ShippedWords
  ) throws(StoreError) -> PackedBatch? {
    let generation = try log.generation()
    guard let next = try log.following(batch, limit: limit) else { return nil }
    let events = try log.events(next)
    return events.allSatisfy(words.know) ? PackedBatch(next, events, words, generation: generation) : nil
  }

  /// nil where that batch is not what was packed.
  func take(_ batch: ShippingLog.Batch) throws(StoreError) -> PackedBatch? {
    work.wait()
    let found = packed.withLock { packed in
      defer { packed = nil }
      return packed
    }
    guard let found, found.batch == batch, try log.generation() == found.generation else { return nil }
    return found
  }
}
