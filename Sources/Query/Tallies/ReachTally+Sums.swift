import Lifecycle
import Store

extension ReachTally.Cell {
  var isEmpty: Bool { (now + series + past).allSatisfy { $0.reachable == 0 } }

  mutating func add(_ other: Self, times: Int) {
    for index in now.indices { now[index].add(other.now[index], times: times) }
    for index in series.indices { series[index].add(other.series[index], times: times) }
    for index in past.indices { past[index].add(other.past[index], times: times) }
  }

  mutating func add(_ cell: ReachCell, _ moments: ReachMoments) {
    for index in now.indices {
      now[index].add(index == 0 ? cell.counts(at: moments.cutOff) : cell.counts(narrow: index - 1))
    }
    for (index, moment) in moments.series.enumerated() { series[index].add(cell.counts(at: moment)) }
    for (index, moment) in moments.past.enumerated() { past[index].add(cell.counts(at: moment)) }
  }
}
