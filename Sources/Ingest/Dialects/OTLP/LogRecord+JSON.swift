extension LogRecord {
  /// The records of OTLP's JSON: names in camel case, 64-bit numbers as text or as numbers.
  static func read(json request: JSONValue) -> [LogRecord] {
    var records: [LogRecord] = []
    for resourceLogs in request[["resourceLogs", "resource_logs"]]?.array ?? [] {
      let resource = Attributes(resourceLogs["resource"]?["attributes"])
      for scopeLogs in resourceLogs[["scopeLogs", "scope_logs"]]?.array ?? [] {
        let version = scopeLogs["scope"]?["version"]?.text
        for log in scopeLogs[["logRecords", "log_records"]]?.array ?? [] {
          var record = LogRecord(resource: resource, scopeVersion: version)
          record.attributes = Attributes(log["attributes"])
          record.body = log["body"].map(plain) ?? .null
          record.eventName = log[["eventName", "event_name"]]?.text
          record.time = log[["timeUnixNano", "time_unix_nano"]]?.number ?? 0
          record.observedTime = log[["observedTimeUnixNano", "observed_time_unix_nano"]]?.number ?? 0
          records.append(record)
        }
      }
    }
    return records
  }
}

extension Attributes {
  /// A list of pairs; any other shape holds none.
  init(_ list: JSONValue?) {
    for pair in list?.array ?? [] {
      guard let name = pair["key"]?.text, let value = pair["value"] else { continue }
      set(name, plain(value))
    }
  }
}

/// An `AnyValue` without its wrapping. What JSON nests is bounded by its reader.
private func plain(_ value: JSONValue) -> JSONValue {
  if let text = value[["stringValue", "string_value"]] { return text }
  if let flag = value[["boolValue", "bool_value"]] { return flag }
  if let number = value[["intValue", "int_value"]]?.integer { return .integer(number) }
  if let number = value[["doubleValue", "double_value"]]?.number { return .decimal(number) }
  if let values = value[["arrayValue", "array_value"]]?["values"]?.array { return .array(values.map(plain)) }
  guard let pairs = value[["kvlistValue", "kvlist_value"]]?["values"] else { return .null }
  return .object(Attributes(pairs).values.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) })
}
