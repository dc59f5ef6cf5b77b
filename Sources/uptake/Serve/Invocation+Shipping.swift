internal import Answers
internal import Console
internal import Lifecycle
internal import Server
internal import Store
internal import Warehouse

extension Invocation {
  /// A warehouse that cannot be reached is no reason not to take events.
  func shipping(_ journal: ServiceLog) throws -> ShippingKeeper? {
    let awaited = try awaitedShipments()
    guard text(.ship) != nil else { return nil }
    let (client, path, clock) = (try warehouse(.ship), try databasePath(), host.clock)
    let tallies = WarehouseTallies(address: try text(needed: .ship)) { try WarehouseDatabase.settledState(client) }
    return ShippingKeeper(
      address: client.address.description, journal: journal, clock: clock, awaited: awaited,
      tallies: tallies
    ) { () throws(StoreError) in
      WarehouseShipping(try Shipper(path: path, client) { Timestamp(rawValue: clock().rawValue) })
    }
  }

  /// Nil where the file's word is enough.
  func awaitedShipments() throws(Failure) -> AwaitedShipments? {
    guard text(.acknowledgement) == "shipped" else { return nil }
    guard text(.ship) != nil else {
      throw Failure(
        "nothing_shipped", "events cannot wait for a warehouse: none is named", place: "--ack",
        hints: ["add --ship URL, or leave --ack out"], exit: .usage)
    }
    return AwaitedShipments(patience: .milliseconds(duration(.acknowledgementWait)?.rawValue ?? 10_000))
  }
}

private final class WarehouseShipping: EventShipping {
  private let shipper: Shipper
  init(_ shipper: Shipper) { self.shipper = shipper }
  func sendBatch() throws(StoreError) -> Int { try shipper.sendBatch() }
  func tellState() throws(StoreError) { try shipper.tellState() }
  func waiting() throws(StoreError) -> Int64 { try shipper.waiting() }
  func acknowledged() throws(StoreError) -> Int64 { try shipper.acknowledged() }
  func forgetDevices() throws(StoreError) -> Int { try shipper.forgetDevices() }
}
