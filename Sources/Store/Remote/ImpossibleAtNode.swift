/// Devices with impossible histories that one node of a warehouse set aside: which they are it keeps to itself.
public struct ImpossibleAtNode: Equatable, Sendable {
  public var app: String
  public var node: UInt64
  public var devices: [ImpossibleHistories.Rule: Int]
  /// About how many devices of the app the node has.
  public var of: Int

  public init(app: String, node: UInt64, devices: [ImpossibleHistories.Rule: Int], of: Int) {
    (self.app, self.node, self.devices, self.of) = (app, node, devices, of)
  }

  public var count: Int { devices.values.reduce(0, +) }
}

extension Snapshot {
  /// As a node tells it; to two digits, so that it is not told anew with each device.
  public func impossibleAtNode(_ node: UInt64) throws(StoreError) -> [ImpossibleAtNode] {
    var found: [ImpossibleAtNode] = []
    for app in vocabulary.apps {
      let devices = try impossibleDevices(of: app)
      if devices.isEmpty { continue }
      var (of, tens) = (try foldedDevices(of: app), 1)
      while of >= 100 { (of, tens) = (of / 10, tens * 10) }
      found.append(
        ImpossibleAtNode(
          app: app, node: node, devices: Dictionary(uniqueKeysWithValues: devices.map { ($0.rule, $0.devices) }),
          of: of * tens))
    }
    return found
  }
}
