public import Store

extension WarehouseDatabase {
  public func settledState() throws(StoreError) -> Int64? {
    try Self.settledState(client, hasReplicas: hasReplicas)
  }

  /// The same, without its vocabulary: a small request.
  public static func settledState(_ client: WarehouseClient) throws(StoreError) -> Int64? {
    try settledState(client, hasReplicas: try WarehouseSchema(client).checkedCluster() != nil)
  }

  private static func settledState(_ client: WarehouseClient, hasReplicas: Bool) throws(StoreError) -> Int64? {
    let state = try WarehouseState(client)
    return state.isSettled(hasReplicas: hasReplicas) ? state.number : nil
  }

  public func summaryState(_ app: Int64) throws(StoreError) -> SummaryState? { try summaries.state(hash(app)) }

  public func summary(
    _ app: Int64, on releases: [Int64], _ numbers: Range<Int64>
  ) throws(StoreError) -> [SummaryPart]? {
    let wanted = Set(releases)
    var hashes = words.releases.filter { wanted.contains($0.value) }
    if wanted.contains(0) { hashes[0] = 0 }
    return try summaries.parts(hash(app), hashes, numbers)
  }

  public func keep(_ state: SummaryState, _ parts: [SummaryPart], _ app: Int64) throws(StoreError) {
    let hashes = Dictionary(uniqueKeysWithValues: words.releases.map { ($1, $0) })
    try summaries.keep(state, parts.map { (release: hashes[$0.release] ?? 0, part: $0) }, hash(app))
  }
}
