internal import Console

extension JSON {
  var word: String? { if case .string(let text) = self { text } else { nil } }
  var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
  var fields: [String: JSON] { if case .object(let fields) = self { fields } else { [:] } }
  var count: Int? { if case .integer(let count) = self { count } else { nil } }
  var double: Double? {
    switch self {
    case .integer(let count): Double(count)
    case .number(let number): number
    case .null, .bool, .string, .array, .object: nil
    }
  }
}
