/// The row of a group that has too few devices to be shown: its name, no counts, and why.
public struct Withheld: Encodable, Equatable, Sendable {
  public var group: Labels
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

  /// Of nobody nothing is given away.
  func tells(_ devices: Int) -> Bool { devices == 0 || isShown(devices) }
  func told(_ devices: Int) -> Int? { tells(devices) ? devices : nil }

  /// The rows that may be shown, and how many may not.
  func sifted<Row>(_ rows: [Row], _ devices: (Row) -> Int) -> (shown: [Row], withheld: Int) {
    let shown = rows.filter { isShown(devices($0)) }
    return (shown, rows.count - shown.count)
  }
}

extension SmallGroups {
  /// The groups that may be shown, and the names of those that may not; both in order. Of a group without any device there
  /// is nothing to withhold.
  func sifted<Counts>(
    _ groups: [(key: Labels, value: Counts)], _ devices: (Counts) -> Int
  ) -> (shown: [(key: Labels, value: Counts)], withheld: [Withheld]) {
    let groups = groups.sorted { $0.key < $1.key }
    return (
      groups.filter { isShown(devices($0.value)) },
      groups.filter { devices($0.value) > 0 && !isShown(devices($0.value)) }.map { Withheld(group: $0.key) }
    )
  }
}

extension Selection {
  var smallGroups: SmallGroups { SmallGroups(minCell: minCell) }
}

extension FleetScope {
  var smallGroups: SmallGroups { SmallGroups(minCell: minCell) }
}

extension Labels {
  init(_ group: Group) { self.init(Dictionary(uniqueKeysWithValues: group.parts.map { ($0.name, $0.value) })) }
}

extension Selection {
  /// The rows that may be shown, and the names of those that may not.
  func sifted<Row>(
    _ rows: [Row], _ size: (Row) -> (group: Group, devices: Int)
  ) -> (shown: [Row], withheld: [Withheld]) {
    (
      rows.filter { smallGroups.isShown(size($0).devices) },
      rows.map(size).filter { !smallGroups.isShown($0.devices) }.map { Withheld(group: Labels($0.group)) }
    )
  }
}
