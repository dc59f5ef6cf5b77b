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

extension Selection {
  /// The rows that may be shown, and the names of those that may not.
  func sifted<Row>(
    _ rows: [Row], _ size: (Row) -> (group: Group, devices: Int)
  ) -> (shown: [Row], withheld: [Withheld]) {
    (
      rows.filter { size($0).devices >= minCell },
      rows.map(size).filter { $0.devices < minCell }.map { Withheld(group: $0.group) }
    )
  }
}
