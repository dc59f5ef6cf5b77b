import Statistics

/// A stretch (after, upTo] that can hold probability: one of Turnbull's intervals. Where within it, no data can tell.
struct InnermostInterval: Hashable, Sendable {
  let after: Tick
  let upTo: Tick
}

extension InnermostInterval {
  /// In order of time.
  ///
  /// Going right, a hazard explains one time more where a lower bound is passed, and one less where an upper bound is; it
  /// costs one device more where an entry is passed. So it is best placed between a lower bound and the next upper bound or
  /// entry (H. Frydman, JRSS B 56, 1994, 71-74, which corrects B. W. Turnbull, JRSS B 38, 1976, 290-295).
  static func all(of times: [BoundedTime]) -> [Self] {
    var marks: [Mark] = []
    marks.reserveCapacity(times.count * 3)
    for time in times {
      marks.append(Mark(tick: time.after, opens: true))
      if let upTo = time.upTo { marks.append(Mark(tick: upTo, opens: false)) }
      if time.entry < time.after { marks.append(Mark(tick: time.entry, opens: false)) }
    }
    marks.sort()
    return zip(marks, marks.dropFirst()).compactMap { left, right in
      left.opens && !right.opens ? Self(after: left.tick, upTo: right.tick) : nil
    }
  }

  /// Of marks at one tick those that close come first: stretches hold their end, not their beginning.
  private struct Mark: Comparable {
    let tick: Tick
    let opens: Bool

    static func < (left: Self, right: Self) -> Bool {
      left.tick != right.tick ? left.tick < right.tick : !left.opens && right.opens
    }
  }
}
