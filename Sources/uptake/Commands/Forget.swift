internal import Answers
internal import Console
internal import Ingest
internal import Lifecycle
internal import Store
internal import Warehouse

private extension Option {
  static let yes = Option("yes", short: "y", help: "Do not ask on a terminal")
  static let dryRun = Option("dry-run", help: "Only say how many of them are known; delete nothing")
  static let warehouse = Option(
    "warehouse", .text, value: "URL", help: "Also delete them in this warehouse, to which the database is shipped")
}

extension Command {
  static let forget = Command(
    "forget", group: "OPERATIONS", purpose: "Delete all data of devices, from archives too",
    discussion: """
      Deletes events, journeys, contacts, wake-ups and the trail, in archives too, and names that only these devices \
      used; counts are then as if the devices had never been seen. Deleted data is overwritten. FILE.forgotten \
      beside the database keeps a keyed hash of each device, so that a backup forgets it again when it is restored: keep \
      that file as long as backups from before. Asks before, on a terminal. Works beside a running service; DELETE /v1/devices/{device} does the same. \
      A warehouse forgets when the file is shipped next, or at once with --warehouse; either by a user who may alter tables. \
      A UUID in capitals stands for the one in lower case, too, as readers for Capgo and Expo keep it. \
      Run it at each node that has data of the device.
      """,
    arguments: [.init("DEVICE", .oneOrMore, help: "Devices, as their client sends them; - reads one a line")],
    options: [.database, .app, .warehouse, .dryRun, .yes, .now] + Option.answer,
    examples: [
      .init("One device", "uptake forget 8d1f2c90 --app com.example.demo"),
      .init("Many", "uptake forget - --app com.example.demo < devices.txt"),
    ],
    exits: [.notEnoughData, .databaseUnusable], seeAlso: ["breadcrumbs", "restore", "retain"]
  ) { invocation in
    let (path, app) = (try invocation.databasePath(), try invocation.text(needed: .app))
    let warehouse = try invocation.text(.warehouse).map { _ in try invocation.warehouse(.warehouse) }
    let log = try EventLog(existing: path)
    let named = try NamedDevices(Set(try invocation.devices()), of: app, log)
    let devices = named.hashes
    try invocation.note(named.notes)
    if invocation.flag(.dryRun) {
      let known = try devices.filter { try log.knows($0) }.count
      try invocation.show(forgottenPresentation(known: known, named: named.count))
      return known > 0 ? .done : .notEnoughData
    }
    if !invocation.flag(.yes) {
      try invocation.confirm(
        "Forget \(counted(named.count, "device")) of \(app), in archives too? It cannot be undone.",
        else: "nothing was forgotten",
        unasked: "--yes")
    }
    do {
      let forgotten = try log.forget(Array(devices), of: app, now: invocation.instant)
      // Afterwards: nothing of them is sent any more.
      let failure = try warehouse.flatMap {
        try invocation.forget(devices.sorted(), named: named.count, of: app, in: $0, path)
      }
      let other = failure == nil ? warehouse?.address.description : nil
      try invocation.show(forgottenPresentation(forgotten, named: named.count, alsoIn: other))
      if let failure { throw failure }
      if warehouse == nil, try ShippingLog.isShipped(path: path) {
        try invocation.note([
          """
          the warehouse that \(path) is shipped to still knows them: uptake ship or serve --ship tells it next; to tell it now, \
          the same command with --warehouse URL
          """
        ])
      }
      try invocation.noteCopies(of: path)
      return forgotten.devices > 0 || warehouse != nil ? .done : .notEnoughData
    } catch let error as StoreError where error.kind == .locked {
      throw Failure(
        error.code, error.description, why: "the devices are noted and will be forgotten when the service starts again",
        hints: ["run the command again, or ask the service: DELETE /v1/devices/{device} with an admin key"],
        exit: error.exit)
    }
  }
}

/// Devices to be forgotten, by ids as they were given.
private struct NamedDevices {
  let count: Int
  /// Of both spellings of an id: it is one device, of which the file, a warehouse or a backup may know either.
  private(set) var hashes: Set<DeviceHash> = []
  private var inLowerCase: [String] = []
  private static let mostNoted = 20

  init(_ ids: Set<String>, of app: String, _ log: EventLog) throws {
    count = ids.count
    for id in ids.sorted() {
      let spellings = DeviceHash.spellings(of: id)
      let found = spellings.map { log.identityKeys.device(app: app, id: $0) }
      hashes.formUnion(found)
      guard found.count > 1, inLowerCase.count < Self.mostNoted else { continue }
      if try log.knows(found[1]), try !log.knows(found[0]) { inLowerCase.append(spellings[1]) }
    }
  }

  var notes: [String] {
    inLowerCase.isEmpty
      ? []
      : ["known in lower case alone, as readers for Capgo and Expo keep ids: \(firstFew(inLowerCase.map(quoted)))"]
  }
}

extension Invocation {
  /// Deletes devices in a warehouse that the file has forgotten; answers why that failed.
  fileprivate func forget(
    _ devices: [DeviceHash], named count: Int, of app: String, in warehouse: WarehouseClient, _ path: String
  ) throws -> Failure? {
    do throws(StoreError) {
      try Shipper(path: path, warehouse) { instant }.forget(devices)
      return nil
    } catch {
      let again = arguments.reduce(ShellCommand("uptake", "forget")) { $0.argument($1) }
        .option("app", app).option("db", path).option("warehouse", warehouse.address.description)
      let next = try ShippingLog.isShipped(path: path) ? ["or uptake ship, or serve --ship, tells it next"] : []
      return Failure(
        error.code, "\(path) has forgotten \(count == 1 ? "the device" : "the devices"), the warehouse has not",
        why: error.description, hints: ["tell it again: \(again)"] + next + [error.hint.words], exit: error.exit)
    }
  }

  /// What an upgrade left beside the file is no archive, and nobody else looks at it.
  fileprivate func noteCopies(of path: String) throws {
    let copies = Upgrade.copies(of: path)
    guard !copies.isEmpty else { return }
    let command = copies.reduce(ShellCommand("rm")) { $0.argument($1) }
    try note(["copies of before an upgrade still know them; once you need not go back: \(command)"])
  }

  fileprivate func devices() throws -> [String] {
    try arguments.flatMap { word in
      guard word == "-" else { return [word] }
      let bytes = try host.readFile("/dev/stdin") ?? []
      return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    }
  }
}
