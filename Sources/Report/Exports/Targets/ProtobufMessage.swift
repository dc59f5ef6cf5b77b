internal import Console

/// A message of protocol buffers: from its JSON form to the binary one, by the numbers of its fields.
///
/// Only what we send: whatever is written this way says exactly what its JSON form says.
struct ProtobufMessage: Sendable {
  enum Kind: Sendable {
    case text, varint, double
    /// Eight bytes; a string of decimal digits in JSON.
    case fixed64
    case message(ProtobufMessage)
  }
  struct Field: Sendable {
    var name: String
    var number: UInt64
    var kind: Kind
    init(_ name: String, _ number: UInt64, _ kind: Kind) { (self.name, self.number, self.kind) = (name, number, kind) }
  }

  /// In the order of their numbers.
  private let fields: [Field]
  init(_ fields: Field...) { self.fields = fields }

  func encoded(_ message: JSON) -> [UInt8] {
    fields.reduce(into: []) { bytes, field in
      switch message[field.name] {
      case nil: break
      case .array(let elements)?: for element in elements { field.append(element, to: &bytes) }
      case let value?: field.append(value, to: &bytes)
      }
    }
  }
}

extension ProtobufMessage.Field {
  fileprivate func append(_ value: JSON, to bytes: inout [UInt8]) {
    switch (kind, value) {
    case (.text, .string(let text)): append(Array(text.utf8), to: &bytes)
    case (.message(let message), .object): append(message.encoded(value), to: &bytes)
    case (.varint, .integer(let value)):
      appendVarint(number << 3, to: &bytes)
      appendVarint(UInt64(value), to: &bytes)
    case (.double, .number(let number)): append(number.bitPattern, to: &bytes)
    case (.fixed64, .string(let digits)): append(UInt64(digits) ?? 0, to: &bytes)
    default: preconditionFailure("\(name) is never sent as \(value.text())")
    }
  }

  private func append(_ content: [UInt8], to bytes: inout [UInt8]) {
    appendVarint(number << 3 | 2, to: &bytes)
    appendVarint(UInt64(content.count), to: &bytes)
    bytes += content
  }

  private func append(_ eightBytes: UInt64, to bytes: inout [UInt8]) {
    appendVarint(number << 3 | 1, to: &bytes)
    for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: eightBytes >> UInt64(shift))) }
  }
}

/// Seven bits a byte, the lowest first.
private func appendVarint(_ number: UInt64, to bytes: inout [UInt8]) {
  var rest = number
  while rest >= 0x80 {
    bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
    rest >>= 7
  }
  bytes.append(UInt8(rest))
}

/// OpenTelemetry's logs, `ExportLogsServiceRequest` and what is in it.
extension ProtobufMessage {
  static let logs = Self(.init("resourceLogs", 1, .message(resourceLogs)))
  private static let resourceLogs = Self(
    .init("resource", 1, .message(Self(.init("attributes", 1, .message(attribute))))),
    .init("scopeLogs", 2, .message(scopeLogs)))
  private static let scopeLogs = Self(
    .init("scope", 1, .message(Self(.init("name", 1, .text)))), .init("logRecords", 2, .message(record)))
  private static let record = Self(
    .init("timeUnixNano", 1, .fixed64), .init("severityNumber", 2, .varint), .init("severityText", 3, .text),
    .init("body", 5, .message(anyValue)), .init("attributes", 6, .message(attribute)),
    .init("observedTimeUnixNano", 11, .fixed64), .init("eventName", 12, .text))
  private static let attribute = Self(.init("key", 1, .text), .init("value", 2, .message(anyValue)))
  private static let anyValue = Self(.init("stringValue", 1, .text), .init("doubleValue", 4, .double))
}
