internal import Console
internal import Query

/// What an answer is split by, in the order asked for.
struct GroupColumns {
  let names: [String]

  init(_ names: [String]) { self.names = names }

  var columns: [Table.Column] { names.map { Table.Column(heading($0), key: $0, least: 12) } }

  /// `production, ios`; nothing where the answer is not split.
  func words(_ parts: [String: String]) -> String {
    names.map { parts[$0] ?? Group.unnamed }.joined(separator: ", ")
  }
}

/// What can be said of a device before it updates; the mechanism is not among it.
enum DeviceGrouping: RawRepresentable, CaseIterable {
  case of(Grouping)
  static let allCases = Grouping.allCases.filter { $0 != .mechanism }.map(of)

  init?(rawValue: String) {
    guard let grouping = Grouping(rawValue: rawValue), grouping != .mechanism else { return nil }
    self = .of(grouping)
  }

  var rawValue: String {
    switch self {
    case .of(let grouping): grouping.rawValue
    }
  }
}

/// `appVersion` as `APP VERSION`.
private func heading(_ name: String) -> String {
  name.reduce(into: "") { $0 += $1.isUppercase ? " " + String($1) : $1.uppercased() }
}
