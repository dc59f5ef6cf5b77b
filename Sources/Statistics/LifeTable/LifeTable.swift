/// A point or a length of time in the caller's unit (seconds, unless the caller says otherwise).
public typealias Tick = Int64

/// The grouped life table: per tick how many entered, had an event by cause, or were censored by reason.
///
/// Rows are sorted by tick and hold at least one entry or exit. At risk at tick t: entered before t and not gone
/// before t, so events come before censorings, and who enters at t is not at risk at t. Every estimator of this
/// module is a function of one or more such tables.
public struct LifeTable: Sendable {
  /// Ascending by tick and kind; several may stand for one kind at one tick.
  public let runs: [Int64]
  /// Why limits of chance would mislead, where it is known how the intervals were made: estimates then have none.
  public var doubt: Unestimable?
  /// Whether nothing is estimated from where on few devices stand for many that entered after them; see
  /// `Progress.lostFrom(in:)`.
  public var refusesLateEntrants = false
  /// Of several parts that were followed from other times on, the last tick at which all were; nil where they are alike.
  public var followedTo: Tick?
  /// The longest that anybody could be followed: where some still wait nothing is known of later ticks, though all who were followed
  /// longest had the event; nil where nobody says.
  public var followedAtMost: Tick?
  /// By the kind of a run.
  let totals: [Int64]
  let marks: [Mark]

  /// A row now and then, so that nobody who looks for a tick walks from the beginning.
  struct Mark {
    /// The row's first run.
    var place: Int
    /// At the row.
    var atRisk: Int64
    /// The most at any row from here to the next mark.
    var mostAtRisk: Int64
  }

  public init() { self.init(runs: []) }

  /// - Parameter runs: ascending, as another table held them.
  public init(runs: [Int64]) {
    self.runs = runs
    (totals, marks) = Self.counted(runs.span)
  }

  public var isEmpty: Bool { runs.isEmpty }
  /// The same whatever the table was put together from.
  public var compactRuns: [Int64] { runs.compacted }
  /// Where the last interval ends; nil when there is none.
  public var lastTick: Tick? { runs.last.map(Run.tick) }
}

extension LifeTable {
  private static let runsPerMark = 256

  private static func counted(_ runs: Span<Int64>) -> (totals: [Int64], marks: [Mark]) {
    var totals = KindTotals()
    var marks: [Mark] = []
    marks.reserveCapacity(runs.count / runsPerMark + 1)
    var (place, atRisk) = (0, Int64(0))
    while place < runs.count {
      let end = endOfRow(runs, at: min(place + runsPerMark, runs.count) - 1)
      var mark = Mark(place: place, atRisk: atRisk, mostAtRisk: 0)
      mark.mostAtRisk = totals.add(runs, place..<end, &atRisk)
      marks.append(mark)
      place = end
    }
    return (totals.all, marks)
  }

  private static func endOfRow(_ runs: Span<Int64>, at place: Int) -> Int {
    var end = place + 1
    while end < runs.count, Run.tick(runs[end]) == Run.tick(runs[place]) { end += 1 }
    return end
  }

  /// At some row.
  var isAnybodyAtRisk: Bool { marks.contains { $0.mostAtRisk > 0 } }
}

/// How many there are of each kind.
private struct KindTotals {
  private var counts = InlineArray<32, Int64>(repeating: 0)

  var all: [Int64] { (0..<Run.kinds).map { counts[$0] } }

  /// Takes in whole rows.
  ///
  /// - Parameter atRisk: before them, and then after.
  /// - Returns: the most at risk at one of them.
  @inline(__always)
  mutating func add(_ runs: Span<Int64>, _ places: Range<Int>, _ atRisk: inout Int64) -> Int64 {
    var (most, last) = (Int64(0), Tick(-1))
    for place in places {
      // Without branches, as nobody can predict what the next run is.
      let (tick, kind, count) = (Run.tick(runs[place]), Run.kind(runs[place]), Run.count(runs[place]))
      most = max(most, tick == last ? 0 : atRisk)
      atRisk += kind == Run.entry ? count : -count
      counts[kind] += count
      last = tick
    }
    return most
  }
}

/// Goes over a table row by row.
struct RowReader {
  /// The runs of the row at hand.
  private(set) var first = 0
  private(set) var next = 0
  private(set) var tick: Tick = 0
  /// At the row at hand, and after it.
  private(set) var atRisk: Int64 = 0
  private(set) var after: Int64 = 0

  init() {}

  init(_ mark: LifeTable.Mark) { (next, after) = (mark.place, mark.atRisk) }

  /// Reads the next row, of which there must be one.
  @inline(__always)
  mutating func read(_ runs: Span<Int64>, _ note: (_ kind: Int, _ count: Int64) -> Void = { _, _ in }) {
    (first, atRisk, tick) = (next, after, Run.tick(runs[next]))
    repeat {
      let (kind, count) = (Run.kind(runs[next]), Run.count(runs[next]))
      note(kind, count)
      after += kind == Run.entry ? count : -count
      next += 1
    } while next < runs.count && Run.tick(runs[next]) == tick
  }
}

extension LifeTable: Equatable {
  /// However counts are spread over runs.
  public static func == (left: LifeTable, right: LifeTable) -> Bool {
    left.totals == right.totals && left.sums.elementsEqual(right.sums) { $0 == $1 }
  }

  var sums: UnfoldSequence<(key: Int64, count: Int64), Int> {
    sequence(state: 0) { place in
      guard place < runs.count else { return nil }
      let key = Run.key(runs[place])
      var count: Int64 = 0
      while place < runs.count, Run.key(runs[place]) == key {
        count += Run.count(runs[place])
        place += 1
      }
      return (key, count)
    }
  }
}
