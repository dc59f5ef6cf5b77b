import Lifecycle
import Statistics

/// Two releases of which it is counted what the same devices did with both.
struct ReleasePair: Hashable {
  var first: Int64
  var second: Int64
}

/// What the devices of a page did with one release on one segment, in the order of its members.
struct PageMarks {
  /// Numbers of `CellNumbers`.
  private(set) var cells: [Int] = []
  private var ends: [Int] = []
  private var marks: [SharedEnds.Mark] = []

  mutating func append(cell: Int, _ more: [SharedEnds.Mark]) {
    marks += more
    cells.append(cell)
    ends.append(marks.count)
  }

  func marks(_ place: Int) -> ArraySlice<SharedEnds.Mark> { marks[(place > 0 ? ends[place - 1] : 0)..<ends[place]] }
}

/// What is counted of two releases on one segment; adds up in any order.
struct SharedCounts: Mergeable {
  struct Key: Hashable {
    /// Of the pairs that are asked for.
    var pair: Int
    /// The device's cell in each: what it says of itself may have changed in between.
    var cells: SIMD2<Int>
    var ends: SharedEnds.Pair
  }

  private(set) var counts: [Key: Int] = [:]

  mutating func add(_ other: SharedCounts, times: Int) { counts.add(other.counts, times: times) }

  mutating func add(
    pair: Int, cells: SIMD2<Int>, _ first: some Sequence<SharedEnds.Mark>, _ second: some Sequence<SharedEnds.Mark>
  ) {
    SharedEnds.pairs(first, second) { counts[Key(pair: pair, cells: cells, ends: $0), default: 0] += $1 }
  }

  /// Devices that stay on a segment all their life.
  mutating func add(pair: Int, _ first: PageMarks, _ second: PageMarks) {
    for place in first.cells.indices where first.cells[place] >= 0 && second.cells[place] >= 0 {
      add(pair: pair, cells: [first.cells[place], second.cells[place]], first.marks(place), second.marks(place))
    }
  }
}

/// Devices that are in the time at risk of both releases of a pair, by their groups there.
struct SharedCell {
  var pair: ReleasePair
  var first: Group
  var second: Group
  var ends: SharedEnds
}

extension [SharedCell] {
  /// Of the devices that are in the same group of an answer with both releases.
  func ends(of pair: ReleasePair, _ group: Group, by groupings: [Grouping]) -> SharedEnds {
    filter { cell in
      cell.pair == pair && [cell.first, cell.second].allSatisfy { $0.split(by: groupings) == group }
    }.reduce(into: SharedEnds()) { $0.add($1.ends) }
  }
}

extension RiskTally {
  private struct SharedPlace: Hashable {
    var pair: Int
    var cells: SIMD2<Int>
  }

  /// By pair and cells; without those of which nothing was said.
  var sharedCells: [SharedCell] {
    segments.filter(\.isIncluded).flatMap { segment in
      Dictionary(grouping: segment.shared.counts) { SharedPlace(pair: $0.key.pair, cells: $0.key.cells) }.map {
        place, counts in
        var ends = SharedEnds()
        for (key, count) in counts { ends.add(key.ends, times: count) }
        return SharedCell(
          pair: pairs[place.pair].releases, first: numbers.name(place.cells[0], segment.group),
          second: numbers.name(place.cells[1], segment.group), ends: ends)
      }
    }
  }
}
