internal import Console
internal import Ingest

/// A key of a map with its value, and where it stands.
struct MapEntry {
  let key: String
  let value: TOMLFile.Value
  let place: String

  func failure(_ what: String, suggestions: [String] = [], hint: String? = nil) -> Failure {
    mapFailure(what, place: place, suggestions: suggestions, hint: hint)
  }

  /// A text, or a number or truth as one.
  func text() throws(Failure) -> String {
    guard let text = value.plainText else {
      throw failure("\(key) takes one text, not a list", hint: "write \(key) = \"…\"")
    }
    return text
  }

  /// One text or several.
  func texts() throws(Failure) -> [String] {
    guard case .array(let values) = value else { return [try text()] }
    let texts = values.compactMap(\.plainText)
    guard texts.count == values.count, !texts.isEmpty else {
      throw failure("\(key) takes texts", hint: "write \(key) = [\"…\", \"…\"]")
    }
    return texts
  }

  /// `[["from", "to"], …]`
  func pairs() throws(Failure) -> [(String, String)] {
    let hint = "write \(key) = [[\"what the export says\", \"what is meant\"], …]"
    guard case .array(let rows) = value, !rows.isEmpty else {
      throw failure("\(key) takes a list of pairs", hint: hint)
    }
    var pairs: [(String, String)] = []
    for row in rows {
      guard case .array(let cells) = row, cells.count == 2, let from = cells[0].plainText, let to = cells[1].plainText
      else { throw failure("\(key) has a row that is no pair", hint: hint) }
      if pairs.contains(where: { $0.0 == from }) {
        throw failure("\(key) lists \"\(from)\" twice", hint: "keep one of them")
      }
      pairs.append((from, to))
    }
    return pairs
  }

  func number() throws(Failure) -> Double {
    switch value {
    case .integer(let number) where number > 0: return Double(number)
    case .float(let number) where number > 0: return number
    default:
      throw failure("\(key) takes a number above 0", hint: "write \(key) = 1000 for seconds that become milliseconds")
    }
  }

  /// Puts the place to what is wrong inside of the value.
  func parsed<Value>(_ parse: () throws(MapSyntaxError) -> Value) throws(Failure) -> Value {
    do throws(MapSyntaxError) { return try parse() } catch {
      throw failure("\(key): \(error.message)", hint: error.hint)
    }
  }
}

func mapFailure(_ what: String, place: String, suggestions: [String] = [], hint: String? = nil) -> Failure {
  Failure(
    "bad_map", what, place: place, suggestions: suggestions, hints: [hint].compactMap { $0 }, exit: .usage)
}

extension TOMLFile.Value {
  var plainText: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .float(let number): "\(number)"
    case .boolean(let truth): truth ? "true" : "false"
    case .array: nil
    }
  }
}
