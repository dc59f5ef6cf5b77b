/// Markup. Text is escaped when it is interpolated; only `HTML` passes as it is.
///
/// Names come from devices: characters that would end the markup, control it, or turn the direction of the text around
/// them are made harmless here, once, for every page.
public struct HTML: Equatable, Sendable, CustomStringConvertible {
  public private(set) var description: String
  /// The pictures and tables in it, as files of their own.
  private(set) var files: [PanelFile] = []
  public static let empty: HTML = ""
  public var isEmpty: Bool { description.isEmpty }

  /// Markup that is known to be whole.
  init(trusted text: String) { description = text }

  static func + (left: HTML, right: HTML) -> HTML { "\(left)\(right)" }
  static func += (left: inout HTML, right: HTML) {
    left.description += right.description
    left.files += right.files
  }

  /// A text in the place of a mark that stands for it.
  func putting(_ text: String, for mark: HTML) -> HTML {
    var html = self
    html.description = description.replacing(mark.description, with: escaped(text))
    return html
  }

  /// The same, which is to be had as a file as well.
  func kept(as file: PanelFile) -> HTML {
    var html = self
    html.files.append(file)
    return html
  }
}

extension HTML: ExpressibleByStringInterpolation {
  public init(stringLiteral markup: StaticString) { description = markup.description }
  public init(stringInterpolation parts: Interpolation) { (description, files) = (parts.markup, parts.files) }

  public struct Interpolation: StringInterpolationProtocol {
    fileprivate var markup = ""
    fileprivate var files: [PanelFile] = []
    public init(literalCapacity: Int, interpolationCount: Int) {
      markup.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }
    public mutating func appendLiteral(_ literal: StaticString) { markup += literal.description }
    public mutating func appendInterpolation(_ text: String) { markup += escaped(text) }
    public mutating func appendInterpolation(_ number: Int) { markup += String(number) }
    public mutating func appendInterpolation(_ html: HTML) {
      markup += html.description
      if !html.files.isEmpty { files += html.files }
    }
    public mutating func appendInterpolation(_ html: HTML?) { if let html { appendInterpolation(html) } }
    public mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { appendInterpolation(part) } }
  }
}

extension Sequence where Element == HTML {
  func joined(_ separator: HTML = "") -> HTML {
    var whole = HTML.empty
    for (place, part) in enumerated() { whole += place == 0 ? part : separator + part }
    return whole
  }
}

/// The text as character data that is safe between tags and inside quoted attributes.
func escaped(_ text: String) -> String {
  if text.utf8.allSatisfy(isHarmless) { return text }
  var result = ""
  result.reserveCapacity(text.utf8.count)
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case "'": result += "&#39;"
    case _ where isUnfit(scalar): result += "\u{FFFD}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// What most names consist of: letters, digits and the like.
private func isHarmless(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
  default: (0x20..<0x7F).contains(byte)
  }
}

/// Controls, marks of direction and others that cannot be seen, and what is no character at all; joiners stay.
private func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x09, 0x0A, 0x200C, 0x200D: return false
  case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFDD0...0xFDEF, 0xFFFE...0xFFFF: return true
  default: return scalar.value > 0x9F && scalar.properties.generalCategory == .format
  }
}
