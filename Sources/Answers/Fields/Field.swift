internal import Console

/// Where a row has a value. Key paths are written as literals, which capture nothing.
typealias Path<Row, Value> = any KeyPath<Row, Value> & Sendable

/// A member of a row, declared once: its name in JSON, the value that it reads, what that means, and where it stands in the
/// table. JSON Schema, the reference, the tables and their CSV are made from lists of these.
///
/// The JSON itself is written by `Encodable`; `FieldTests` hold it against `json`, which is what the list says.
struct Field<Row>: Sendable {
  let member: Member
  let columns: [Column<Row>]
  let json: @Sendable (Row) throws -> JSON

  private init<Value>(
    _ name: String, _ path: Path<Row, Value>, _ shape: Shape, _ help: String,
    _ headings: [Heading<Row, Value>], inner: [Column<Row>] = [], json: @escaping @Sendable (Value) throws -> JSON
  ) {
    member = Member(name, shape, help)
    columns = headings.flatMap { $0.columns(name, path) } + inner
    self.json = { try json($0[keyPath: path]) }
  }
}

extension Field {
  init<Value: Shaped>(
    _ name: String, _ path: Path<Row, Value>, _ help: String, _ headings: Heading<Row, Value>...
  ) {
    self.init(name, path, Value.shape, help, headings) { try $0.listed() }
  }

  /// A text that is one of some words.
  init(
    _ name: String, _ path: Path<Row, String>, oneOf words: [String], _ help: String,
    _ headings: Heading<Row, String>...
  ) {
    self.init(name, path, .word(words), help, headings) { .string($0) }
  }
  init(_ name: String, _ path: Path<Row, String?>, oneOf words: [String], orNull help: String) {
    self.init(name, path, .nullable(.word(words)), help, []) { $0.map(JSON.string) ?? .null }
  }

  /// An object with members of its own.
  init<Item>(
    _ name: String, _ path: Path<Row, Item>, _ help: String, _ headings: Heading<Row, Item>...,
    of fields: [Field<Item>]
  ) {
    self.init(
      name, path, .object(fields.map(\.member)), help, headings,
      inner: fields.flatMap(\.columns).map { $0.read { .one($0[keyPath: path]) } }, json: fields.json)
  }

  /// The same, or null; its columns then say what is `missing`.
  init<Item>(
    _ name: String, _ path: Path<Row, Item?>, _ help: String, orNull fields: [Field<Item>],
    missing: String = ""
  ) {
    self.init(
      name, path, .nullable(.object(fields.map(\.member))), help, [],
      inner: fields.flatMap(\.columns).map { $0.read(missing: missing) { $0[keyPath: path].map { .one($0) } } }
    ) { try $0.map(fields.json) ?? .null }
  }

  /// A list of objects, or null.
  init<Item>(_ name: String, _ path: Path<Row, [Item]?>, _ help: String, eachOrNull fields: [Field<Item>]) {
    self.init(name, path, .nullable(.list(.object(fields.map(\.member)))), help, []) {
      try $0.map { .array(try $0.map(fields.json)) } ?? .null
    }
  }

  /// A list of objects. Where these have columns, the table has a line for each.
  init<Item>(
    _ name: String, _ path: Path<Row, [Item]>, _ help: String, _ headings: Heading<Row, [Item]>...,
    each fields: [Field<Item>]
  ) {
    self.init(
      name, path, .list(.object(fields.map(\.member))), help, headings,
      inner: fields.flatMap(\.columns).map { $0.read { .each($0[keyPath: path]) } }
    ) { .array(try $0.map(fields.json)) }
  }
}

extension Array {
  /// The row as the list says that its JSON is.
  func json<Row>(_ row: Row) throws -> JSON where Element == Field<Row> {
    .object(Dictionary(uniqueKeysWithValues: try map { ($0.member.name, try $0.json(row)) }))
  }

  /// The fields of a part as fields of the row that holds it: in JSON they stand beside the row's own.
  func beside<Row, Outer>(_ path: Path<Outer, Row>) -> [Field<Outer>] where Element == Field<Row> {
    map { Field<Outer>($0, at: path) }
  }
}

extension Array {
  /// The list with a heading for one of its fields, where other answers show none.
  func showing<Row, Value>(
    _ name: String, _ path: Path<Row, Value>, _ heading: Heading<Row, Value>
  ) -> [Field<Row>] where Element == Field<Row> {
    precondition(contains { $0.member.name == name }, "there is no field \(name)")
    return map { $0.member.name == name ? Field($0, heading.columns(name, path)) : $0 }
  }
}

extension Field {
  fileprivate init(_ field: Field, _ columns: [Column<Row>]) {
    (member, json, self.columns) = (field.member, field.json, columns)
  }

  fileprivate init<Inner>(_ field: Field<Inner>, at path: Path<Row, Inner>) {
    member = field.member
    columns = field.columns.map { $0.read { .one($0[keyPath: path]) } }
    json = { try field.json($0[keyPath: path]) }
  }
}
