import CSimdjson
import Lifecycle

/// The strings of a batch, each once.
struct NameInterner: ~Copyable {
  private(set) var names: [String] = [""]
  private var texts: [Text] = []
  private var index = HashIndex()
  private var arena = Arena()
  private let seed: UInt64

  init(seed: UInt64) { self.seed = seed }

  @inline(__always)
  mutating func intern(_ text: Text) -> NameIndex {
    if text.isEmpty { return .none }
    let hash = csj_hash(text.start, text.count, seed)
    if let place = index.find(hash, where: { texts[$0].equals(text) }) { return NameIndex(rawValue: UInt32(place + 1)) }
    index.append(hash)
    texts.append(arena.copy(text))
    names.append(text.string)
    return NameIndex(rawValue: UInt32(names.count - 1))
  }
}
