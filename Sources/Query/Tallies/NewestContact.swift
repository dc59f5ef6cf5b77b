import Lifecycle
import Store

/// The newest contact of any device up to a cutoff.
struct NewestContact: Mergeable {
  private(set) var at: Timestamp?
  private let cutOff: Timestamp

  init(until cutOff: Timestamp) { self.cutOff = cutOff }

  mutating func note(_ page: borrowing ShardPage) throws {
    let (devices, end) = (page.devices, cutOff.rawValue)
    var newest = at?.rawValue ?? .min
    for index in devices.devices.indices where newest != end {
      newest = max(
        newest, try Self.bySpans(devices, index, end) ?? page.runs(of: index).newest(index, until: end) ?? .min)
    }
    if newest != .min { at = Timestamp(rawValue: newest) }
  }

  mutating func note(_ contact: Timestamp) { at = max(at ?? contact, contact) }
  /// What a device said last is never taken back: to take it out changes nothing.
  mutating func add(_ other: NewestContact, times: Int) { if times > 0, let contact = other.at { note(contact) } }

  /// Of one device; nil where it has none.
  static func of(_ index: Int, _ page: borrowing ShardPage, until cutOff: Int64) throws -> Int64? {
    guard let known = bySpans(page.devices, index, cutOff) else {
      return try page.runs(of: index).newest(index, until: cutOff)
    }
    return known == .min ? nil : known
  }

  /// `.min` where there is none; nil where spans do not tell: they may hold silences of days, and the cutoff may lie in one.
  @inline(__always)
  private static func bySpans(_ devices: DeviceOutlines, _ index: Int, _ cutOff: Int64) -> Int64? {
    if devices.channels[index] == 0 { return nil }
    var span = devices.spanOffsets[index + 1] - 1
    while span >= devices.spanOffsets[index] {
      if devices.spanStarts[span] <= cutOff { return devices.spanEnds[span] <= cutOff ? devices.spanEnds[span] : nil }
      span -= 1
    }
    return .min
  }
}
