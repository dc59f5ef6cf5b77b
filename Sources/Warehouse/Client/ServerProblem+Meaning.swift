import Store

extension ServerProblem {
  /// What ClickHouse's errors mean for a warehouse, and what to do about them.
  struct Meaning: Sendable {
    let codes: [Int]
    let kind: RemoteProblem.Kind
    let name: String
    let what: @Sendable (WarehouseAddress) -> String
    let remedy: @Sendable (WarehouseAddress) -> Remedy

    static func of(_ code: Int) -> Meaning {
      all.first { $0.codes.contains(code) }
        ?? Meaning(codes: [code], kind: .failed, name: "warehouse_error") { _ in
          "the server reports error \(code)"
        } remedy: { _ in
          "look at the server's log for this moment"
        }
    }

    static let unfinished = Meaning(
      codes: [], kind: .unreachable, name: "warehouse_unfinished",
      what: { _ in "not every server of the cluster has done it in time; each does it once it can" },
      remedy: { _ in
        """
        see that all of them run and reach ZooKeeper or Keeper, start anew one that does not go on (system.distributed_ddl_queue), and \
        repeat this: what is done already is not done twice
        """
      })

    private static let all: [Meaning] = aboutUsers + aboutShards + aboutRoom

    private static let aboutUsers = [
      Meaning(
        codes: [Code.unknownUser, Code.wrongPassword, Code.passwordNeeded, Code.authenticationFailed],
        kind: .refused, name: "warehouse_denied", what: { "the server refuses user \($0.user)" },
        remedy: { _ in
          "set the password in UPTAKE_WAREHOUSE_PASSWORD, and the user in the address: clickhouse://user@host/database"
        }),
      Meaning(
        codes: [Code.readOnlyUser, Code.denied],
        kind: .refused, name: "warehouse_read_only", what: { "user \($0.user) may not do this" },
        remedy: { _ in "questions need a user who may read; init and ship one who may create tables and insert" }),
      Meaning(
        codes: [Code.unknownDatabase, Code.unknownTable],
        kind: .unusable, name: "warehouse_missing", what: { "there is no warehouse in database \($0.database)" },
        remedy: { "make it: \(command: "warehouse", "init", options: ["db": $0.description])" }),
    ]

    private static let aboutShards = [
      Meaning(
        codes: [Code.connectionsFailed, Code.network, Code.socketTimeout],
        kind: .unreachable, name: "warehouse_shard_down",
        what: { _ in "no server of a shard can be reached; nothing is answered in part" },
        remedy: { _ in "start one of the shard's servers; the words of the server name them" }),
      Meaning(
        codes: [Code.behind],
        kind: .unreachable, name: "warehouse_behind",
        what: { _ in "no server of a shard is known to hold all that was shipped" },
        remedy: { _ in
          """
          ask again when its replicas have caught up, as \(command: "warehouse", "status") shows; without ZooKeeper or Keeper \
          they cannot
          """
        }),
      Meaning(
        codes: [Code.readOnlyTable, Code.noKeeper, Code.keeper],
        kind: .unreachable, name: "warehouse_not_writable",
        what: { _ in "its tables cannot be written now: the server has no connection to its keeper" },
        remedy: { _ in "start ZooKeeper or Keeper; what is to be shipped waits and is not lost" }),
    ]

    private static let aboutRoom = [
      Meaning(
        codes: [Code.memory],
        kind: .failed, name: "warehouse_memory", what: { _ in "the server has not enough memory for this" },
        remedy: { _ in "raise max_memory_usage of the user, or ask for less: one release, one channel" }),
      Meaning(
        codes: [Code.quota, Code.tooManyRows, Code.tooManyBytes, Code.timeout],
        kind: .failed, name: "warehouse_quota", what: { _ in "the question reads more than it may" },
        remedy: { _ in
          """
          ask for less (one app, one release, fewer weeks), or allow more: with --quota or UPTAKE_QUOTA, or in the quota and \
          profile of the user in ClickHouse
          """
        }),
      Meaning(
        codes: [Code.noSpace],
        kind: .failed, name: "warehouse_full", what: { _ in "the server's disk is full" },
        remedy: { _ in "free some space; what is to be shipped waits and is not lost" }),
    ]
  }
}
