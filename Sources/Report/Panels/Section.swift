/// A part of a page with a heading that can be linked to.
struct Section {
  var id: String
  var title: String
  var parts: [HTML]

  init(_ id: String, _ title: String, _ parts: HTML...) {
    self.id = id
    self.title = title
    self.parts = parts
  }

  /// Stands for the title in what is made before its section.
  static let name = HTML(trusted: "\u{3}")

  var html: HTML {
    """
    <section aria-labelledby="\(id)"><h2 id="\(id)"><a href="#\(id)">\(title)</a></h2>
    \(parts.filter { !$0.isEmpty }.joined("\n").putting(title, for: Self.name))
    </section>
    """
  }
}

func paragraph(_ text: HTML) -> HTML { "<p>\(text)</p>" }
/// - Parameter picture: the one below, of which it says what can be seen.
func paragraph(_ text: HTML, of picture: String) -> HTML { "<p id=\"\(picture)-d\">\(text)</p>" }
func note(_ text: HTML) -> HTML { "<p class=note>\(text)</p>" }

/// A table with its caption, in a box that scrolls by itself where it is too wide. Optional closing tags are omitted.
struct DataTable {
  struct Column {
    var title: String
    var isText = false
    init(_ title: String, isText: Bool = false) {
      self.title = title
      self.isText = isText
    }
  }
  var caption: String
  /// Intervals stand below their values, where columns are many: two panels stand beside each other on most screens.
  var isStacked: Bool?
  var columns: [Column]
  /// The first cell of a row is its heading: a `th` beside cells of data heads its row without being told so.
  var rows: [[HTML]]

  var html: HTML { markup.kept(as: file) }

  private var markup: HTML {
    let heads = columns.map { column -> HTML in
      column.isText ? "<th class=t>\(column.title)" : "<th>\(column.title)"
    }
    let style: HTML = isStacked ?? (columns.count > 4) ? " class=stack" : ""
    return """
      <div class=sc tabindex=0 role=region aria-labelledby=\(Self.name)><table\(style)><caption id=\(Self.name)>\(caption)</caption>
      <thead><tr>\(heads)</thead>
      <tbody>
      \(rows.map(row).joined("\n"))
      </tbody></table></div>
      """
  }

  /// Stands for the name that its caption gets on the page.
  static let name = HTML(trusted: "\u{2}")

  private func row(_ cells: [HTML]) -> HTML {
    let parts = zip(cells, columns).enumerated().map { index, pair -> HTML in
      if index == 0 { return "<th>\(pair.0)" }
      return pair.1.isText ? "<td class=t>\(pair.0)" : "<td>\(pair.0)"
    }
    return "<tr>\(parts)"
  }

  /// Without the columns in which no row has a number.
  var known: DataTable {
    let kept = columns.indices.filter { index in
      index == 0 || rows.contains { $0[index].description.contains("data-v") }
    }
    var table = self
    table.columns = kept.map { columns[$0] }
    table.rows = rows.map { row in kept.map { row[$0] } }
    return table
  }

  /// Folded away behind a chart; a printed page shows it.
  var behind: HTML { behind("") }

  /// - Parameter more: what tells it from the other tables of its section: `, by week`.
  func behind(_ more: String) -> HTML {
    "<details><summary aria-label=\"Data table: \(Section.name)\(more)\">Data table</summary>\(html)</details>"
  }
}

/// The last row of a table whose other groups are too small to be shown.
func smallRow(_ groups: Int, _ kind: String, fewerThan least: Int, cells: Int) -> [HTML] {
  let name: HTML = "\(groups) \(kind)\(groups == 1 ? "" : "s") of fewer than \(least) devices"
  return [name, "&lt;\(least)"] + Array(repeating: "— <i>withheld</i>", count: cells - 1)
}

/// A few numbers that matter most.
struct Tile {
  var title: String
  var value: HTML
  var notes: [HTML]

  init(_ title: String, _ value: HTML, _ notes: HTML...) {
    self.title = title
    self.value = value
    self.notes = notes
  }

  static func list(_ tiles: [Tile]) -> HTML {
    let boxes = tiles.map { tile -> HTML in
      "<div><dt>\(tile.title)</dt><dd class=big>\(tile.value)</dd>\(tile.notes.map { "<dd>\($0)</dd>" as HTML })</div>"
    }
    return "<dl class=\"tiles of\(boxes.count)\">\(boxes.joined("\n"))</dl>"
  }
}
