import Lifecycle
import Store

/// What questions about pushes, wake-ups and stages ask of the devices of one page, in small numbers.
struct PageDevices {
  let profiles: ProfileTable
  private let outlines: DeviceOutlines
  private let names: [Int64: DeviceProfile]
  private var times: ContactTimes?
  private var next = 0

  init(_ outlines: DeviceOutlines, _ names: GroupNames) {
    (self.outlines, profiles, self.names) = (outlines, names.profiles, names.vocabulary.profiles)
  }

  /// The device's place; nil where it never spoke. Devices must be asked for in ascending order.
  mutating func place(of device: UInt64) -> Int? {
    while next < outlines.devices.count, outlines.devices[next] < device { next += 1 }
    return next < outlines.devices.count && outlines.devices[next] == device ? next : nil
  }

  func isEmulator(_ place: Int) -> Bool { profiles.isEmulator(outlines, place) }

  /// The number of what the device said of its version last as of an instant, else of what it said first after it.
  func version(_ place: Int, at instant: Timestamp) -> Int {
    profiles.version(outlines, place, at: instant.rawValue)
  }

  /// A device has one platform: the first it named.
  func platform(_ place: Int) -> Int { profiles.platform(outlines, place) ?? firstOfSeveral(place) }

  private func firstOfSeveral(_ place: Int) -> Int {
    var best: (at: Int64, platform: Int)?
    for sighting in outlines.profileOffsets[place]..<outlines.profileOffsets[place + 1] {
      guard let name = names[outlines.profiles[sighting]]?.platform else { continue }
      let found = (at: outlines.profileTimes[sighting], platform: profiles.number(ofPlatform: name))
      if best.map({ found < $0 }) ?? true { best = found }
    }
    return best?.platform ?? 0
  }

  /// Whether the device spoke after an instant that lies a day or more before the cut-off.
  mutating func spoke(
    _ place: Int, after instant: Timestamp, until cutOff: Timestamp, _ contacts: () throws -> ContactTimes
  ) throws -> Bool {
    if let known = known(place, instant.rawValue, cutOff.rawValue) { return known }
    let read = try times ?? contacts()
    times = read
    return read.spoke(place, after: instant, until: cutOff)
  }

  /// nil where the outline cannot tell.
  private func known(_ place: Int, _ instant: Int64, _ cutOff: Int64) -> Bool? {
    if outlines.channels[place] == 0 { return nil }
    for span in outlines.spanOffsets[place]..<outlines.spanOffsets[place + 1]
    where outlines.spanStarts[span] <= cutOff && outlines.spanEnds[span] > instant {
      let endsBefore = outlines.spanEnds[span] <= cutOff
      if endsBefore || outlines.spanStarts[span] > instant { return true }
      // No silence in a span is as long as that: one that began by the instant had ended before the cut-off.
      return cutOff - instant >= DeviceOutlines.longestSilence.rawValue ? true : nil
    }
    return false
  }
}
