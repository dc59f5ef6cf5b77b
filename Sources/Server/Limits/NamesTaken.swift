internal import Ingest
internal import Lifecycle
internal import Locks
internal import Store

/// Which names of a batch were taken, for the context that was last asked about.
struct NamesTaken {
  private var releases: [UInt32]
  private var reasons: [UInt32]

  /// By name; one more than the context.
  init(names: Int) {
    releases = Array(repeating: 0, count: names)
    reasons = releases
  }

  func holds(_ name: NameIndex, _ kind: WordKind, _ context: UInt32) -> Bool {
    let index = Int(name.rawValue)
    guard index < releases.count else { return false }
    return (kind == .release ? releases[index] : reasons[index]) == context + 1
  }

  mutating func note(_ name: NameIndex, _ kind: WordKind, _ context: UInt32) {
    let index = Int(name.rawValue)
    guard index < releases.count else { return }
    if kind == .release { releases[index] = context + 1 } else { reasons[index] = context + 1 }
  }
}
