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
  /// Where cutoffs are left open.
  private(set) var open: [OpenMark?] = []
  private let keepsOpen: Bool

  init(keepsOpen: Bool) { self.keepsOpen = keepsOpen }

  mutating func append(cell: Int, _ more: DeviceMarks) {
    marks += more.ended
    cells.append(cell)
    ends.append(marks.count)
    if keepsOpen { open.append(more.open) }
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
  /// Of which one end at least waits for a cutoff.
  private(set) var open: [OpenShared: Int] = [:]

  mutating func add(_ other: SharedCounts, times: Int) {
    counts.add(other.counts, times: times)
    open.add(other.open, times: times)
  }

  private mutating func add(
    _ pair: Int, _ cells: SIMD2<Int>, _ first: some Sequence<SharedEnds.Mark>, _ second: some Sequence<SharedEnds.Mark>
  ) {
    SharedEnds.pairs(first, second) { counts[Key(pair: pair, cells: cells, ends: $0), default: 0] += $1 }
  }

  mutating func add(pair: Int, cells: SIMD2<Int>, _ first: DeviceMarks, _ second: DeviceMarks) {
    add(pair, cells, first.ended, second.ended)
    add(pair, cells, open: (first.open, second.open), first.ended, second.ended)
  }

  /// Devices that stay on a segment all their life.
  mutating func add(pair: Int, _ first: PageMarks, _ second: PageMarks) {
    for place in first.cells.indices where first.cells[place] >= 0 && second.cells[place] >= 0 {
      let cells: SIMD2 = [first.cells[place], second.cells[place]]
      add(pair, cells, first.marks(place), second.marks(place))
      if first.open.isEmpty { continue }
      add(pair, cells, open: (first.open[place], second.open[place]), first.marks(place), second.marks(place))
    }
  }

  private mutating func add(
    _ pair: Int, _ cells: SIMD2<Int>, open found: (first: OpenMark?, second: OpenMark?),
    _ first: some Sequence<SharedEnds.Mark>, _ second: some Sequence<SharedEnds.Mark>
  ) {
    func note(_ one: OpenMark, _ other: OpenMark) {
      let sign = SharedEnds.sign(one.mark) * SharedEnds.sign(other.mark)
      open[OpenShared(pair: pair, cells: cells, first: one, second: other), default: 0] += sign
    }
    if let one = found.first { for other in second { note(one, OpenMark(other)) } }
    guard let other = found.second else { return }
    for one in first { note(OpenMark(one), other) }
    if let one = found.first { note(one, other) }
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
  var sharedCells: [SharedCell] { sharedCells(at: question.cutOff.at, times: 1) }

  /// - Parameters:
  ///   - cutOff: put in where it was left open.
  ///   - times: -1 to take out.
  func sharedCells(at cutOff: Timestamp, times: Int) -> [SharedCell] {
    segments.filter(\.isIncluded).flatMap { segment in
      var ends: [SharedPlace: SharedEnds] = [:]
      for (key, count) in segment.shared.counts {
        ends[SharedPlace(pair: key.pair, cells: key.cells), default: .init()].add(key.ends, times: times * count)
      }
      for (key, count) in segment.shared.open {
        ends[SharedPlace(pair: key.pair, cells: key.cells), default: .init()]
          .add(key.ends(at: cutOff.rawValue), times: times * count)
      }
      return ends.map { place, ends in
        SharedCell(
          pair: pairs[place.pair].releases, first: numbers.name(place.cells[0], segment.group),
          second: numbers.name(place.cells[1], segment.group), ends: ends)
      }
    }
  }
}
