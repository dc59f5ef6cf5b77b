internal import Console
internal import Query

/// Where a field stands in the table, and how its value is shown there.
struct Heading<Row, Value>: Sendable {
  /// Of a field of this name and path.
  let columns: @Sendable (String, Path<Row, Value>) -> [Column<Row>]

  /// - Parameter key: the column's name for programs, where it is not the field's.
  private init(
    _ position: Int, _ title: String, _ key: String?, hasInterval: Bool = false,
    _ cells: @escaping @Sendable (Row, Value) -> Lines<Cell>
  ) {
    columns = { name, path in
      let heading = Table.Column(title, key: key ?? name, hasInterval: hasInterval)
      return [Column(position: position, heading: heading) { cells($0, $0[keyPath: path]) }]
    }
  }

  private init(columns: @escaping @Sendable (String, Path<Row, Value>) -> [Column<Row>]) { self.columns = columns }

  /// Several, side by side.
  static func all(_ headings: [Heading]) -> Heading {
    Heading { name, path in headings.flatMap { $0.columns(name, path) } }
  }
}

extension Heading {
  static func column(_ position: Int, _ title: String, key: String? = nil) -> Heading where Value: Celled {
    Heading(position, title, key, hasInterval: Value.hasInterval) { .one($1.cell) }
  }

  /// A value that has another form than its type usually has.
  static func column(
    _ position: Int, _ title: String, key: String? = nil, cell: @escaping @Sendable (Value) -> Cell
  ) -> Heading {
    let hasInterval = (Value.self as? any Celled.Type)?.hasInterval ?? false
    return Heading(position, title, key, hasInterval: hasInterval) { .one(cell($1)) }
  }

  /// A value that may be missing.
  ///
  /// - Parameter missing: why; the cell is a dash then, or without a reason empty.
  static func column<Known: Celled>(
    _ position: Int, _ title: String, key: String? = nil, missing: String?,
    cell: @escaping @Sendable (Known) -> Cell = { $0.cell }
  ) -> Heading where Value == Known? {
    let none = missing.map { Cell.missing(because: $0) } ?? .text("")
    return Heading(position, title, key, hasInterval: Known.hasInterval) { .one($1.map(cell) ?? none) }
  }

  /// A cell that needs other fields of the row, too.
  static func column(
    _ position: Int, _ title: String, key: String? = nil, row cell: @escaping @Sendable (Row) -> Cell
  ) -> Heading {
    Heading(position, title, key) { row, _ in .one(cell(row)) }
  }

  /// The cells of a row's lines.
  static func column(
    _ position: Int, _ title: String, key: String? = nil, lines: @escaping @Sendable (Row) -> Lines<Cell>
  ) -> Heading {
    Heading(position, title, key) { row, _ in lines(row) }
  }

  /// What names the row beside its group.
  static func name(_ position: Int, _ title: String) -> Heading where Value == String {
    column(position, title).changed { $0.isName = true }
  }

  /// MEDIAN and P90, with the keys `p0.5` and `p0.9`; a narrow terminal may leave out all but the `kept`.
  ///
  /// - Parameter found: of each line the quantiles in the order of the shares; nil for a line that has none.
  static func quantiles(
    _ position: Int, _ shares: [Double], kept: [Double] = [0.5],
    _ found: @escaping @Sendable (Row) -> Lines<[TimeToUpdate.Quantile]?>
  ) -> Heading {
    .all(
      shares.enumerated().map { index, share in
        column(
          position, share == 0.5 ? "MEDIAN" : "P\(percent(share))", key: "p\(share)",
          lines: { row in found(row).map { $0?[index].seconds.durationCell ?? .missing(because: "") } }
        ).withLimits.optional(!kept.contains(share))
      })
  }
}

extension Heading {
  /// A narrow terminal may leave it out.
  var optional: Heading { optional(true) }
  func optional(_ isOptional: Bool) -> Heading { changed { $0.heading.isOptional = isOptional } }

  /// The cells have limits, which the type of the value does not tell.
  var withLimits: Heading { changed { $0.heading.hasInterval = true } }

  /// People read it in another column.
  var forPrograms: Heading { changed { $0.heading = $0.heading.forPrograms } }

  func least(_ width: Int) -> Heading { changed { $0.heading.least = width } }

  private func changed(_ change: @escaping @Sendable (inout Column<Row>) -> Void) -> Heading {
    Heading { [columns] name, path in
      columns(name, path).map { column in
        var column = column
        change(&column)
        return column
      }
    }
  }
}
