import Lifecycle
import Store

/// What is counted for an open summary.
struct OpenReleasesTally: Tally {
  private(set) var catalogue: CatalogueTally
  private(set) var unsettled: [UInt64] = []
  private(set) var early: [UInt64] = []
  private(set) var newest: Int64?
  private(set) var straddling: Int64?
  private let settling: Settling
  /// Whether it is counted what devices run, too.
  private let isWhole: Bool

  init(_ catalogue: CatalogueTally, _ settling: Settling, isWhole: Bool) {
    (self.catalogue, self.settling, self.isWhole) = (catalogue, settling, isWhole)
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    let apart = try settling.unsettled(page) + (isWhole ? moved(page) : [])
    unsettled += apart
    early += settling.early(page)
    // What runs on devices that a question looks at anyway is counted there alone: their contacts beyond the cutoff hide what ran at it.
    if isWhole { try catalogue.count(page, runningWithout: Set(apart)) } else { try catalogue.countReleases(page) }
    let (last, run) = try settling.ends(page)
    note(last, run)
  }

  /// Who says beyond the cutoff that it runs something else.
  private func moved(_ page: borrowing ShardPage) throws -> [UInt64] {
    let (devices, cutOff) = (page.devices, catalogue.risk.question.cutOff.at.rawValue)
    var (sweep, found) = (ReachSweep(), [UInt64]())
    for index in devices.devices.indices where devices.channels[index] != 0 {
      guard let span = (devices.spanOffsets[index]..<devices.spanOffsets[index + 1]).last,
        devices.spanEnds[span] >= cutOff
      else { continue }
      sweep.begin(try page.runs(of: index))
      sweep.load(index, from: cutOff, until: .max)
      if !sweep.keeps(devices.running[index], from: cutOff) { found.append(devices.devices[index]) }
    }
    return found
  }

  private mutating func note(_ last: Int64?, _ run: Int64?) {
    newest = [newest, last].compactMap(\.self).max()
    straddling = [straddling, run].compactMap(\.self).max()
  }

  mutating func add(_ other: OpenReleasesTally, times: Int) {
    precondition(times > 0, "nothing is taken out of a summary that is being made")
    catalogue.add(other.catalogue, times: times)
    unsettled += other.unsettled
    early += other.early
    note(other.newest, other.straddling)
  }
}
