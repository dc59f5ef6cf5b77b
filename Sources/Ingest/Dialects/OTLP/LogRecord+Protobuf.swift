extension LogRecord {
  /// The records of an `ExportLogsServiceRequest`.
  static func read(protobuf bytes: [UInt8]) throws(ProtobufProblem) -> [LogRecord] {
    var records: [LogRecord] = []
    var budget = ProtobufReader.fieldLimit
    var reader = ProtobufReader(bytes)
    let whole = reader
    try reader.eachField(&budget) { (number, value, budget) throws(ProtobufProblem) in
      guard number == 1, case .bytes(let range) = value else { return }
      try readResourceLogs(try whole.message(range), &budget, into: &records)
    }
    return records
  }

  /// The resource may stand behind its records.
  private static func readResourceLogs(
    _ message: ProtobufReader, _ budget: inout Int, into records: inout [LogRecord]
  ) throws(ProtobufProblem) {
    var reader = message
    var resource = Attributes()
    var scopes: [Range<Int>] = []
    try reader.eachField(&budget) { (number, value, budget) throws(ProtobufProblem) in
      guard case .bytes(let range) = value else { return }
      if number == 1 { try readPairs(try message.message(range), numbered: 1, &budget, into: &resource) }
      if number == 2 { scopes.append(range) }
    }
    for scope in scopes { try readScopeLogs(try message.message(scope), resource, &budget, into: &records) }
  }

  private static func readScopeLogs(
    _ message: ProtobufReader, _ resource: Attributes, _ budget: inout Int, into records: inout [LogRecord]
  ) throws(ProtobufProblem) {
    var reader = message
    var version: String?
    var logs: [Range<Int>] = []
    try reader.eachField(&budget) { (number, value, budget) throws(ProtobufProblem) in
      guard case .bytes(let range) = value else { return }
      if number == 1 { version = try scopeVersion(try message.message(range), &budget) }
      if number == 2 { logs.append(range) }
    }
    for log in logs {
      var record = LogRecord(resource: resource, scopeVersion: version)
      try record.read(try message.message(log), &budget)
      records.append(record)
    }
  }

  private static func scopeVersion(_ message: ProtobufReader, _ budget: inout Int) throws(ProtobufProblem) -> String? {
    var reader = message
    var version: String?
    try reader.eachField(&budget) { (number, value, _) throws(ProtobufProblem) in
      if number == 2, case .bytes(let range) = value { version = message.text(range) }
    }
    return version
  }

  private mutating func read(_ message: ProtobufReader, _ budget: inout Int) throws(ProtobufProblem) {
    var reader = message
    var record = self
    try reader.eachField(&budget) { (number, value, budget) throws(ProtobufProblem) in
      switch (number, value) {
      case (1, .fixed64(let time)): record.time = Double(time)
      case (11, .fixed64(let time)): record.observedTime = Double(time)
      case (5, .bytes(let range)): record.body = try anyValue(try message.message(range), &budget)
      case (6, .bytes(let range)): try pair(try message.message(range), &budget, into: &record.attributes)
      case (12, .bytes(let range)): record.eventName = message.text(range)
      default: break
      }
    }
    self = record
  }
}

/// The key–value pairs that lie in a message under one number.
private func readPairs(
  _ message: ProtobufReader, numbered wanted: Int, _ budget: inout Int, into attributes: inout Attributes
) throws(ProtobufProblem) {
  var reader = message
  var found = attributes
  try reader.eachField(&budget) { (number, value, budget) throws(ProtobufProblem) in
    guard number == wanted, case .bytes(let range) = value else { return }
    try pair(try message.message(range), &budget, into: &found)
  }
  attributes = found
}

private func pair(
  _ message: ProtobufReader, _ budget: inout Int, into attributes: inout Attributes
) throws(ProtobufProblem) {
  var reader = message
  var (name, found) = ("", JSONValue.null)
  try reader.eachField(&budget) { (number, value, budget) throws(ProtobufProblem) in
    guard case .bytes(let range) = value else { return }
    if number == 1 { name = message.text(range) }
    if number == 2 { found = try anyValue(try message.message(range), &budget) }
  }
  attributes.set(name, found)
}

private func anyValue(_ message: ProtobufReader, _ budget: inout Int) throws(ProtobufProblem) -> JSONValue {
  var reader = message
  var found = JSONValue.null
  try reader.eachField(&budget) { (number, value, budget) throws(ProtobufProblem) in
    switch (number, value) {
    case (1, .bytes(let range)): found = .string(message.text(range))
    case (2, .varint(let number)): found = .bool(number != 0)
    case (3, .varint(let number)): found = .integer(Int64(bitPattern: number))
    case (4, .fixed64(let bits)): found = .decimal(Double(bitPattern: bits))
    case (5, .bytes(let range)): found = try list(try message.message(range), &budget)
    case (6, .bytes(let range)):
      var members = Attributes()
      try readPairs(try message.message(range), numbered: 1, &budget, into: &members)
      found = .object(members.values.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) })
    default: break
    }
  }
  return found
}

private func list(_ message: ProtobufReader, _ budget: inout Int) throws(ProtobufProblem) -> JSONValue {
  var reader = message
  var values: [JSONValue] = []
  try reader.eachField(&budget) { (number, value, budget) throws(ProtobufProblem) in
    guard number == 1, case .bytes(let range) = value else { return }
    values.append(try anyValue(try message.message(range), &budget))
  }
  return .array(values)
}
