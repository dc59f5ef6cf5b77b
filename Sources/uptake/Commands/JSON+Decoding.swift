internal import Console
internal import FoundationEssentials

extension JSON {
  /// Reads a document; nil where it is none.
  init?(parsing text: String) {
    guard let read = try? JSONDecoder().decode(Readable.self, from: Data(text.utf8)) else { return nil }
    self = read.json
  }

  private struct Readable: Decodable {
    var json: JSON

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        json = .null
      } else if let flag = try? value.decode(Bool.self) {
        json = .bool(flag)
      } else if let number = try? value.decode(Int.self) {
        json = .integer(number)
      } else if let number = try? value.decode(Double.self) {
        json = .number(number)
      } else if let text = try? value.decode(String.self) {
        json = .string(text)
      } else if let elements = try? value.decode([Readable].self) {
        json = .array(elements.map(\.json))
      } else {
        json = .object(try value.decode([String: Readable].self).mapValues(\.json))
      }
    }
  }
}
