import Lifecycle

/// Pushes and wake-ups of some devices of one app, in order of the device hash and then of time.
///
/// A set of facts: what is said twice is there once, and no order of arrival can be told from it. How facts form
/// wake-ups, and which push a wake-up answers, is for the question.
struct WakeShard: Sendable {
  var devices: [UInt64] = []
  /// Where each device's facts begin; one more at the end.
  var offsets: [Int] = [0]
  var facts: [WakeFact] = []

  init() {}

  func facts(_ index: Int) -> ArraySlice<WakeFact> { facts[offsets[index]..<offsets[index + 1]] }

  func facts(of device: UInt64) -> ArraySlice<WakeFact> {
    let index = devices.firstPlace { $0 >= device }
    return index < devices.count && devices[index] == device ? facts(index) : []
  }
}

extension WakeShard {
  /// The shard with more facts in it.
  ///
  /// - Parameter added: in order of device.
  func merging(_ added: ArraySlice<DeviceWakeFact>) -> WakeShard {
    var merged = WakeShard()
    merged.facts.reserveCapacity(facts.count + added.count)
    var page: [WakeFact] = []
    var (old, next) = (0, added.startIndex)
    while next < added.endIndex {
      let device = added[next].device
      let untouched = devices.firstPlace(from: old) { $0 >= device }
      merged.append(self, old..<untouched)
      old = untouched
      page.removeAll(keepingCapacity: true)
      if old < devices.count, devices[old] == device {
        page += facts(old)
        old += 1
      }
      while next < added.endIndex, added[next].device == device {
        page.append(added[next].fact)
        next += 1
      }
      page.sort()
      merged.append(device, page)
    }
    merged.append(self, old..<devices.count)
    return merged
  }

  private mutating func append(_ other: WakeShard, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    devices += other.devices[range]
    facts += other.facts[other.offsets[range.lowerBound]..<other.offsets[range.upperBound]]
    offsets.append(other.offsets, range)
  }

  /// - Parameter facts: in order.
  private mutating func append(_ device: UInt64, _ facts: [WakeFact]) {
    devices.append(device)
    let start = self.facts.count
    for fact in facts where self.facts.count == start || self.facts[self.facts.count - 1] != fact {
      self.facts.append(fact)
    }
    offsets.append(self.facts.count)
  }
}
