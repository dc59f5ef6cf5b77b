import Lifecycle

/// The generation that is being written: what the copy holds, and what the next part follows.
struct CopyChain {
  var generation: String
  /// Of the next part.
  var sequence = 0
  var previous = [UInt8](repeating: 0, count: 32)
  /// Of each page as the copy has it, from the first.
  var known: [PageHash] = []
  /// Parts were sent since the last whole state.
  var isWithinState = false
  /// Whether a state of it is whole.
  var isRestorable = false

  init(generation: String) { self.generation = generation }

  mutating func add(_ part: CopyPart, digest: [UInt8]) {
    for page in part.pages { set(Int(page.number), page.hash) }
    if part.name.completes, known.count > part.pageCount { known.removeLast(known.count - part.pageCount) }
    (sequence, previous) = (sequence + 1, digest)
    isWithinState = !part.name.completes
    if part.name.completes { isRestorable = true }
  }

  func has(_ page: Int, _ hash: PageHash) -> Bool { page <= known.count && known[page - 1] == hash }

  /// The first part that was sent and is not among the names of a target; nil where all are there.
  func missing(in names: [String]) -> Int? {
    let parts = names.compactMap(CopyName.init).filter { $0.generation == generation }
    let there = Set(parts.map(\.sequence))
    return (0..<sequence).first { !there.contains($0) }
  }

  private mutating func set(_ page: Int, _ hash: PageHash) {
    if page > known.count { known += repeatElement(PageHash(), count: page - known.count) }
    known[page - 1] = hash
  }

  /// What was written of a generation before; nil where it is not to be gone on with.
  init?(_ generation: String, in target: any CopyTarget) throws(StoreError) {
    guard target.isReadable else { return nil }
    let names = try target.names().compactMap(CopyName.init).filter { $0.generation == generation }
      .sorted { $0.sequence < $1.sequence }
    guard !names.isEmpty, names.count <= target.mostToReread, names.indices.allSatisfy({ names[$0].sequence == $0 })
    else { return nil }
    self.init(generation: generation)
    let listLength = CopyPart.headLength + CopyPart.mostPages * 20
    for name in names.dropLast() {
      guard let head = try target.get(name.text, first: listLength), let part = try? CopyPart(head: head, name: name)
      else { return nil }
      add(part, digest: [])
    }
    guard let name = names.last, let object = try target.get(name.text, first: nil),
      let part = try? CopyPart(object, name: name)
    else { return nil }
    add(part, digest: Array(object.suffix(32)))
  }
}
