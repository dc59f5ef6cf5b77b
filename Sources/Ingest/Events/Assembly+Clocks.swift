import Lifecycle

extension Assembly {
  /// The batch, once all of the body is read: takes the skew off every time, puts the time of receipt where none was
  /// given, and sets times of the far future back to it. A `sentAt` that nobody can mean says nothing, and neither does
  /// a skew that leads to such a time.
  consuming func finish(sentAt: Timestamp?, clockAhead: inout Int) -> EventBatch {
    var batch = EventBatch(received: reception.received)
    batch.contexts = contexts.contexts
    batch.names = names.names
    let sent = [sentAt, reception.sentAt].lazy.compactMap { $0 }.first(where: \.isPermitted)
    let shared = reception.received.flatMap { received in sent.map { received - $0 } } ?? Milliseconds(rawValue: 0)
    var own = ownSkews[...]
    for index in events.indices {
      let received = (receivedEach.isEmpty ? reception.received : receivedEach[index]) ?? reception.now
      var skew = shared
      if let next = own.first, next.event == index {
        skew = next.skew
        own.removeFirst()
      }
      guard events[index].at != Self.undated else {
        events[index].at = received
        continue
      }
      let corrected = events[index].at + skew
      if corrected.isPermitted { events[index].at = corrected }
      if events[index].at > received + .days(1) {
        events[index].at = received
        clockAhead += 1
      }
    }
    batch.events = events
    batch.receivedEach = receivedEach
    return batch
  }
}
