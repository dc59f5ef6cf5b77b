/// A log record with what its resource says, the same from protobuf and from JSON.
struct LogRecord: Equatable {
  /// Attributes of the resource, shared by its records.
  var resource: Attributes
  var scopeVersion: String?
  var attributes = Attributes()
  var body = JSONValue.null
  var eventName: String?
  /// Nanoseconds since 1970; 0 is unknown.
  var time: Double = 0
  var observedTime: Double = 0

  init(resource: Attributes, scopeVersion: String? = nil) {
    self.resource = resource
    self.scopeVersion = scopeVersion
  }
}

/// Attributes by name. Where a name is repeated the last one counts.
struct Attributes: Equatable {
  private(set) var values: [String: JSONValue] = [:]

  subscript(_ names: String...) -> String? { names.lazy.compactMap { values[$0]?.word }.first }

  mutating func set(_ name: String, _ value: JSONValue) { values[name] = value }

  mutating func merge(_ other: [JSONValue.Member]) { for member in other { values[member.name] = member.value } }
}
