import Lifecycle
import Store

/// The newest contact of any device up to a cut-off.
struct NewestContact {
  private(set) var at: Timestamp?
  private let cutOff: Timestamp

  init(until cutOff: Timestamp) { self.cutOff = cutOff }

  mutating func note(_ outlines: DeviceOutlines, _ contacts: () throws -> ContactTimes) throws {
    var times: ContactTimes?
    for index in outlines.devices.indices where at != cutOff {
      if let known = Self.newest(outlines, index, until: cutOff) {
        note(known)
      } else if outlines.channels[index] == 0 || Self.first(outlines, index) <= cutOff.rawValue {
        let read = try times ?? contacts()
        times = read
        if let found = read.newest(index, until: cutOff) { note(found) }
      }
    }
  }

  mutating func note(_ contact: Timestamp) { at = max(at ?? contact, contact) }

  private static func first(_ outlines: DeviceOutlines, _ index: Int) -> Int64 {
    outlines.spanStarts[outlines.spanOffsets[index]]
  }

  /// nil where the outline cannot tell: a span may hold silences of days, and the cut-off may lie in one.
  private static func newest(_ outlines: DeviceOutlines, _ index: Int, until cutOff: Timestamp) -> Timestamp? {
    for span in (outlines.spanOffsets[index]..<outlines.spanOffsets[index + 1]).reversed()
    where outlines.spanStarts[span] <= cutOff.rawValue {
      return outlines.spanEnds[span] <= cutOff.rawValue ? Timestamp(rawValue: outlines.spanEnds[span]) : nil
    }
    return nil
  }
}
