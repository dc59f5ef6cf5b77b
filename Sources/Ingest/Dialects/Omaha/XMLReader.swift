/// An element with its attributes. Omaha says everything in them; the text inside is kept of files only.
public struct XMLElement: Equatable, Sendable {
  public var name: String
  public var attributes: [String: String] = [:]
  public var children: [XMLElement] = []
  /// What stands between its tags and belongs to no child, unescaped.
  public var text = ""

  public init(name: String) { self.name = name }

  public subscript(_ name: String) -> String? { attributes[name].flatMap { $0.isEmpty ? nil : $0 } }
  public func children(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }
}

/// Why a text is not XML that is read here.
public enum XMLProblem: Error, Equatable {
  case malformed(at: Int)
  case truncated
  case tooDeep
  case tooMany
  /// A document type could define entities without end; nobody needs one here.
  case documentType

  public var message: String {
    switch self {
    case .malformed(let place): "the body is not XML: it goes wrong at byte \(place)"
    case .truncated: "the XML ends in the middle"
    case .tooDeep: "the XML nests more than \(XMLReader.depthLimit) levels"
    case .tooMany: "the XML has more than \(XMLReader.elementLimit) elements or attributes"
    case .documentType: "a document type is not read here"
    }
  }
}

/// Reads the XML of update clients and of apps' own files: elements and attributes, the five entities and numbered ones.
public struct XMLReader {
  static let depthLimit = 16
  static let elementLimit = 10_000

  private let bytes: [UInt8]
  private var place = 0
  private var count = 0
  private let isFile: Bool

  /// - Parameter isFile: somebody's own file, such as a property list: its text is kept, and the name of a document type is
  ///   passed over where it declares nothing.
  public static func read(_ bytes: [UInt8], isFile: Bool = false) throws(XMLProblem) -> XMLElement {
    var reader = XMLReader(bytes: bytes, isFile: isFile)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.place = 3 }
    var document = XMLElement(name: "")
    try reader.content(depth: 0, into: &document, until: nil)
    guard let root = document.children.first else { throw .truncated }
    return root
  }

  /// The elements up to the end tag of the one around them.
  private mutating func content(depth: Int, into parent: inout XMLElement, until name: String?) throws(XMLProblem) {
    guard depth < Self.depthLimit else { throw .tooDeep }
    while true {
      takeText(into: &parent)
      guard place < bytes.count else {
        guard name == nil else { throw .truncated }
        return
      }
      if skips("<?", "?>") || skips("<!--", "-->") { continue }
      if isFile, starts("<![CDATA[") {
        takeData(into: &parent)
        continue
      }
      if skips("<![CDATA[", "]]>") { continue }
      if starts("<!") {
        try skipDocumentType(depth)
        continue
      }
      if starts("</") { return try endTag(of: name) }
      parent.children.append(try element(depth))
      if depth == 0 { return }
    }
  }

  private mutating func takeText(into parent: inout XMLElement) {
    let start = place
    while place < bytes.count, bytes[place] != UInt8(ascii: "<") { place += 1 }
    if isFile, place > start { parent.text += unescaped(String(decoding: bytes[start..<place], as: UTF8.self)) }
  }

  private mutating func takeData(into parent: inout XMLElement) {
    let start = place + 9
    _ = skips("<![CDATA[", "]]>")
    parent.text += String(decoding: bytes[start..<max(start, place - 3)], as: UTF8.self)
  }

  /// Only its name is passed over, before the root of a file: declarations between brackets could define entities.
  private mutating func skipDocumentType(_ depth: Int) throws(XMLProblem) {
    guard isFile, depth == 0, starts("<!DOCTYPE") else { throw .documentType }
    while case let byte = try peek(), byte != UInt8(ascii: ">") {
      guard byte != UInt8(ascii: "[") else { throw .documentType }
      place += 1
    }
    place += 1
  }

  private mutating func endTag(of name: String?) throws(XMLProblem) {
    let start = place
    place += 2
    guard try word() == name else { throw .malformed(at: start) }
    skipSpace()
    try expect(UInt8(ascii: ">"))
  }

  private mutating func element(_ depth: Int) throws(XMLProblem) -> XMLElement {
    try charge()
    place += 1
    var element = XMLElement(name: try word())
    while true {
      skipSpace()
      switch try peek() {
      case UInt8(ascii: ">"):
        place += 1
        try content(depth: depth + 1, into: &element, until: element.name)
        return element
      case UInt8(ascii: "/"):
        place += 1
        try expect(UInt8(ascii: ">"))
        return element
      default:
        try charge()
        let name = try word()
        skipSpace()
        try expect(UInt8(ascii: "="))
        skipSpace()
        element.attributes[name] = try value()
      }
    }
  }

  private mutating func charge() throws(XMLProblem) {
    count += 1
    guard count <= Self.elementLimit else { throw .tooMany }
  }
}

extension XMLReader {
  private init(bytes: [UInt8], isFile: Bool) { (self.bytes, self.isFile) = (bytes, isFile) }

  private func peek() throws(XMLProblem) -> UInt8 {
    guard place < bytes.count else { throw .truncated }
    return bytes[place]
  }

  private mutating func expect(_ byte: UInt8) throws(XMLProblem) {
    guard try peek() == byte else { throw .malformed(at: place) }
    place += 1
  }

  private mutating func skipSpace() {
    while place < bytes.count, bytes[place] <= 0x20 { place += 1 }
  }

  private func starts(_ text: StaticString) -> Bool {
    bytes[place...].starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Passes over what begins and ends so; without an end, over all the rest.
  private mutating func skips(_ begin: StaticString, _ end: StaticString) -> Bool {
    guard starts(begin) else { return false }
    while place < bytes.count, !starts(end) { place += 1 }
    place = min(place + end.utf8CodeUnitCount, bytes.count)
    return true
  }

  private mutating func word() throws(XMLProblem) -> String {
    let start = place
    while case let byte = try peek(), byte > 0x20, !Self.endsWord.contains(byte) { place += 1 }
    guard place > start else { throw .malformed(at: start) }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private static let endsWord = Array("=/><\"'".utf8)

  private mutating func value() throws(XMLProblem) -> String {
    let quote = try peek()
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw .malformed(at: place) }
    place += 1
    let start = place
    while try peek() != quote {
      guard bytes[place] != UInt8(ascii: "<") else { throw .malformed(at: place) }
      place += 1
    }
    defer { place += 1 }
    return unescaped(String(decoding: bytes[start..<place], as: UTF8.self))
  }
}

/// An entity that nobody knows stays as it is.
private func unescaped(_ text: String) -> String {
  guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
  var parts = text.split(separator: "&", omittingEmptySubsequences: false)
  var result = String(parts.removeFirst())
  for part in parts {
    guard let end = part.firstIndex(of: ";"), let scalar = scalar(part[..<end]) else {
      result += "&" + part
      continue
    }
    result.unicodeScalars.append(scalar)
    result += part[part.index(after: end)...]
  }
  return result
}

private func scalar(_ name: Substring) -> Unicode.Scalar? {
  switch name {
  case "amp": "&"
  case "lt": "<"
  case "gt": ">"
  case "quot": "\""
  case "apos": "'"
  default:
    name.hasPrefix("#x")
      ? UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
      : name.hasPrefix("#") ? UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init) : nil
  }
}
