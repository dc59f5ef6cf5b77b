import CSimdjson
import Lifecycle

/// A row of an export as the cells of an event, in memory that is used again.
struct MappedRow {
  enum Outcome {
    case event, skipped
    case refused(Field, RejectionCode, String)
  }

  private let map: EventMap
  private var bytes: [UInt8] = []
  private var texts: [(field: Field, place: Range<Int>)] = []
  private var cells = Array(repeating: csj_cell(), count: Int(CSJ_SLOTS))
  private var present: UInt64 = 0
  private(set) var origins: FieldOrigins

  init(_ map: EventMap) {
    var map = map
    // The stage decides whether a row is looked at any further.
    map.fields = map.fields.filter { $0.field == .stage } + map.fields.filter { $0.field != .stage }
    self.map = map
    origins = FieldOrigins(map)
  }

  mutating func read(_ row: JSONValue) -> Outcome {
    bytes.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    origins.found.removeAll(keepingCapacity: true)
    present = 0
    guard map.conditions.allSatisfy({ $0.holds(row) }) else { return .skipped }
    for rule in map.fields {
      let (found, source) = rule.sources.find(row)
      switch found {
      case .skip: return .skipped
      case .nothing: if rule.field == .stage { return .skipped }
      case .value(let value, let path):
        guard let source else { continue }
        origins.found.append((rule.field, path, value))
        if let refusal = put(value, rule.field, source) { return refusal }
      }
    }
    putTags(row)
    return .event
  }

  /// The cells, for as long as the body runs.
  mutating func withCells(_ body: (UInt64, UnsafePointer<csj_cell>) -> Void) {
    bytes.append(0)
    bytes.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return }
      for (field, place) in texts {
        let text = start + place.lowerBound
        cells[field.rawValue].text = text
        cells[field.rawValue].length = UInt32(place.count)
        if cells[field.rawValue].kind == csj_string { cells[field.rawValue].kind = csj_text_kind(text, place.count) }
      }
      cells.withUnsafeBufferPointer { cells in
        if let first = cells.baseAddress { body(present, first) }
      }
    }
  }
}

// MARK: values to cells

extension MappedRow {
  private mutating func put(_ value: JSONValue, _ field: Field, _ source: MapSource) -> Outcome? {
    switch field.kind {
    case .text, .word: putText(value, field)
    case .integer: putNumber(value, field, source.scale)
    case .boolean: putTruth(value, field)
    case .object: putText(value.entered, field)
    case .time:
      guard let instant = source.time.instant(value) else { return notATime(value, field, source.time) }
      putInteger(instant.rawValue, field)
    }
    return nil
  }

  private mutating func putText(_ value: JSONValue, _ field: Field) {
    let begin = bytes.count
    switch value {
    case .object: cells[field.rawValue].kind = csj_object
    case .array: cells[field.rawValue].kind = csj_array
    default: cells[field.rawValue].kind = csj_string
    }
    if let text = value.plainText {
      bytes += field.describesDevice ? text.cut(to: field.limit) : text[...].utf8
    } else {
      value.append(to: &bytes)
    }
    texts.append((field, begin..<bytes.count))
    present |= field.bit
  }

  private mutating func putInteger(_ number: Int64, _ field: Field) {
    cells[field.rawValue].kind = csj_integer
    cells[field.rawValue].integer = number
    present |= field.bit
  }

  /// What is scaled is rounded; what is not has to be whole.
  private mutating func putNumber(_ value: JSONValue, _ field: Field, _ scale: Double) {
    if scale == 1 {
      if case .integer(let number) = value { return putInteger(number, field) }
      if case .string(let text) = value, let number = Int64(text) { return putInteger(number, field) }
    }
    guard let number = value.number else { return putText(value, field) }
    if scale != 1, let whole = Int64(exactly: (number * scale).rounded()) { return putInteger(whole, field) }
    cells[field.rawValue].kind = csj_decimal
    cells[field.rawValue].decimal = number * scale
    present |= field.bit
  }

  private mutating func putTruth(_ value: JSONValue, _ field: Field) {
    let words = ["true": true, "1": true, "false": false, "0": false]
    guard let truth = value.plainText.flatMap({ words[$0.lowercased()] }) else { return putText(value, field) }
    cells[field.rawValue].kind = csj_boolean
    cells[field.rawValue].integer = truth ? 1 : 0
    present |= field.bit
  }

  /// Tags that are named one by one lie beside those of a whole object.
  private mutating func putTags(_ row: JSONValue) {
    guard !map.tags.isEmpty else { return }
    var members = origins.found.first { $0.field == .tags }?.value.entered.members ?? []
    for tag in map.tags {
      guard case .value(let value, _) = tag.sources.find(row).found else { continue }
      members.append(.init(name: tag.name, value: value))
    }
    texts.removeAll { $0.field == .tags }
    if !members.isEmpty { putText(.object(members), .tags) }
  }
}

// MARK: words

extension MappedRow {
  private func notATime(_ value: JSONValue, _ field: Field, _ form: TimeForm) -> Outcome {
    let said = quotedWord(value.plainText ?? "an object or a list")
    return .refused(
      field, .badTime,
      "\"\(field)\" is \(said), which is not \(form.words); say how the export writes it: time = \"…\" in the map")
  }
}
