internal import Answers
internal import Console
internal import Warehouse

extension Command {
  static let warehouse = Command(
    "warehouse", group: "OPERATIONS", purpose: "Make and look at a warehouse in ClickHouse",
    discussion: """
      What outgrows one machine goes to ClickHouse: uptake ship sends a file's events there, and every question takes its \
      address as --db. The password stands in UPTAKE_WAREHOUSE_PASSWORD.
      """,
    seeAlso: ["ship"], subcommands: [.warehouseInit, .warehouseRefresh, .warehouseRetire, .warehouseStatus])
}
