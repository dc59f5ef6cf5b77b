internal import Ingest

/// A value of a property list, as far as rules ask.
indirect enum PropertyList: Equatable {
  case text(String)
  case flag(Bool)
  case list([PropertyList])
  case dictionary([String: PropertyList])
  /// A number, a date, or data: no rule looks into them.
  case other

  subscript(_ key: String) -> PropertyList? { if case .dictionary(let values) = self { values[key] } else { nil } }
  var texts: [String]? {
    guard case .list(let values) = self else { return nil }
    return values.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }
  var text: String? { if case .text(let text) = self { text } else { nil } }
}

extension PropertyList {
  /// Reads the XML form. The binary form, which built apps hold, is refused with what turns it into XML.
  init(_ file: AppFile) throws(FileProblem) {
    if file.bytes.starts(with: "bplist".utf8) {
      throw FileProblem(
        found: "a binary property list", fix: "turn it into XML: plutil -convert xml1 -o - \(file.path)")
    }
    let root: XMLElement
    do throws(XMLProblem) { root = try XMLReader.read(file.bytes, isFile: true) } catch {
      throw FileProblem(found: error.message, fix: "open it in Xcode and save it, or run plutil -lint on it")
    }
    guard root.name == "plist", let content = root.children.first, root.children.count == 1 else {
      throw FileProblem(found: "no property list", fix: "give an Info.plist, or a file of entitlements")
    }
    self.init(content)
  }

  private init(_ element: XMLElement) {
    switch element.name {
    case "string": self = .text(element.text)
    case "true": self = .flag(true)
    case "false": self = .flag(false)
    case "array": self = .list(element.children.map { PropertyList($0) })
    case "dict": self = .dictionary(Self.pairs(element.children))
    default: self = .other
    }
  }

  /// A key without a value behind it has none.
  private static func pairs(_ elements: [XMLElement]) -> [String: PropertyList] {
    var (values, key): ([String: PropertyList], String?) = ([:], nil)
    for element in elements {
      if element.name == "key" {
        key = element.text
      } else if let name = key {
        values[name] = PropertyList(element)
        key = nil
      }
    }
    return values
  }
}
