/// A picture or a table of a panel as a file beside the page.
struct PanelFile: Equatable, Sendable {
  enum Kind: String { case svg, csv }
  var kind: Kind
  /// Of a picture what it is called on its page; tables are named by their panel.
  var name: String?
  var text: String
}

extension HTML {
  /// The picture's name on its page, and the panel's for its tables, each with a number from the second on.
  func namedFiles(_ panel: String) -> [(name: String, text: String)] {
    var tables = 0
    return files.map { file in
      guard file.kind == .csv else { return ("\(file.name ?? panel).svg", file.text) }
      tables += 1
      return (tables == 1 ? "\(panel).csv" : "\(panel)-\(tables).csv", file.text)
    }
  }

  /// Text alone, as it was before it was escaped.
  var words: String {
    var (text, isTag) = ("", false)
    for character in description {
      switch character {
      case "<": isTag = true
      case ">": isTag = false
      case _ where !isTag: text.append(character)
      default: break
      }
    }
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
    return entities.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }

  /// The numbers that it carries, each with its limits.
  var numbers: [[Double]] {
    description.split(separator: "data-v", omittingEmptySubsequences: false).dropFirst().map { part in
      if part.hasPrefix("=") {
        return part.dropFirst().prefix { $0 != ">" }.split(separator: ",").compactMap { Double($0) }
      }
      return [Double(part.dropFirst().prefix { $0 != "<" }.filter { $0 != "," })].compactMap(\.self)
    }
  }
}
