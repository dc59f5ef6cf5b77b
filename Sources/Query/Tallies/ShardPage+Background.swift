import Store

extension ShardPage {
  /// Goes over the devices that were sent pushes or did work in the background.
  ///
  /// - Parameter body: is given the device's hash, its index among the page's devices, nil where it never spoke, and its
  ///   facts in order of time.
  @inline(__always)
  func eachInBackground(
    includesEmulators: Bool, _ body: (_ device: UInt64, _ index: Int?, _ facts: [WakeFact]) throws -> Void
  ) throws {
    var (wakes, join) = (wakes, SortedJoin(devices.devices))
    while let device = wakes.next() {
      let index = join.index(of: device)
      if let index, !includesEmulators, emulators[index] { continue }
      try body(device, index, wakes.facts)
    }
  }
}
