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
  let unknown =
    forgotten.devices == 0
    ? [
      "nothing is known of \(named == 1 ? "that device" : "any of those devices"): is it the right app, and the id that its client sends?"
    ] : []
  let notes =
    forgotten.isComplete
    ? unknown
    : unknown + ["a reader still holds the write-ahead log: what it holds is overwritten once that reader is done"]
  return Presentation(
    table: Table(
      [.init("NAMED", key: "named"), .init("FORGOTTEN", key: "devices"), .init("EVENTS", key: "events")],
      rows: [[.count(named), .count(forgotten.devices), .count(forgotten.events)]]),
    document: document, notes: notes)
}
