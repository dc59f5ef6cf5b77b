internal import Query

/// What `group` means, in rows and where they are withheld.
let groupHelp = "The names of the group, as far as --by splits"

/// A row about some of the devices. Its table has a column for each name that the answer is split by.
protocol Grouped {
  associatedtype Names: GroupNames
  var group: Names { get }
  /// Those of the row, by what it is split by.
  var names: [String: String] { get }
}

extension Grouped {
  var names: [String: String] { group.byName }
}

protocol GroupNames: Shaped {
  var byName: [String: String] { get }
}

extension Group: GroupNames {
  var byName: [String: String] { Dictionary(uniqueKeysWithValues: parts.map { ($0.name, $0.value) }) }
}

extension Labels: GroupNames {
  var byName: [String: String] { parts }
}

extension Field where Row: Grouped {
  static var group: Field { Field("group", \.group, groupHelp) }
}

extension Counted: Grouped {}
