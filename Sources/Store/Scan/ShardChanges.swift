/// Devices of a shard twice: as they were known before, and as they are known by now.
///
/// Both show the same devices, save that one that is new was not known before; and of journeys those on the releases that are
/// asked for.
public final class ShardChanges {
  public internal(set) var earlier: ShardPage
  public internal(set) var now: ShardPage
  let devices: [UInt64]

  init(_ earlier: ShardPage, of devices: [UInt64]) {
    (self.earlier, now, self.devices) = (earlier, earlier, devices)
  }
}

// MARK: parts of a shard

extension DeviceOutlines {
  /// Those of some devices that are in it.
  ///
  /// - Parameter some: in order.
  func picking(_ some: [UInt64]) -> DeviceOutlines {
    var (picked, place) = (DeviceOutlines(), 0)
    for device in some {
      place = devices.firstPlace(from: place) { $0 >= device }
      guard place < devices.count, devices[place] == device else { continue }
      picked.append(self, place..<place + 1)
      picked.devices.append(device)
      let sightings = profileOffsets[place]..<profileOffsets[place + 1]
      picked.profiles += profiles[sightings]
      picked.profileTimes += profileTimes[sightings]
      picked.profileOffsets.append(picked.profiles.count)
      if !buckets.isEmpty { picked.buckets.append(buckets[place]) }
    }
    return picked
  }
}

extension JourneyShard {
  /// Likewise.
  func picking(_ some: [UInt64]) -> JourneyShard {
    var (picked, places, place) = (JourneyShard(), [Int](), 0)
    for device in some {
      place = devices.firstPlace(from: place) { $0 >= device }
      if place < devices.count, devices[place] == device { places.append(place) }
    }
    func values(_ column: [Int64]) -> [Int64] { column.isEmpty ? [] : places.map { column[$0] } }
    picked.devices = places.map { devices[$0] }
    picked.columns = columns.map(values)
    (picked.reasons, picked.buckets) = (values(reasons), values(buckets))
    return picked
  }
}
