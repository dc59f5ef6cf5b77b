public import Console
public import Store

/// What a command and the service say of what was forgotten.
public func forgottenPresentation(_ forgotten: Forgotten, named: Int) -> Presentation {
  let document: JSON = [
    "schema": "uptake.forget/1",
    "data": [
      [
        "named": .integer(named), "devices": .integer(forgotten.devices), "events": .integer(forgotten.events),
        "complete": .bool(forgotten.isComplete),
      ]
    ],
  ]
  let notes =
    forgotten.isComplete
    ? [] : ["a reader still holds the write-ahead log: what it holds is overwritten once that reader is done"]
  return Presentation(
    table: Table(
      [.init("NAMED", key: "named"), .init("FORGOTTEN", key: "devices"), .init("EVENTS", key: "events")],
      rows: [[.count(named), .count(forgotten.devices), .count(forgotten.events)]]),
    document: document, notes: notes)
}
