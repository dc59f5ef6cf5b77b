/// A page before it is known where it lies, and its panels' pictures and tables, which lie beside it.
struct SitePage {
  var text: String
  var panels: [(name: String, text: String)]

  /// Stands for the way from a page to the folder of the site. No name on a page has it.
  static let root = HTML(trusted: "\u{0}")
  /// Stands for the beginning of the names of the panels' files.
  private static let beginning = HTML(trusted: "\u{1}")

  /// To the files of a panel.
  static func links(_ names: [String]) -> HTML {
    guard !names.isEmpty else { return "" }
    let links = names.map { "<a href=\"\(beginning)\($0)\">\($0)</a>" as HTML }
    return "<p class=files>\(links.joined(" "))</p>"
  }

  /// - Parameter paths: where the page lies; the panels' files lie once, beside the first.
  func files(at paths: [String]) -> [SiteFile] {
    let stem = String(paths[0].dropLast(".html".count))
    let pages = paths.map { path in
      let root = String(repeating: "../", count: path.count { $0 == "/" })
      let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
      let beginning = stem.hasPrefix(folder) ? String(stem.dropFirst(folder.count)) : root + stem
      let placed = text.replacing(Self.root.description, with: root)
      return SiteFile(path: path, text: placed.replacing(Self.beginning.description, with: escaped(beginning) + "."))
    }
    return pages + panels.map { SiteFile(path: "\(stem).\($0.name)", text: $0.text) }
  }
}
