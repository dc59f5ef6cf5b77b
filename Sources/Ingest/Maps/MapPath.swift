/// Where a value lies in a row: `context.app.version`, `params[key=version].value.*`, `items[0]`, `request?version`.
///
/// A text that is JSON is entered like an object. A column whose name is the whole path goes before all of that.
public struct MapPath: Equatable, Sendable {
  enum Step: Equatable {
    case member(String)
    case index(Int)
    /// The first element whose member has that value, or begins so.
    case element(String, String)
    /// The first member that is not null.
    case anyMember
    /// A parameter of an address.
    case query(String)
  }

  public let text: String
  let steps: [Step]
  /// The member of the row in which it begins; of a table, the column.
  public var column: String? { if case .member(let name) = steps.first { name } else { nil } }

  public init(_ text: String) throws(MapSyntaxError) {
    self.text = text
    var reader = PathReader(text)
    steps = try reader.read()
  }

  /// nil where there is nothing, or an empty text.
  func find(_ row: JSONValue) -> JSONValue? {
    if steps.count > 1, let whole = row[text] { return whole.presence }
    var value = row
    for step in steps {
      guard let next = value.entered.step(step) else { return nil }
      value = next
    }
    return value.presence
  }
}

extension JSONValue {
  fileprivate var presence: JSONValue? { self == .null || self == .string("") ? nil : self }

  /// What a text holds that is JSON itself, as columns of tables do.
  var entered: JSONValue {
    guard case .string(let text) = self, let first = text.utf8.first,
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return self }
    return (try? JSONReader.read(Array(text.utf8))) ?? self
  }

  fileprivate func step(_ step: MapPath.Step) -> JSONValue? {
    switch step {
    case .member(let name): self[name]
    case .index(let index): array.flatMap { index < $0.count ? $0[index] : nil }
    case .element(let name, let text): array?.first { $0[name]?.plainText?.isMeant(by: text) == true }
    case .anyMember: members?.lazy.compactMap { $0.value.presence }.first
    case .query(let name): queryItem(name)
    }
  }

  /// Also where the address stands in a line of a request: `GET /feed.xml?version=2 HTTP/1.1`.
  private func queryItem(_ name: String) -> JSONValue? {
    guard case .string(let text) = self, let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
    let query = text[mark...].dropFirst().prefix { $0 != " " && $0 != "#" }
    for item in query.split(separator: "&") {
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, pair[0].percentDecoded(plusIsBlank: true) == name else { continue }
      return .string(pair[1].percentDecoded(plusIsBlank: true))
    }
    return nil
  }
}

extension String {
  /// `1-0-*` means all that begin like it.
  fileprivate func isMeant(by text: String) -> Bool {
    text.hasSuffix("*") ? hasPrefix(text.dropLast()) : self == text
  }
}

extension Substring {
  /// What is no escape stays.
  func percentDecoded(plusIsBlank: Bool = false) -> String {
    var (bytes, rest) = ([UInt8](), Array(utf8)[...])
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(plusIsBlank && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
