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
  let those = named == 1 ? "that device" : "any of those devices"
  let deleted = warehouse.map { ["\($0) holds nothing of \(those) any more"] } ?? []
  let unknown =
    forgotten.devices == 0 && warehouse == nil
    ? [
      "nothing is known of \(those): is it the right app, and the id that its client sends?"
    ] : []
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
