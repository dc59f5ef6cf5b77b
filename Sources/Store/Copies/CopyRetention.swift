import Lifecycle

/// What a copy says of its own end: `uptake-copy-latest 1`, then the last part's sequence and the time up to which it was read.
struct CopyLatest: Equatable {
  var sequence: Int
  var at: Timestamp

  init(sequence: Int, at: Timestamp) { (self.sequence, self.at) = (sequence, at) }

  var bytes: [UInt8] { Array("uptake-copy-latest 1\n\(sequence) \(at.rawValue)\n".utf8) }

  /// nil for other bytes.
  init?(_ bytes: [UInt8]) {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard lines.count == 2, lines[0] == "uptake-copy-latest 1" else { return nil }
    let words = lines[1].split(separator: " ")
    guard words.count == 2, let sequence = Int(words[0]), let at = Int64(words[1]), sequence >= 0 else { return nil }
    (self.sequence, self.at) = (sequence, Timestamp(stored: at))
  }
}

/// Which generations of a copy are kept.
enum CopyRetention {
  /// Removes generations that were replaced by a whole one longer ago than `keeps`.
  static func tidy(_ target: any CopyTarget, keeps: Milliseconds, now: Timestamp) throws(StoreError) {
    guard target.isReadable else { return }
    let names = try target.names()
    // From its end: killed in between, what is left is a shorter copy and never another.
    for name in removable(names, keeps: keeps, now: now) { try target.remove(name) }
  }

  static func removable(_ names: [String], keeps: Milliseconds, now: Timestamp) -> [String] {
    let whole = names.compactMap { name in
      name.hasSuffix("/latest") ? String(name.dropLast("/latest".count)) : nil
    }.filter(CopyName.isGeneration).sorted()
    guard let next = whole.filter({ now - CopyName.began($0) > keeps }).last else { return [] }
    let gone = names.filter { name in
      let generation = String(name.prefix { $0 != "/" })
      return CopyName.isGeneration(generation) && generation < next
    }
    return gone.sorted(by: >)
  }
}
