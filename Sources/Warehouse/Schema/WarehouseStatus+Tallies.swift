public import Lifecycle
public import Store

extension WarehouseStatus {
  /// Whether default questions are answered from kept tallies, and what stands against it.
  public enum Tallies: Equatable, Sendable {
    case current
    /// Nodes that have said that they change something and not that they are done, with the first of these times.
    case underWay(nodes: [UInt64], since: Timestamp)
    /// Replicas may lack for so many more seconds what came at an instant.
    case settling(changedAt: Timestamp, seconds: Int64)
    /// Nothing is on its way, and nobody has counted since; nil where nothing ever changed.
    case outdated(changedAt: Timestamp?)
  }

  public static func tallies(_ client: WarehouseClient) throws(StoreError) -> Tallies {
    let (state, hasReplicas) = (try WarehouseState(client), try WarehouseSchema(client).checkedCluster() != nil)
    let counted = try KeptSummaries.states(client)
    if !counted.isEmpty, counted.allSatisfy({ $0 == state.number }) { return .current }
    let open = state.notes.filter { $0.value.contains(where: \.isUnderWay) }
    if let since = open.values.joined().filter(\.isUnderWay).map(\.at).min() {
      return .underWay(nodes: open.keys.sorted(), since: since)
    }
    guard let newest = state.notes.values.joined().max(by: { $0.at < $1.at }) else { return .outdated(changedAt: nil) }
    if state.isSettled(hasReplicas: hasReplicas) { return .outdated(changedAt: newest.at) }
    return .settling(changedAt: newest.at, seconds: max(1, WarehouseState.behind - newest.age))
  }
}
