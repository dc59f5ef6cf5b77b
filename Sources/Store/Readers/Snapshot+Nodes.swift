public import Lifecycle

extension Snapshot {
  /// Nodes of a warehouse that shipped nothing since an instant; none of a file.
  public func nodes(quietSince instant: Timestamp) throws(StoreError) -> QuietNodes {
    guard let remote else { return QuietNodes() }
    return try remote.nodes(quietSince: instant)
  }
}
