import Synchronization

/// The events that one step of a fold takes in, as they were read.
struct FoldStep {
  let generation: Int64
  /// The watermark before and after.
  let from, to: Int64
  let origins: Origins
  /// One after another.
  var tails: [Tail]

  /// The events of one shard, as one tail after another has them.
  struct ShardLists {
    fileprivate var lists: [[FoldEvent]]

    /// All of them as one; leaves nothing behind.
    mutating func take() -> [FoldEvent] {
      defer { lists = [] }
      if lists.count == 1 { return lists.removeLast() }
      var all: [FoldEvent] = []
      all.reserveCapacity(lists.reduce(0) { $0 + $1.count })
      for list in lists { all += list }
      return all
    }
  }

  /// By shard; leaves nothing behind.
  mutating func takeLists() -> [ShardLists] {
    defer { tails = [] }
    return (0..<Shards.count).map { shard in ShardLists(lists: tails.map { $0.shards[shard] }) }
  }
}

extension FoldStep {
  /// Reads the events of some numbers in pieces, on all cores; `work` runs on one of them first, whatever becomes of the rest.
  static func read(
    _ path: String, after from: Int64, upTo last: Int64, beside work: () -> Void = {}
  ) throws(StoreError) -> FoldStep {
    let origins: (generation: Int64, all: Origins)
    do { origins = try Folder(path: path).origins() } catch {
      work()
      throw error
    }
    // More than there are cores, as one of them begins later.
    let size = max(1, (last - from) / Int64(4 * coreCount) + 1)
    let starts = Array(stride(from: from, to: last, by: Int64.Stride(size)))
    var outcomes = starts.map { _ in Result<FoldStep?, StoreError>.success(nil) }
    let next = Atomic(0)
    outcomes.withUnsafeMutableBufferPointer { outcomes in
      sideBySide(coreCount) { core in
        if core == 0 { work() }
        while case let index = next.wrappingAdd(1, ordering: .relaxed).oldValue, index < starts.count {
          let (start, limit) = (starts[index], Int(min(size, last - starts[index])))
          outcomes[index] = Result { () throws(StoreError) in
            try Folder(path: path).read(after: start, limit: limit, origins: origins.all)
          }
        }
      }
    }
    var pieces: [FoldStep] = []
    for outcome in outcomes { if let piece = try outcome.get() { pieces.append(piece) } }
    // The lowest that was read: where devices were forgotten between two readings, storing finds a newer one and drops the step.
    let generation = pieces.reduce(origins.generation) { min($0, $1.generation) }
    return FoldStep(
      generation: generation, from: from, to: last, origins: origins.all, tails: pieces.flatMap(\.tails))
  }
}
