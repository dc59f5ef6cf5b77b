extension LifeTable {
  /// How many had entered by a tick, and how many of them had had an event.
  public struct Standing: Hashable, Sendable {
    public var tick: Tick
    public var entered: Int64
    public var events: Int64
  }

  /// The first ticks, at `start` or later, at which ascending shares of all intervals that had entered by then had ended in an event;
  /// nil where that was never so. Counted, not estimated.
  public func firstCounted(_ shares: [Double], from start: Tick, of causes: CauseSet) -> [Standing?] {
    var (found, reader) = ([Standing](), RowReader())
    var now = Standing(tick: start, entered: 0, events: 0)
    func look() {
      let share = now.entered > 0 ? Double(now.events) / Double(now.entered) : 0
      while found.count < shares.count, share >= shares[found.count] { found.append(now) }
    }
    while reader.next < runs.count {
      // The rows up to the start count as one.
      if Run.tick(runs[reader.next]) > start { look() }
      reader.read(runs.span) { kind, count in
        if kind == Run.entry { now.entered += count } else if Run.isEvent(kind, causes) { now.events += count }
      }
      now.tick = max(start, reader.tick)
    }
    look()
    return shares.indices.map { $0 < found.count ? found[$0] : nil }
  }
}
