import Lifecycle
import Store

/// The newest contact of any device up to a cutoff.
struct NewestContact {
  private(set) var at: Timestamp?
  private let cutOff: Timestamp

  init(until cutOff: Timestamp) { self.cutOff = cutOff }

  mutating func note(_ page: borrowing ShardPage) throws {
    for index in page.devices.devices.indices where at != cutOff {
      if let contact = try Self.of(index, page, until: cutOff.rawValue) { note(Timestamp(rawValue: contact)) }
    }
  }

  mutating func note(_ contact: Timestamp) { at = max(at ?? contact, contact) }
  mutating func add(_ other: NewestContact) { if let contact = other.at { note(contact) } }

  /// Of one device; nil where it has none.
  static func of(_ index: Int, _ page: borrowing ShardPage, until cutOff: Int64) throws -> Int64? {
    let devices = page.devices
    if devices.channels[index] != 0 {
      for span in (devices.spanOffsets[index]..<devices.spanOffsets[index + 1]).reversed()
      where devices.spanStarts[span] <= cutOff {
        // A span may hold silences of days, and the cutoff may lie in one.
        return devices.spanEnds[span] <= cutOff
          ? devices.spanEnds[span] : try page.runs().newest(index, until: cutOff)
      }
      return nil
    }
    return try page.runs().newest(index, until: cutOff)
  }
}
