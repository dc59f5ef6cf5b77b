import Lifecycle
import Store

/// Counts what every device runs, now for several reach windows and at past instants for the first of them.
struct ReachCounting {
  struct Cell {
    var now: [ReachTally]
    var series: [ReachTally]
    var past: [ReachTally]
  }
  let chosen: Chosen
  let windows: [Milliseconds]
  let instants: [Timestamp]
  let past: [Timestamp]
  let cutOff: Timestamp
  private(set) var cells: [Group: Cell] = [:]
  private(set) var dataThrough: Timestamp?

  init(_ chosen: Chosen, windows: [Milliseconds], instants: [Timestamp], past: [Timestamp], cutOff: Timestamp) {
    self.chosen = chosen
    self.windows = windows
    self.instants = instants
    self.past = past
    self.cutOff = cutOff
  }

  mutating func run(_ snapshot: borrowing Snapshot) throws {
    let question = ReachQuestion(self, snapshot.vocabulary)
    let walks = try snapshot.eachShard(
      app: chosen.selection.app, releases: [chosen.target.id], start: { ReachWalk(question) },
      { walk, devices, journeys in walk.add(devices, journeys) })
    dataThrough = walks.compactMap(\.dataThrough).max()
    let empty = empty
    for place in walks.flatMap(\.places.values).joined().compactMap(\.self) {
      for (version, cell) in place.cells.enumerated() {
        guard let cell else { continue }
        var group = place.group
        if question.splitsVersions { group.appVersion = question.profiles.versions[version] }
        cells[group.split(by: chosen.selection.by), default: empty].add(cell)
      }
    }
  }

  var empty: Cell {
    Cell(
      now: Array(repeating: ReachTally(), count: windows.count),
      series: Array(repeating: ReachTally(), count: instants.count),
      past: Array(repeating: ReachTally(), count: past.count))
  }
}

extension ReachCounting.Cell {
  /// In the order that `ReachMoments` numbers tallies in.
  fileprivate mutating func add(_ cell: ReachCell) {
    var tally = 0
    func next(_ sum: inout ReachTally) {
      sum.add(cell.tallies[tally], cell.byRelease(tally))
      tally += 1
    }
    for index in now.indices { next(&now[index]) }
    for index in series.indices { next(&series[index]) }
    for index in past.indices { next(&past[index]) }
  }
}
