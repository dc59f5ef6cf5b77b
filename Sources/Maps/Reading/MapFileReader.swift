internal import Console
internal import Ingest

/// Reads a map from TOML: the first error stops it, with its line.
struct MapFileReader {
  private let file: TOMLFile
  private var map = EventMap(format: .jsonl)
  private var format: MapEntry?
  /// By the table in which a source stands, in order; of arrays of tables one for each element.
  private var sources: [(name: String, element: Int, reader: SourceReader, entry: MapEntry)] = []
  /// Of conditions, by their place in `sources`.
  private var wanted: [Int: [String]] = [:]

  private static let topKeys = ["about", "format", "pattern", "columns"]
  private static let tables = ["event", "tags", "only", "skip"]

  init(_ text: String, path: String) throws(Failure) {
    file = try TOMLFile(text, path: path)
  }

  mutating func read() throws(Failure) -> EventMap {
    for entry in file.entries { try read(entry) }
    try checkHeadings()
    try put()
    try MapChecks(map: map, path: file.path, format: format).check()
    return map
  }

  private mutating func read(_ entry: TOMLFile.Entry) throws(Failure) {
    let names = entry.key.split(separator: ".").map(String.init)
    let here = MapEntry(key: entry.key, value: entry.value, place: "\(file.path):\(entry.line)")
    if names.count == 1 { return try readTop(names[0], here) }
    switch names[0] {
    case "event" where names.count <= 3, "tags":
      try readSource(names, entry.element, here)
    case "only" where names.count == 2, "skip" where names.count == 2:
      try readCondition(names, entry.element ?? 0, here)
    default:
      throw here.failure(
        "unknown key \"\(entry.key)\"", suggestions: suggestions(for: names[0], among: Self.tables),
        hint: "tables of a map: [event], [event.FIELD], [tags], [[only]], [[skip]]")
    }
  }

  private mutating func readTop(_ name: String, _ entry: MapEntry) throws(Failure) {
    switch name {
    case "about": _ = try entry.text()
    case "columns": map.columns = try entry.texts()
    case "pattern":
      let text = try entry.text()
      map.pattern = try entry.parsed { () throws(MapSyntaxError) in try TextPattern(text) }
    case "format":
      let text = try entry.text()
      let known = EventMap.Format.allCases.map(\.rawValue)
      guard let found = EventMap.Format(rawValue: text) else {
        throw entry.failure(
          "format is \"\(text)\"", suggestions: suggestions(for: text, among: known),
          hint: "permitted: " + known.joined(separator: ", "))
      }
      (map.format, format) = (found, entry)
    default:
      throw entry.failure(
        "unknown key \"\(name)\"", suggestions: suggestions(for: name, among: Self.topKeys + Self.tables),
        hint: "keys at the top: \(Self.topKeys.joined(separator: ", ")); fields stand below [event]")
    }
  }

  /// `event.device = "path"` is short for `[event.device] path = "path"`; tags may have dots in their names.
  private mutating func readSource(_ names: [String], _ element: Int?, _ entry: MapEntry) throws(Failure) {
    let table = names.dropLast().joined(separator: ".")
    let isLong = names.count > 2 && (names[0] == "event" || file.tables[table] != nil || file.elements[table] != nil)
    let name = isLong ? table : names.joined(separator: ".")
    if names[0] == "event", !EventMap.fieldNames.contains(names[1]) {
      throw entry.failure(
        "events have no field \"\(names[1])\"", suggestions: suggestions(for: names[1], among: EventMap.fieldNames),
        hint: "fields: " + EventMap.fieldNames.joined(separator: ", "))
    }
    let index = try source(name, element ?? 0, field: names[0] == "event" ? names[1] : nil, entry, isLong)
    try sources[index].reader.read(isLong ? names[names.count - 1] : "path", entry)
  }

  private mutating func readCondition(_ names: [String], _ element: Int, _ entry: MapEntry) throws(Failure) {
    let index = try source(names[0], element, field: nil, entry, true)
    if names[1] == "is" {
      wanted[index] = try entry.texts()
    } else {
      try sources[index].reader.read(names[1], entry)
    }
  }

  /// The source to which a key belongs, a new one where it is the first.
  private mutating func source(
    _ name: String, _ element: Int, field: String?, _ entry: MapEntry, _ isLong: Bool
  ) throws(Failure) -> Int {
    if let known = sources.firstIndex(where: { $0.name == name && $0.element == element }) {
      guard isLong, sources[known].entry.key != name else {
        throw entry.failure("\(name) is there twice, as a key and as a table", hint: "keep one of them")
      }
      return known
    }
    sources.append((name, element, SourceReader(field: field), entry))
    return sources.count - 1
  }

  private func checkHeadings() throws(Failure) {
    let headings = file.tables.map { ($0.key, $0.value) } + file.elements.map { ($0.key, $0.value[0]) }
    for (name, line) in headings.sorted(by: { $0.1 < $1.1 }) {
      let first = name.prefix { $0 != "." }
      guard !Self.tables.contains(String(first)) else { continue }
      throw mapFailure(
        "unknown table [\(name)]", place: "\(file.path):\(line)",
        suggestions: suggestions(for: String(first), among: Self.tables),
        hint: "tables of a map: [event], [event.FIELD], [tags], [[only]], [[skip]]")
    }
  }

  private mutating func put() throws(Failure) {
    var fields: [(name: String, sources: [MapSource])] = []
    for (index, item) in sources.enumerated() {
      let source = try item.reader.finish()
      if item.name == "only" || item.name == "skip" {
        map.conditions.append(MapCondition(source, values: wanted[index] ?? [], isNegated: item.name == "skip"))
      } else if let known = fields.firstIndex(where: { $0.name == item.name }) {
        fields[known].sources.append(source)
      } else {
        fields.append((item.name, [source]))
      }
    }
    for (name, sources) in fields {
      let short = String(name[name.index(after: name.firstIndex(of: ".") ?? name.startIndex)...])
      if name.hasPrefix("tags.") {
        map.tags.append(MapTag(short, sources))
      } else if let field = MapField(short, sources) {
        map.fields.append(field)
      }
    }
  }
}
