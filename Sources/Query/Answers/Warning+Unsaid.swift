import Lifecycle
public import Store

extension Snapshot {
  /// Filters that no device can pass, as nobody ever said such a thing: without a word an answer of nothing would look like a fact.
  public func unsaid(_ filters: [ProfileFilter], app: String?) throws -> [Warning] {
    guard !filters.isEmpty else { return [] }
    let table = try profiles(of: app)
    return filters.flatMap { filter -> [Warning] in
      guard let known = table.said(filter.field) else { return [] }
      return filter.values.filter { $0 != Group.unnamed && !known.contains($0) }.map {
        .unsaid(filter.field, $0, known: known)
      }
    }
  }
}

extension Warning {
  /// So many values are named at most.
  private static let most = 8

  fileprivate static func unsaid(_ field: ProfileField, _ value: String, known: [String]) -> Warning {
    let filter = named("\(field.rawValue)=\(value)")
    guard !known.isEmpty else {
      return Warning(
        "unsaid_value", "no device ever named its \(field.rawValue), so \(filter) selects none: let clients send it")
    }
    let near = nearest(value, in: known.sorted())
    let listed = (near + known.filter { !near.contains($0) }).prefix(most).map(named).joined(separator: ", ")
    let left = known.count > most ? " and \(known.count - most) more" : ""
    let guess = near.first.map { "did you mean \(named($0))? " } ?? ""
    return Warning(
      "unsaid_value", "no device ever said \(filter), so it selects none; \(guess)there are \(listed)\(left)")
  }
}
