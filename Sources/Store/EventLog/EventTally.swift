public import Lifecycle

/// How many events were stored, and how many were already there, by stage and trigger, since the log was opened.
public struct EventTally: Sendable {
  private var counts = [Int](repeating: 0, count: 2 * 32 * 8)

  public init() {}

  mutating func count(_ event: Event, isDuplicate: Bool) {
    counts[(isDuplicate ? 256 : 0) + Int(event.stage.code) * 8 + Int(event.trigger.code)] += 1
  }

  mutating func add(_ other: EventTally) { for index in counts.indices { counts[index] += other.counts[index] } }
  mutating func clear() { for index in counts.indices { counts[index] = 0 } }

  /// All events that were stored.
  public var stored: Int { counts[..<256].reduce(0, +) }

  public func count(_ stage: Stage, _ trigger: Trigger, isDuplicate: Bool) -> Int {
    counts[(isDuplicate ? 256 : 0) + Int(stage.code) * 8 + Int(trigger.code)]
  }
}
