extension Table {
  /// Each row by the names that CSV has, with the same numbers; what is missing is null.
  public var objects: [JSON] {
    rows.map { row in
      let pairs = zip(columns, row).flatMap { column, cell -> [(String, JSON)] in
        let ends = column.hasInterval ? zip(["_lo", "_hi"], cell.ends).map { (column.key + $0, $1) } : []
        return [(column.key, cell.json)] + ends
      }
      return .object(Dictionary(pairs) { first, _ in first })
    }
  }
}

extension Cell {
  fileprivate var json: JSON {
    switch self {
    case .missing: .null
    case .quantity(let value, _, _): .number(value)
    case .text, .term, .instant, .sparkline: .string(raw)
    }
  }

  fileprivate var ends: [JSON] {
    guard case .quantity(_, let interval?, _) = self else { return [.null, .null] }
    return [interval.low, interval.high].map { $0.map(JSON.number) ?? .null }
  }
}
