internal import Store
internal import Warehouse

/// Addresses of warehouses are databases to ask, beside files.
func openWarehouses() {
  for scheme in WarehouseAddress.schemes {
    RemoteDatabases.add(scheme) { address throws(StoreError) in
      try WarehouseDatabase(WarehouseClient(WarehouseAddress(address), password: warehousePassword()))
    }
  }
}
