internal import Store
internal import Warehouse

/// Addresses of warehouses are databases to ask, beside files.
func openWarehouses() {
  for scheme in WarehouseAddress.schemes {
    RemoteDatabases.add(scheme) { address throws(StoreError) in
      let client = try WarehouseClient(WarehouseAddress(address), password: warehousePassword())
      let database = try WarehouseDatabase(client)
      return WideRanges(database, devices: { () throws(StoreError) in try database.deviceCount() })
    }
  }
}
