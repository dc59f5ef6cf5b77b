import Lifecycle
import Statistics

/// What a device did in a table: the marks of its intervals.
struct DeviceMarks {
  private(set) var ended: [SharedEnds.Mark] = []
  /// The end that only a cutoff brings, where that is left open.
  private(set) var open: OpenMark?

  mutating func removeAll() {
    ended.removeAll(keepingCapacity: true)
    open = nil
  }

  mutating func add(from: Int64, to: Int64, origin: Int64, _ ending: Ending) {
    let interval = Interval(
      from: Timestamp(rawValue: from), to: Timestamp(rawValue: to), origin: Timestamp(rawValue: origin), ending: ending)
    ended.add(entry: interval.entry, exit: interval.exit, ending, events: .updates)
  }

  mutating func add(entry: Tick, _ waiting: Interval.Waiting) {
    open = OpenMark(waiting)
    SharedEnds.entry(at: entry).map { ended.append($0) }
  }
}

/// A mark of which the cutoff may be left open.
struct OpenMark: Hashable {
  /// When its clock began; `never` where nothing is open.
  var origin: Int64
  /// As it is once the device is silent.
  var mark: SharedEnds.Mark

  static let never = Int64.max

  init(_ mark: SharedEnds.Mark) { (origin, self.mark) = (Self.never, mark) }

  init(_ waiting: Interval.Waiting) {
    origin = waiting.origin
    mark = SharedEnds.end(at: waiting.ended(at: .max).exit)
  }

  /// Ends come at a cutoff or before it, as the device falls silent: of two the earlier has the smaller mark.
  func mark(at cutOff: Int64) -> SharedEnds.Mark {
    if origin == Self.never { return mark }
    return min(mark, end(at: cutOff))
  }

  private func end(at cutOff: Int64) -> SharedEnds.Mark {
    SharedEnds.end(at: Interval.Waiting(origin: origin, silentAt: .max).ended(at: cutOff).exit)
  }

  /// The same for cutoffs of a time: who fell silent before it waits for none, and of who does after it, it does not matter when.
  func settled(from first: Int64, until last: Int64) -> OpenMark {
    if origin == Self.never { return self }
    var settled = self
    settled.mark = mark(at: last)
    return settled.mark <= end(at: first) ? OpenMark(settled.mark) : settled
  }
}

/// What is counted of two releases on one segment where a cutoff is left open.
struct OpenShared: Hashable {
  /// Of the pairs that are asked for.
  var pair: Int
  /// As in `SharedCounts.Key`.
  var cells: SIMD2<Int>
  var first: OpenMark
  var second: OpenMark

  func settled(from begin: Int64, until last: Int64) -> OpenShared {
    OpenShared(
      pair: pair, cells: cells, first: first.settled(from: begin, until: last),
      second: second.settled(from: begin, until: last))
  }

  func ends(at cutOff: Int64) -> SharedEnds.Pair {
    SharedEnds.Pair(first: first.mark(at: cutOff), second: second.mark(at: cutOff))
  }
}
