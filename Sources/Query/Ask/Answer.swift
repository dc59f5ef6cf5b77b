public import Console
public import Lifecycle

/// What a question answers: the same envelope for every question, also with no rows.
public struct Answer<Row: Encodable & Sendable>: Encodable, Sendable {
  public var schema: String
  public var generatedAt: Timestamp
  /// The newest contact that the answer knows; null where there is none.
  @Nullable public var dataThrough: Timestamp?
  public var query: QueryEcho
  public var warnings: [Warning]
  public var data: [Row]
  /// Groups too small to be shown; their rows follow the others in `data`, with nulls and the reason.
  public var withheld: [Withheld]

  public init(
    _ question: String, generatedAt: Timestamp, dataThrough: Timestamp?, query: QueryEcho, warnings: [Warning],
    data: [Row], withheld: [Withheld] = []
  ) {
    schema = "uptake.\(question)/1"
    self.generatedAt = generatedAt
    _dataThrough = Nullable(wrappedValue: dataThrough)
    self.query = query
    self.warnings = warnings
    self.data = data
    self.withheld = withheld
  }

  private enum Keys: String, CodingKey { case schema, generatedAt, dataThrough, query, warnings, data }

  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Keys.self)
    try fields.encode(schema, forKey: .schema)
    try fields.encode(generatedAt, forKey: .generatedAt)
    try fields.encode(_dataThrough, forKey: .dataThrough)
    try fields.encode(query, forKey: .query)
    try fields.encode(warnings, forKey: .warnings)
    var rows = fields.nestedUnkeyedContainer(forKey: .data)
    for row in data { try rows.encode(row) }
    for row in withheld { try rows.encode(row) }
  }
}

/// Something a reader of the numbers must know. Codes are part of the contract, messages are for people.
public struct Warning: Encodable, Equatable, Sendable {
  public let code: String
  /// Without the command that it ends with.
  public let what: String
  /// What to do about it.
  public private(set) var command: ShellCommand?
  public var message: String { command.map { "\(what): \($0)" } ?? what }

  public init(_ code: String, _ what: String, command: ShellCommand? = nil) {
    (self.code, self.what, self.command) = (code, what, command)
  }

  /// With a command that goes to the database which was typed.
  public func carrying(_ options: [(name: String, value: String)]) -> Warning {
    var copy = self
    copy.command = command?.carrying(options)
    return copy
  }

  private enum Keys: String, CodingKey { case code, message }

  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Keys.self)
    try fields.encode(code, forKey: .code)
    try fields.encode(message, forKey: .message)
  }
}

/// Writes an explicit null where there is no value, so that every field is in every answer.
@propertyWrapper
public struct Nullable<Value: Encodable & Sendable>: Encodable, Sendable {
  public var wrappedValue: Value?
  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
  }
}

extension Nullable: Equatable where Value: Equatable {}
extension Nullable: Hashable where Value: Hashable {}

extension Timestamp: Encodable {
  /// RFC 3339 in UTC.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rfc3339)
  }
}

extension Timestamp: Decodable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do { try self.init(rfc3339: container.decode(String.self)) } catch let error as DecodingError { throw error } catch
    {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no time as RFC 3339 writes it")
    }
  }
}

/// A key of an answer that is only known when it runs.
struct TextKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init(_ text: String) { stringValue = text }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
