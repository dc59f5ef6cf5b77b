internal import Answers
internal import Dispatch
internal import Glibc
internal import Store
internal import Warehouse

/// Addresses of warehouses are databases to ask, beside files.
func openWarehouses() {
  for scheme in WarehouseAddress.schemes {
    RemoteDatabases.add(scheme) { address throws(StoreError) in
      let reading = RemoteReading.current
      let quota = if let limit = reading.limit { limit } else { try inheritedQuota(address) }
      let client = try WarehouseClient(at: address, quota: quota)
      if reading.isAlone { CancelledReading.onInterrupt(client) }
      let database = try WarehouseDatabase(client)
      return WideRanges(database, devices: { () throws(StoreError) in try database.deviceCount() })
    }
  }
}

/// Of processes that answer for others: a service and its workers.
private func inheritedQuota(_ address: String) throws(StoreError) -> RemoteReading.Limit {
  guard let text = getenv("UPTAKE_QUOTA").map({ String(cString: $0) }), !text.isEmpty else { return .init() }
  if let limit = RemoteReading.Limit(quota: text) { return limit }
  throw StoreError(
    RemoteProblem(
      .unsupported, "bad_quota", "UPTAKE_QUOTA is \"\(text)\", neither a number of bytes nor of rows",
      "write 500MB, 2GB or 5000000rows"), at: RemoteDatabases.shown(address))
}

/// Ctrl-C in a process that only asks: the servers stop as well, then the process ends as it would have.
private enum CancelledReading {
  // Handed over once, and never looked at again.
  private nonisolated(unsafe) static let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())

  static func onInterrupt(_ client: WarehouseClient) {
    signal(SIGINT, SIG_IGN)
    source.setEventHandler {
      client.cancel()
      signal(SIGINT, SIG_DFL)
      // Dispatch blocks signals in its own threads.
      SignalSet([SIGINT]).unblock()
      raise(SIGINT)
    }
    source.activate()
  }
}
