/// Rows of typed cells under named columns. How it looks is decided when it is written.
public struct Table: Equatable, Sendable {
  public struct Column: Equatable, Sendable {
    /// The heading for people, such as `ADOPTED (95% CI)`.
    public var title: String
    /// The name for programs, such as `adopted`.
    public var key: String
    /// Whether cells have intervals: programs then get the columns `key_lo` and `key_hi` as well.
    public var hasInterval: Bool
    /// Whether a narrow terminal may leave the column out; from the right.
    public var isOptional: Bool
    /// A text is cut to no fewer columns than this, to tell names that begin alike.
    public var least: Int
    /// Whether a text that is too long goes on in the next line; else it ends in `…`.
    public var wraps = false
    /// Whether people read its texts below the table, each whole on a line of its own: there to be pasted.
    public var isBelow = false
    /// Whether people read it in another column already: it is in CSV, TSV and JSON lines alone, unless somebody names it.
    public var isForPrograms = false

    public init(_ title: String, key: String, hasInterval: Bool = false, isOptional: Bool = false, least: Int = 8) {
      self.title = title
      self.key = key
      self.hasInterval = hasInterval
      self.isOptional = isOptional
      self.least = least
    }

    /// The column with long texts in several lines.
    public var wrapping: Column { with { $0.wraps = true } }
    /// The column below the table.
    public var below: Column { with { $0.isBelow = true } }
    /// The column with what people read in another one.
    public var forPrograms: Column { with { $0.isForPrograms = true } }
    fileprivate var forEverybody: Column { with { $0.isForPrograms = false } }

    private func with(_ change: (inout Column) -> Void) -> Column {
      var copy = self
      change(&copy)
      return copy
    }
  }

  public var columns: [Column]
  public var rows: [[Cell]]

  public init(_ columns: [Column], rows: [[Cell]] = []) {
    precondition(
      rows.allSatisfy { $0.count == columns.count }, "a row has another number of cells than the table columns")
    self.columns = columns
    self.rows = rows
  }

  /// The table with only these columns, by key, in this order.
  public func selecting(_ keys: [String]) throws(Failure) -> Table {
    var indices: [Int] = []
    for key in keys {
      guard let index = columns.firstIndex(where: { $0.key == key }) else { throw unknownField(key) }
      indices.append(index)
    }
    return Table(indices.map { columns[$0].forEverybody }, rows: rows.map { row in indices.map { row[$0] } })
  }

  private func unknownField(_ key: String) -> Failure {
    let known = columns.map(\.key)
    return Failure(
      "unknown_field", "there is no field \(quoted(key))", place: "--fields",
      suggestions: suggestions(for: key, among: known),
      hints: ["fields: " + known.joined(separator: ", ")], exit: .usage)
  }
}
