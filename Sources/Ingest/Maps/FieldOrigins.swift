/// Where the fields of a row were found, and what stood there: for refusals.
struct FieldOrigins {
  private let fields: [MapField]
  var found: [(field: Field, path: MapPath?, value: JSONValue)] = []

  init(_ map: EventMap) { fields = map.fields }

  /// Where a field comes from, behind what is wrong with it.
  func words(_ field: Field) -> String {
    if let origin = found.first(where: { $0.field == field }) {
      let place = origin.path.map { "\($0.text)" } ?? "the map itself"
      return "; it comes from \(place)" + (origin.value.plainText.map { " = \(quotedWord($0))" } ?? "")
    }
    guard let rule = fields.first(where: { $0.field == field }) else {
      return field == .app ? "; name it with --app, or in the map" : "; the map does not fill it"
    }
    let paths = rule.sources.flatMap(\.paths).map(\.text)
    return paths.isEmpty ? "" : "; the map looks for it in \(paths.joined(separator: ", "))"
  }
}
