/// An element with its attributes. Text between elements is not kept: Omaha says everything in attributes.
struct XMLElement: Equatable {
  var name: String
  var attributes: [String: String] = [:]
  var children: [XMLElement] = []

  subscript(_ name: String) -> String? { attributes[name].flatMap { $0.isEmpty ? nil : $0 } }
  func children(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }
}

/// Why a text is not XML that is read here.
enum XMLProblem: Error, Equatable {
  case malformed(at: Int)
  case truncated
  case tooDeep
  case tooMany
  /// A document type could define entities without end; nobody needs one here.
  case documentType

  var message: String {
    switch self {
    case .malformed(let place): "the body is not XML: it goes wrong at byte \(place)"
    case .truncated: "the XML ends in the middle"
    case .tooDeep: "the XML nests more than \(XMLReader.depthLimit) levels"
    case .tooMany: "the XML has more than \(XMLReader.elementLimit) elements or attributes"
    case .documentType: "a document type is not read here"
    }
  }
}

/// Reads the XML of update clients: elements and attributes, the five entities and numbered ones, no document types.
struct XMLReader {
  static let depthLimit = 16
  static let elementLimit = 10_000

  private let bytes: [UInt8]
  private var place = 0
  private var count = 0

  static func read(_ bytes: [UInt8]) throws(XMLProblem) -> XMLElement {
    var reader = XMLReader(bytes: bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.place = 3 }
    guard let root = try reader.content(depth: 0, until: nil).first else { throw .truncated }
    return root
  }

  /// The elements up to the end tag of the one around them.
  private mutating func content(depth: Int, until name: String?) throws(XMLProblem) -> [XMLElement] {
    guard depth < Self.depthLimit else { throw .tooDeep }
    var elements: [XMLElement] = []
    while true {
      while place < bytes.count, bytes[place] != UInt8(ascii: "<") { place += 1 }
      guard place < bytes.count else {
        guard name == nil else { throw .truncated }
        return elements
      }
      if skips("<?", "?>") || skips("<!--", "-->") || skips("<![CDATA[", "]]>") { continue }
      if starts("<!") { throw .documentType }
      if starts("</") {
        try endTag(of: name)
        return elements
      }
      elements.append(try element(depth))
      if depth == 0 { return elements }
    }
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
        element.children = try content(depth: depth + 1, until: element.name)
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
  private init(bytes: [UInt8]) { self.bytes = bytes }

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
