internal import Console

/// A column of a table: its heading, and what each row has in it.
struct Column<Row>: Sendable {
  /// Columns stand in this order, whatever the order of fields in JSON; those of one number stay together.
  var position: Int
  var heading: Table.Column
  /// Whether it names the row: it stands before the groups, and a withheld row has it, too.
  var isName = false
  var cells: @Sendable (Row) -> Lines<Cell>

  /// The column of a row that holds what this one reads.
  ///
  /// - Parameter missing: what stands there where the row holds nothing, and why.
  func read<Outer>(
    missing: String = "", _ part: @escaping @Sendable (Outer) -> Lines<Row>?
  ) -> Column<Outer> {
    Column<Outer>(position: position, heading: heading, isName: isName) { [cells] row in
      part(row)?.flatMap(cells) ?? .one(.missing(because: missing))
    }
  }
}

/// What a row has in a column, or a column finds in a row: one for all lines of the row, or one for each.
enum Lines<Item> {
  case one(Item)
  case each([Item])

  func map<Other>(_ transform: (Item) -> Other) -> Lines<Other> {
    switch self {
    case .one(let item): .one(transform(item))
    case .each(let items): .each(items.map(transform))
    }
  }

  fileprivate func flatMap<Other>(_ transform: (Item) -> Lines<Other>) -> Lines<Other> {
    switch self {
    case .one(let item): transform(item)
    case .each(let items): .each(items.flatMap { transform($0).all })
    }
  }

  fileprivate var all: [Item] {
    switch self {
    case .one(let item): [item]
    case .each(let items): items
    }
  }
}
