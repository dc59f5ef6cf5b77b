public import Lifecycle
public import Store

extension WarehouseDatabase {
  /// Costs one small request where all nodes ship.
  public func nodes(quietSince instant: Timestamp) throws(StoreError) -> QuietNodes {
    let heard = try WarehouseState(client).heard
    let quiet = heard.filter { $0.value < instant }.keys.sorted()
    return QuietNodes(
      nodes: quiet.isEmpty ? [] : try WarehouseStatus.nodes(client, only: quiet), newest: heard.values.max())
  }
}
