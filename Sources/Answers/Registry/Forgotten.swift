public import Console
public import Store

/// What a command and the service say of what was forgotten.
///
/// - Parameter warehouse: that has deleted the devices as well.
public func forgottenPresentation(
  _ forgotten: Forgotten, named: Int, alsoIn warehouse: String? = nil
) -> Presentation {
  let document: JSON = [
    "schema": "uptake.forget/1",
    "data": [
      [
        "named": .integer(named), "devices": .integer(forgotten.devices), "events": .integer(forgotten.events),
        "complete": .bool(forgotten.isComplete),
      ]
    ],
  ]
  let deleted = warehouse.map { ["\($0) holds nothing of \(those(named)) any more"] } ?? []
  let unknown = forgotten.devices == 0 && warehouse == nil ? [nothingKnown(of: named)] : []
  let notes =
    forgotten.isComplete
    ? unknown + deleted
    : unknown + deleted
      + ["a reader still holds the write-ahead log: what it holds is overwritten once that reader is done"]
  return Presentation(
    table: Table(
      [.init("NAMED", key: "named"), .init("FORGOTTEN", key: "devices"), .init("EVENTS", key: "events")],
      rows: [[.count(named), .count(forgotten.devices), .count(forgotten.events)]]),
    document: document, notes: notes)
}

/// Of how many devices something would be deleted; how many events that is, nobody counted.
public func forgottenPresentation(known: Int, named: Int) -> Presentation {
  let row: JSON = [
    "named": .integer(named), "devices": .integer(known), "events": .null, "complete": .bool(false),
    "dryRun": .bool(true),
  ]
  return Presentation(
    table: Table(
      [.init("NAMED", key: "named"), .init("KNOWN", key: "devices")], rows: [[.count(named), .count(known)]]),
    document: ["schema": "uptake.forget/1", "data": [row]], notes: known == 0 ? [nothingKnown(of: named)] : [])
}

private func those(_ named: Int) -> String { named == 1 ? "that device" : "any of those devices" }

private func nothingKnown(of named: Int) -> String {
  "nothing is known of \(those(named)): is it the right app, and the id that its client sends?"
}
