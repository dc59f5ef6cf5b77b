/// Rows of `profile` and `context` a page of numbers at a time, column by column: of a million devices in many regions and of many
/// models nearly each has a row of its own, and no question should read them one by one.
///
/// Derived, written with a fold, and gone with whatever takes rows back; rows after the last page are read as they are. They
/// lie in `summary` as those of app 0, which no app is: the kind as the release, the column's name as the channel.
struct VocabularyPages: ~Copyable {
  enum Kind: Int64 {
    case profile, context

    /// The column that every page has.
    fileprivate var always: String { self == .profile ? ProfileWords.platform : ContextPage.places }
  }
  struct Column: Sendable {
    /// Counted from 0.
    var page: Int
    var bytes: [UInt8]
  }

  /// Numbers of one page: the fewer, the fewer rows are left to be read.
  static let rows: Int64 = 8192

  private let select: Statement
  private let selectAll: Statement
  private let next: Statement
  private let insert: Statement

  init(_ connection: borrowing Connection) throws(StoreError) {
    let select = try connection.prepare(
      "SELECT part, packed FROM summary WHERE app = 0 AND release = ? AND channel = ? AND platform = '' ORDER BY part")
    let selectAll = try connection.prepare(
      "SELECT channel, part, packed FROM summary WHERE app = 0 AND release = ? ORDER BY channel, part")
    let next = try connection.prepare(
      "SELECT coalesce(max(part) + 1, 0) FROM summary WHERE app = 0 AND release = ? AND channel = ? AND platform = ''")
    let insert = try connection.prepare("INSERT OR REPLACE INTO summary VALUES (0, ?, ?, '', ?, ?)")
    self.select = select
    self.selectAll = selectAll
    self.next = next
    self.insert = insert
  }

  /// How many there are; they follow one another from the first number on.
  func count(_ kind: Kind) throws(StoreError) -> Int64 {
    try next.first(.integer(kind.rawValue), .text(kind.always)) { $0.integer(0) } ?? 0
  }

  func column(_ kind: Kind, _ name: String) throws(StoreError) -> [Column] {
    try select.rows(.integer(kind.rawValue), .text(name)) { Column(page: Int($0.integer(0)), bytes: $0.blob(1)) }
  }

  /// By name.
  func columns(_ kind: Kind) throws(StoreError) -> [String: [Column]] {
    let rows = try selectAll.rows(.integer(kind.rawValue)) {
      (name: $0.text(0), column: Column(page: Int($0.integer(1)), bytes: $0.blob(2)))
    }
    return Dictionary(grouping: rows, by: \.name).mapValues { $0.map(\.column) }
  }

  func write(_ fresh: Fresh) throws(StoreError) {
    for (kind, name, column) in fresh.columns {
      try insert.run(
        .integer(kind.rawValue), .text(name), .integer(Int64(column.page)), .blob(column.bytes))
    }
  }
}

extension VocabularyPages {
  /// Pages that can be written, as all of their rows are there.
  struct Fresh {
    private(set) var columns: [(kind: Kind, name: String, column: Column)] = []

    /// Pages of a kind that one fold writes; the next one writes the others.
    private static let most: Int64 = 128

    init(_ connection: borrowing Connection) throws(StoreError) {
      let most = Self.most
      let pages = try VocabularyPages(connection)
      let (profiles, contexts) = (try pages.count(.profile), try pages.count(.context))
      let newest = (
        profile: try connection.integer("SELECT coalesce(max(id), 0) FROM profile"),
        context: try connection.integer("SELECT coalesce(max(id), 0) FROM context")
      )
      for page in profiles..<max(profiles, min(profiles + most, newest.profile / rows)) {
        let read = try ProfileWords.read(connection, after: page * rows, upTo: (page + 1) * rows)
        for (name, bytes) in ProfileWords.packed(read, after: page * rows) {
          columns.append((.profile, name, Column(page: Int(page), bytes: bytes)))
        }
      }
      for page in contexts..<max(contexts, min(contexts + most, newest.context / rows)) {
        let read = try ContextPage.read(connection, after: page * rows, upTo: (page + 1) * rows)
        for (name, bytes) in ContextPage.packed(read, after: page * rows) {
          columns.append((.context, name, Column(page: Int(page), bytes: bytes)))
        }
      }
    }
  }
}
