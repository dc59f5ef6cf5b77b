import Synchronization

/// The events that one step of a fold takes in, as they were read.
struct FoldStep {
  let generation: Int64
  /// The watermark before and after.
  let from, to: Int64
  let origins: Origins
  /// One after another.
  var tails: [Tail]

  /// Of one shard, one after another.
  typealias Lists = [[FoldEvent]]

  /// By shard; leaves nothing behind, so that each is free once it is merged.
  mutating func takeLists() -> [Lists] {
    defer { tails = [] }
    return (0..<Shards.count).map { shard in tails.map { $0.shards[shard] } }
  }
}

extension FoldStep.Lists {
  /// All of them as one; leaves nothing behind.
  mutating func take() -> [FoldEvent] {
    defer { self = [] }
    if count == 1 { return removeLast() }
    var all: [FoldEvent] = []
    all.reserveCapacity(reduce(0) { $0 + $1.count })
    for list in self { all += list }
    return all
  }
}

extension FoldStep {
  /// More than there are cores, as one of them begins later.
  private static let pieces: Int64 = 8

  /// Reads the events of some numbers on all cores, of which one does something else first.
  static func read(
    _ path: String, after from: Int64, upTo last: Int64, beside work: () -> Void = {}
  ) throws(StoreError) -> FoldStep {
    let size = max(1, (last - from + pieces - 1) / pieces)
    let starts = Array(stride(from: from, to: last, by: Int64.Stride(size)))
    let origins = try Folder(path: path).origins()
    var outcomes = starts.map { _ in Result<FoldStep?, StoreError>.success(nil) }
    let next = Atomic(0)
    outcomes.withUnsafeMutableBufferPointer { outcomes in
      sideBySide(coreCount) { core in
        if core == 0 { work() }
        while case let place = next.wrappingAdd(1, ordering: .relaxed).oldValue, place < starts.count {
          let (start, limit) = (starts[place], Int(min(size, last - starts[place])))
          outcomes[place] = Result { () throws(StoreError) in
            try Folder(path: path).read(after: start, limit: limit, origins: origins.all)
          }
        }
      }
    }
    var pieces: [FoldStep] = []
    for outcome in outcomes { if let piece = try outcome.get() { pieces.append(piece) } }
    // Where devices were forgotten between two readings, storing finds that the lowest is not what is there.
    let generation = pieces.reduce(origins.generation) { min($0, $1.generation) }
    return FoldStep(generation: generation, from: from, to: last, origins: origins.all, tails: pieces.flatMap(\.tails))
  }
}
