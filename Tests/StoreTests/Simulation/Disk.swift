import SimulatedDisk

/// A disk below a folder's databases on which calls fail and the power goes, as `Tests/SimulatedDisk` says.
final class Disk {
  private let handle: OpaquePointer

  init(_ folder: String, seed: UInt64) {
    simulated_disk_install()
    handle = simulated_disk_make(folder, seed)
  }

  deinit { simulated_disk_end(handle) }

  var isOff: Bool { simulated_disk_is_off(handle) != 0 }
  var calls: UInt64 { simulated_disk_calls(handle) }

  /// - Parameter call: from now on, the next one is 1.
  func plan(_ fault: simulated_fault, at call: UInt64) { simulated_disk_plan(handle, fault, call) }
  func planNothing() { plan(simulated_nothing, at: 0) }

  /// Every call fails until the restart.
  func goOff() { simulated_disk_go_off(handle) }

  /// The power goes, unless it has, and comes back; every connection must be closed.
  func restart() { simulated_disk_restart(handle) }
}
