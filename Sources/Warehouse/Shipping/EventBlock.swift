import Store

extension NativeBlock {
  /// Columns of the inlet.
  private static let ofEvents = 22
  private static let widthOfEvents = 138

  /// Rows of the inlet; without those of which the file does not say what their numbers stand for.
  init(_ all: [ShippedEvent], _ words: ShippedWords, node: UInt64) {
    let events =
      all.allSatisfy { words.contexts[$0.context] != nil } ? all : all.filter { words.contexts[$0.context] != nil }
    self.init(columns: Self.ofEvents, rows: events.count, width: Self.widthOfEvents)
    let contexts = events.compactMap { words.contexts[$0.context] }
    add("node") { _ in node }
    add("seq") { events[$0].sequence }
    add("id") { events[$0].identity }
    add("app") { contexts[$0].app }
    add("device") { events[$0].device }
    add("at") { events[$0].at }
    add("received") { events[$0].received ?? .min }
    add("channel") { contexts[$0].channel }
    add("network") { contexts[$0].network }
    add("networkText") { contexts[$0].networkText }
    add("profile") { contexts[$0].profile }
    add("platform") { contexts[$0].platform }
    add("release") { words.releaseHashes[events[$0].release] ?? 0 }
    add("fromRelease") { words.releaseHashes[events[$0].from] ?? 0 }
    addOutcomes(events, words)
  }

  private mutating func addOutcomes(_ events: [ShippedEvent], _ words: ShippedWords) {
    add("stage") { events[$0].stage }
    add("trigger") { events[$0].trigger }
    add("outcome") { events[$0].outcome }
    add("reason") { words.names[events[$0].reason] ?? 0 }
    add("duration") { events[$0].duration.map { max(-1, $0) } ?? -1 }
    add("bytes") { events[$0].bytes ?? -1 }
    add("bucket") { Int8(truncatingIfNeeded: events[$0].bucket ?? -1) }
    add("push") { events[$0].push }
  }
}

extension ShippedWords {
  func know(_ event: ShippedEvent) -> Bool {
    contexts[event.context] != nil && (event.release == 0 || releaseHashes[event.release] != nil)
      && (event.from == 0 || releaseHashes[event.from] != nil) && (event.reason == 0 || names[event.reason] != nil)
  }
}
