/// JSON to be written: members keep their order, so that the same values give the same bytes.
indirect enum JSON: ExpressibleByIntegerLiteral, ExpressibleByNilLiteral, ExpressibleByStringLiteral {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([(String, JSON)])

  init(nilLiteral: ()) { self = .null }
  init(integerLiteral value: Int) { self = .integer(value) }
  init(stringLiteral value: String) { self = .string(value) }

  /// On one line, without spaces.
  var compact: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .number(let value): value.isFinite ? "\(value)" : "null"
    case .string(let text): quoted(text)
    case .array(let items): "[" + items.map(\.compact).joined(separator: ",") + "]"
    case .object(let members): "{" + members.map { quoted($0) + ":" + $1.compact }.joined(separator: ",") + "}"
    }
  }
}
