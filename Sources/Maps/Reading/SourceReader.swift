internal import Console
internal import Ingest

/// Reads the keys of one source: where a value lies, and what is made of it.
struct SourceReader {
  static let keys = [
    "path", "join", "pattern", "find", "value", "values", "unlisted", "prefix", "scale", "time", "zone", "when", "is",
  ]
  /// Of the field that it fills; nil for tags and conditions.
  let field: String?
  private(set) var source = MapSource()
  private var time: MapEntry?
  private var zone: MapEntry?
  private var scale: MapEntry?
  private var wanted: MapEntry?
  /// The first key that was read: what is missing is said there.
  private var first: MapEntry?

  init(field: String?) {
    self.field = field
    // A row of which nobody says what it means is no event.
    if field == "stage" { source.unlisted = .skip }
  }

  mutating func read(_ name: String, _ entry: MapEntry) throws(Failure) {
    first = first ?? entry
    switch name {
    case "path": source.paths = try paths(entry)
    case "join": (source.paths, source.isJoined) = (try paths(entry), true)
    case "pattern":
      let text = try entry.text()
      source.pattern = try entry.parsed { () throws(MapSyntaxError) in try TextPattern(text) }
    case "find": source.isVersion = try isVersion(entry)
    case "value": source.constant = try known(entry.text(), entry)
    case "values":
      for (from, to) in try entry.pairs() { source.values[from] = try known(to, entry) }
    case "unlisted": source.unlisted = try unlisted(entry)
    case "prefix": source.prefix = try entry.text()
    case "scale": (scale, source.scale) = (entry, try entry.number())
    case "time": time = entry
    case "zone": zone = entry
    case "when":
      let text = try entry.text()
      source.when = try entry.parsed { () throws(MapSyntaxError) in try MapPath(text) }
    case "is": (wanted, source.whenValues) = (entry, try entry.texts())
    default:
      throw entry.failure(
        "unknown key \"\(name)\"", suggestions: suggestions(for: name, among: Self.keys),
        hint: "the keys of a source: " + Self.keys.joined(separator: ", "))
    }
  }

  private func paths(_ entry: MapEntry) throws(Failure) -> [MapPath] {
    if !source.paths.isEmpty {
      throw entry.failure("path and join are two ways to say the same", hint: "keep one of them")
    }
    var paths: [MapPath] = []
    for text in try entry.texts() { paths.append(try entry.parsed { () throws(MapSyntaxError) in try MapPath(text) }) }
    return paths
  }

  /// A word that the map puts into a field of a closed vocabulary is one of it.
  private func known(_ word: String, _ entry: MapEntry) throws(Failure) -> String {
    if let field, let problem = EventMap.problem(of: word, in: field) { throw entry.failure(problem) }
    return word
  }

  private func isVersion(_ entry: MapEntry) throws(Failure) -> Bool {
    let text = try entry.text()
    guard text == "version" else {
      throw entry.failure("\(entry.key) is \"\(text)\"", hint: "permitted: version, the version in the name of a file")
    }
    return true
  }

  private func unlisted(_ entry: MapEntry) throws(Failure) -> MapSource.Unlisted {
    let text = try entry.text()
    let known = MapSource.Unlisted.allCases.map(\.rawValue)
    guard let unlisted = MapSource.Unlisted(rawValue: text) else {
      throw entry.failure(
        "\(entry.key) is \"\(text)\"", suggestions: suggestions(for: text, among: known),
        hint: "permitted: " + known.joined(separator: ", "))
    }
    return unlisted
  }

  /// Ends the source, and checks what its keys say together.
  consuming func finish() throws(Failure) -> MapSource {
    try checkUses()
    if let time = time ?? zone {
      let (form, zone) = (try self.time?.text() ?? "rfc3339", try zone?.text())
      source.time = try time.parsed { () throws(MapSyntaxError) in try TimeForm(form, zone: zone) }
    }
    guard let first, source.paths.isEmpty else { return source }
    guard source.constant != nil else {
      throw first.failure(
        "\(field ?? "this") comes from nowhere",
        hint: "write path = \"where.it.lies\", or value = \"what it always is\"")
    }
    guard source.pattern == nil, source.values.isEmpty, !source.isVersion else {
      throw first.failure("pattern, find and values need a path to look at", hint: "add path = \"where.it.lies\"")
    }
    return source
  }

  private func checkUses() throws(Failure) {
    if let wanted, source.when == nil {
      throw wanted.failure("\(wanted.key) needs a when", hint: "add when = \"where.it.lies\", or take it out")
    }
    if let entry = time ?? zone, !(field.map(EventMap.isTime) ?? false) {
      throw entry.failure("\(entry.key) is for instants only", hint: "fields that are instants: at, received, sentAt")
    }
    if let entry = scale, !(field.map(EventMap.isNumber) ?? false) {
      throw entry.failure(
        "\(entry.key) is for numbers only", hint: "fields that are numbers: durationMs, bytes, bucket")
    }
  }
}
