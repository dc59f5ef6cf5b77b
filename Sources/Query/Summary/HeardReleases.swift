import Lifecycle
import Store

/// For an open summary that is moved on: the devices that were heard of or unsettled, as they were known before and as they are known now.
struct HeardReleases: Mergeable {
  var earlier: CatalogueTally
  var now: OpenReleasesTally
  /// Devices of which the summary does not count what they run.
  let apart: Set<UInt64>
  let isWhole: Bool
  private(set) var beyond: [MovedContacts.Beyond] = []
  private(set) var newest: Int64?
  private(set) var straddling: Int64?

  init(earlier: CatalogueTally, now: OpenReleasesTally, apart: Set<UInt64>, isWhole: Bool) {
    (self.earlier, self.now, self.apart, self.isWhole) = (earlier, now, apart, isWhole)
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    if let moved = page.moved { note(moved.beyond, moved.newest, moved.straddling) }
    guard let changes = page.changes else { return }
    if isWhole {
      try earlier.count(changes.earlier, runningWithout: apart)
    } else {
      try earlier.countReleases(changes.earlier)
    }
    try now.count(changes.now)
  }

  private mutating func note(_ beyond: [MovedContacts.Beyond], _ newest: Int64?, _ straddling: Int64?) {
    self.beyond += beyond
    self.newest = [self.newest, newest].compactMap(\.self).max()
    self.straddling = [self.straddling, straddling].compactMap(\.self).max()
  }

  mutating func add(_ other: HeardReleases, times: Int) {
    note(other.beyond, other.newest, other.straddling)
    earlier.add(other.earlier, times: times)
    now.add(other.now, times: times)
  }
}
