internal import Answers
internal import Console
internal import Ingest
internal import Lifecycle
internal import Store

extension Command {
  static let forget = Command(
    "forget", group: "OPERATIONS", purpose: "Delete all data of devices, from archives too",
    discussion: """
      Events, journeys, contacts, wake-ups and the trail go, in archives too, and so does what only these devices \
      mentioned; counts are those of a database that never knew them. What is removed is overwritten. FILE.forgotten \
      beside the database keeps a keyed hash of each device, so that a backup forgets it again when it is restored: keep \
      that file as long as backups from before. Works beside a running service; DELETE /v1/devices/{device} does the same.
      """,
    arguments: [.init("DEVICE", .oneOrMore, help: "Devices, as their client sends them; - reads one a line")],
    options: [.database, .app, .now] + Option.answer,
    examples: [
      .init("One device", "uptake forget 8d1f2c90 --app com.example.demo"),
      .init("Many", "uptake forget - --app com.example.demo < devices.txt"),
    ],
    exits: [.databaseUnusable], seeAlso: ["breadcrumbs", "restore", "retain"]
  ) { invocation in
    let (path, app) = (try invocation.databasePath(), try invocation.text(needed: .app))
    let log = try EventLog(existing: path)
    let devices = try invocation.devices().map { log.identityKeys.device(app: app, id: $0) }
    do {
      try invocation.show(
        forgottenPresentation(log.forget(devices, now: invocation.instant), named: Set(devices).count))
    } catch let error as StoreError where error.kind == .locked {
      throw Failure(
        error.code, error.description, why: "the devices are noted and will be forgotten when the service starts again",
        hints: ["run the command again, or ask the service: DELETE /v1/devices/{device} with an admin key"],
        exit: error.exit)
    }
    return .done
  }
}

extension Invocation {
  fileprivate func devices() throws -> [String] {
    try arguments.flatMap { word in
      guard word == "-" else { return [word] }
      let bytes = try host.readFile("/dev/stdin") ?? []
      return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    }
  }
}
