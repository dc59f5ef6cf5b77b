/// One way to find a value in a row, and what to make of it.
public struct MapSource: Equatable, Sendable {
  /// What becomes of a value that the table of values does not list.
  public enum Unlisted: String, CaseIterable, Sendable {
    /// It stays as it is.
    case keep
    /// There is no value here; the next source is asked.
    case empty
    /// The row is skipped, unless another source has a value.
    case skip
  }

  /// Where it lies that the row is one of those that this source is for; nil: it is for all.
  public var when: MapPath?
  /// What has to lie there; empty: anything.
  public var whenValues: [String] = []
  /// The first that has a value counts; a source without any is a constant.
  public var paths: [MapPath] = []
  /// Whether the values of all paths together name one thing, as an address and a program do.
  public var isJoined = false
  /// What the value must look like; its part `$value`, where it has one, is the value from then on.
  public var pattern: TextPattern?
  /// Whether only the version in it is meant, as in the name of a file.
  public var isVersion = false
  /// Stands in the place of what was found.
  public var constant: String?
  public var values: [String: String] = [:]
  public var unlisted = Unlisted.keep
  public var prefix = ""
  /// For numbers: what they are multiplied by.
  public var scale = 1.0
  public var time = TimeForm.rfc3339

  public init() {}

  enum Found: Equatable {
    /// With the path at which it was found.
    case value(JSONValue, MapPath?)
    case nothing, skip
  }

  func find(_ row: JSONValue) -> Found {
    guard isMeant(for: row), let (value, path) = raw(row) else { return .nothing }
    guard let part = matched(value) else { return .nothing }
    if let constant { return .value(.string(constant), path) }
    return listed(part, path)
  }

  private func isMeant(for row: JSONValue) -> Bool {
    guard let when else { return true }
    guard let text = when.find(row)?.plainText else { return false }
    return whenValues.isEmpty || whenValues.contains(text)
  }

  private func raw(_ row: JSONValue) -> (JSONValue, MapPath?)? {
    if paths.isEmpty { return constant.map { (.string($0), nil) } }
    guard isJoined else {
      return paths.lazy.compactMap { path in path.find(row).map { ($0, path) } }.first
    }
    let parts = paths.map { $0.find(row)?.plainText ?? "" }
    return parts.allSatisfy(\.isEmpty) ? nil : (.string(Draft.identity(parts)), paths.first)
  }

  private func matched(_ value: JSONValue) -> JSONValue? {
    guard pattern != nil || isVersion else { return value }
    guard let text = value.plainText, let part = cut(text), !part.isEmpty else { return nil }
    guard isVersion else { return .string(part) }
    return VersionText.find(in: part).map(JSONValue.string)
  }

  private func cut(_ text: String) -> String? {
    guard let pattern else { return text }
    guard let parts = pattern.match(text) else { return nil }
    return parts.first { $0.name == "value" }?.text ?? text
  }

  private func listed(_ value: JSONValue, _ path: MapPath?) -> Found {
    guard !values.isEmpty || !prefix.isEmpty, let text = value.plainText else { return .value(value, path) }
    if values.isEmpty { return .value(.string(prefix + text), path) }
    if let known = values[text] { return .value(.string(prefix + known), path) }
    switch unlisted {
    case .keep: return .value(.string(prefix + text), path)
    case .empty: return .nothing
    case .skip: return .skip
    }
  }
}

extension [MapSource] {
  /// What the first source with a value gives, and which it is. A row is skipped where none has one and one says so.
  func find(_ row: JSONValue) -> (found: MapSource.Found, source: MapSource?) {
    var isSkipped = false
    for source in self {
      switch source.find(row) {
      case .value(let value, let path): return (.value(value, path), source)
      case .skip: isSkipped = true
      case .nothing: break
      }
    }
    return (isSkipped ? .skip : .nothing, nil)
  }
}

extension JSONValue {
  /// Texts, numbers and truths as a text; nil for what is empty or has parts.
  var plainText: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .integer(let number): String(number)
    case .decimal(let number): "\(number)"
    case .bool(let truth): truth ? "true" : "false"
    case .null, .array, .object: nil
    }
  }
}
