import Statistics

/// Devices, and those of them that something happened to.
struct AffectedDevices: Mergeable, Equatable {
  var devices = 0
  var affected = 0

  mutating func add(_ other: Self, times: Int) {
    devices += times * other.devices
    affected += times * other.affected
  }

  var share: Proportion { Proportion(Int64(affected), of: Int64(devices)) }
}
