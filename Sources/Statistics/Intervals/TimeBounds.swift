/// A time of which only bounds are known: after one contact without the update, and not after the next one with it.
public struct TimeBounds: Hashable, Sendable {
  /// Under watch from here on: had it happened before, nobody would know of it.
  public var entry: Tick
  /// It had not happened yet.
  public var after: Tick
  /// It had happened; nil where it has not.
  public var through: Tick?

  /// Bounds that leave no tick between them become one tick long; nobody is watched before the entry.
  public init(entry: Tick = 0, after: Tick, through: Tick?) {
    self.entry = max(entry, 0)
    self.after = max(after, self.entry)
    self.through = through.map { [least = self.after + 1] in max($0, least) }
  }

  /// A time that is known to the tick.
  public static func exactly(_ tick: Tick, entry: Tick = 0) -> TimeBounds {
    TimeBounds(entry: entry, after: tick - 1, through: tick)
  }
}
