internal import Console
internal import Ingest
internal import Maps

extension Invocation {
  /// The map that is named, a shipped one or a file.
  func eventMap(_ name: String?, besides form: ImportOptions.Format?) throws -> EventMap? {
    guard let name else { return nil }
    if let form {
      throw Failure(
        "conflicting_options", "--map says how the files are written, and so does \(form.rawValue)",
        hints: ["leave out one of them"], exit: .usage)
    }
    return try EventMap(name)
  }

  /// The shipped maps, or those that are named as they stand in a file.
  func showMaps() throws -> ExitCode {
    for name in arguments {
      guard let map = ShippedMap.named(name) else { throw ShippedMap.unknown(name) }
      try print(map.text + "\n")
    }
    guard arguments.isEmpty else { return .done }
    let document: JSON = [
      "schema": "uptake.maps/1",
      "data": .array(ShippedMap.all.map { ["name": .string($0.name), "about": .string($0.about)] }),
    ]
    let rows = ShippedMap.all.map { [Cell.text($0.name), .text($0.about)] }
    let table = Table([.init("MAP", key: "map"), .init("READS", key: "about").wrapping], rows: rows)
    try show(Presentation(table: table, document: document))
    return .done
  }
}
