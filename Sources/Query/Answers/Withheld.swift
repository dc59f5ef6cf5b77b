/// The row of a group that has too few devices to be shown: its name, no counts, and why.
public struct Withheld: Encodable, Equatable, Sendable {
  public var group: Group
  /// Where rows are about several releases.
  public var release: String?

  private enum Keys: String, CodingKey { case group, release, devices, events, reason }

  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Keys.self)
    try fields.encode(group, forKey: .group)
    try fields.encodeIfPresent(release, forKey: .release)
    try fields.encodeNil(forKey: .devices)
    try fields.encodeNil(forKey: .events)
    try fields.encode("fewerThanMinCell", forKey: .reason)
  }
}

/// The one rule about small groups: whoever shares a property with fewer than so many others is not shown, neither
/// counted nor in a rate. What happens within a larger group is counted to the last device.
struct SmallGroups {
  /// 0 shows all.
  var minCell: Int

  func isShown(_ devices: Int) -> Bool { devices >= minCell }

  /// The rows that may be shown, and how many may not.
  func sifted<Row>(_ rows: [Row], _ devices: (Row) -> Int) -> (shown: [Row], withheld: Int) {
    let shown = rows.filter { isShown(devices($0)) }
    return (shown, rows.count - shown.count)
  }
}

extension Selection {
  var smallGroups: SmallGroups { SmallGroups(minCell: minCell) }
}

extension Selection {
  /// The rows that may be shown, and the names of those that may not.
  func sifted<Row>(
    _ rows: [Row], _ size: (Row) -> (group: Group, devices: Int)
  ) -> (shown: [Row], withheld: [Withheld]) {
    (
      rows.filter { smallGroups.isShown(size($0).devices) },
      rows.map(size).filter { !smallGroups.isShown($0.devices) }.map { Withheld(group: $0.group) }
    )
  }
}
