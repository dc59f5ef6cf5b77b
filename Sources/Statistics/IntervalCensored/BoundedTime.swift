/// A time of which only bounds are known: after one tick, and at another or before it.
///
/// Polled at 8 h without the update and at 16 h with it: `after` 8 h, `upTo` 16 h. An exact tick t is (t - 1, t]. Of who
/// left without the update it is known only that it comes after the last tick: `upTo` is nil.
public struct BoundedTime: Hashable, Sendable {
  /// Watched after this tick only: nobody whose time lay before could have been seen.
  public var entry: Tick
  public var after: Tick
  public var upTo: Tick?
  /// How many had just these bounds.
  public var count: Int64

  /// nil where the bounds leave no tick: `upTo` must lie beyond `after`. What lies before the entry is cut off.
  public init?(entry: Tick = 0, after: Tick, upTo: Tick?, count: Int64 = 1) {
    let after = max(entry, after)
    if count < 1 || upTo.map({ $0 <= after }) ?? false { return nil }
    (self.entry, self.after, self.upTo, self.count) = (entry, after, upTo, count)
  }
}
