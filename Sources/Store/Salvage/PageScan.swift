/// Finds the rows of tables in the pages of a damaged file: those that a table's tree still leads to, and those on pages
/// that no tree leads to any more, by the shape of their rows.
struct PageScan {
  private let file: PageFile
  /// The table of each page that a tree leads to, by the page's number.
  private var owners: [Int: String] = [:]

  init(_ file: PageFile) {
    self.file = file
    for (name, root) in roots() { claim(root, name) }
  }

  /// Calls `body` with each row that can be read, and the name of its table.
  func rows(_ body: (String, PageRecord) throws(StoreError) -> Void) throws(StoreError) {
    for page in 1...max(1, file.pages) {
      for record in records(page) {
        guard let table = owners[page] ?? TableShape.table(of: record), TableShape.allows(record, in: table) else {
          continue
        }
        try body(table, record)
      }
    }
  }

  /// Roots of tables by the schema's own table on the first page, and of no index.
  private func roots() -> [(name: String, root: Int)] {
    var found: [(String, Int)] = []
    var (waiting, seen) = ([1], Set<Int>())
    while let page = waiting.popLast() {
      guard seen.insert(page).inserted else { continue }
      waiting += children(page)
      for record in records(page) where record.values.count == 5 {
        if case .text("table") = record.values[0], case .text(let name) = record.values[1],
          case .integer(let root) = record.values[3]
        {
          found.append((name, Int(root)))
        }
      }
    }
    return found
  }

  private mutating func claim(_ root: Int, _ name: String) {
    var waiting = [root]
    while let page = waiting.popLast() {
      guard page > 1, page <= file.pages, owners[page] == nil else { continue }
      owners[page] = name
      waiting += children(page)
    }
  }

  private func head(_ page: Int) -> (start: Int, head: Int, end: Int) {
    let start = (page - 1) * file.pageSize
    return (start, page == 1 ? start + 100 : start, start + file.usable)
  }

  private func cells(_ page: Int) -> [Int] {
    let (start, head, end) = head(page)
    let isLeaf = [0x0d, 0x0a].contains(file.byte(head))
    let count = file.word(head + 3)
    guard count <= file.pageSize / 4 else { return [] }
    return (0..<count).map { start + file.word(head + (isLeaf ? 8 : 12) + $0 * 2) }.filter { $0 > head && $0 < end }
  }

  private func children(_ page: Int) -> [Int] {
    let (_, head, _) = head(page)
    guard [0x05, 0x02].contains(file.byte(head)), file.isSound(page) else { return [] }
    return cells(page).map { file.double($0) } + [file.double(head + 8)]
  }

  private func records(_ page: Int) -> [PageRecord] {
    let (_, head, end) = head(page)
    let kind = file.byte(head)
    guard [0x0d, 0x0a, 0x02].contains(kind), file.isSound(page) else { return [] }
    return cells(page).compactMap { cell in
      var place = kind == 0x02 ? cell + 4 : cell
      let count = file.varint(&place)
      let rowID = kind == 0x0d ? Int64(file.varint(&place)) : nil
      return file.payload(at: place, count: count, isIndex: kind != 0x0d, pageEnd: end).flatMap {
        PageRecord($0, rowID: rowID)
      }
    }
  }
}

/// Tells a table by one row of it: the columns' number and kinds.
enum TableShape {
  private static let shapes: [(table: String, columns: String)] = [
    ("event", "niIiiIiiIIIiIIII"), ("name", "nt"), ("release", "ntt"), ("context", "nttTi"), ("profile", "nTTTTTI"),
    ("profile", "nTTTTTIT"),
    ("key", "nttbTiI"), ("key", "nttbTiITT"), ("key", "nttbTiITTT"), ("publication", "nittii"), ("audit", "nitTITt"),
  ]

  /// Capital letters may be absent, too.
  static func table(of record: PageRecord) -> String? {
    if record.rowID == nil {
      if case .text("identity_keys")? = record.values.first, record.values.count == 2 { return "meta" }
      return nil
    }
    return shapes.first { fits($0.columns, record) }?.table
  }

  /// On a page that a table's tree leads to, a row of another shape is damage.
  static func allows(_ record: PageRecord, in table: String) -> Bool {
    let own = shapes.filter { $0.table == table }
    return own.isEmpty || own.contains { fits($0.columns, record) }
  }

  private static func fits(_ columns: String, _ record: PageRecord) -> Bool {
    columns.utf8.count == record.values.count && zip(columns, record.values).allSatisfy(fits)
  }

  private static func fits(_ kind: Character, _ value: Value) -> Bool {
    switch value {
    case .null: kind == "n" || kind.isUppercase
    case .integer: kind == "i" || kind == "I"
    case .text: kind == "t" || kind == "T"
    case .blob: kind == "b"
    case .real: false
    }
  }
}
