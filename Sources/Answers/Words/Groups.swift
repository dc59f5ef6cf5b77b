internal import Console
internal import Query

/// The columns and cells that name the group of a row, in the order asked for.
struct GroupColumns {
  var names: [String]

  init<Word: RawRepresentable<String>>(_ by: [Word]) { names = by.map(\.rawValue) }

  var columns: [Table.Column] { names.map { Table.Column(heading($0), key: $0, least: 12) } }

  func cells(_ parts: [String: String]) -> [Cell] { names.map { .text(parts[$0] ?? Group.unnamed) } }

  /// `production, ios`; nothing where the answer is not split.
  func words(_ parts: [String: String]) -> String {
    names.map { parts[$0] ?? Group.unnamed }.joined(separator: ", ")
  }
}

/// What can be said of a device before it updates; the mechanism is not among it.
enum DeviceGrouping: String, CaseIterable { case channel, platform, appVersion }

extension Group {
  var byName: [String: String] { Dictionary(uniqueKeysWithValues: parts.map { ($0.name, $0.value) }) }
}

/// `appVersion` as `APP VERSION`.
private func heading(_ name: String) -> String {
  name.reduce(into: "") { $0 += $1.isUppercase ? " " + String($1) : $1.uppercased() }
}

extension Answer {
  /// The rows of groups that are too small to be shown: their names, and why there is nothing.
  func withheldRows(_ groups: GroupColumns, cells: Int) -> [[Cell]] {
    withheld.map { row in
      groups.names.map { .text(row.group.parts[$0] ?? "") }
        + Array(repeating: .missing(because: "fewer devices than --min-cell"), count: cells)
    }
  }
}
