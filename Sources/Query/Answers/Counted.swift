/// A row of figures with the counts that they rest on; in JSON all stand side by side.
@dynamicMemberLookup
public struct Counted<Figures: Encodable & Sendable>: Encodable, Sendable {
  public var group: Group
  public var counts: RiskCounts
  public var figures: Figures

  public subscript<Value>(dynamicMember path: KeyPath<Figures, Value>) -> Value { figures[keyPath: path] }

  private enum Keys: String, CodingKey { case group }

  public func encode(to encoder: any Encoder) throws {
    try counts.encode(to: encoder)
    try figures.encode(to: encoder)
    var fields = encoder.container(keyedBy: Keys.self)
    try fields.encode(group, forKey: .group)
  }
}

extension RiskTables {
  /// The cell of one group, as `groups(by:)` makes it.
  func cell(_ group: Group, by groupings: [Grouping]) -> RiskTable {
    RiskTable.merged(parts(of: group, by: groupings))
  }

  /// Without laying out their time at risk.
  func devices(of group: Group, by groupings: [Grouping]) -> Int {
    parts(of: group, by: groupings).reduce(0) { $0 + $1.devices }
  }

  func parts(of group: Group, by groupings: [Grouping]) -> [RiskCell] {
    cells.filter { $0.key.split(by: groupings) == group }.map(\.value)
  }

  /// The channel that most devices of a group were on; the first by name among equals.
  func mainChannel(_ group: Group, by groupings: [Grouping]) -> String? {
    if let channel = group.channel { return channel }
    var devices: [String: Int] = [:]
    for (place, cell) in cells where place.split(by: groupings) == group {
      devices[place.channel ?? Group.unnamed, default: 0] += cell.devices
    }
    return devices.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
  }
}
