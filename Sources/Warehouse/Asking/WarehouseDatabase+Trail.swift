public import Lifecycle
public import Store

extension WarehouseDatabase {
  /// The single events of one device: what came twice is there once.
  public func trail(of device: DeviceHash, app: String, limit: Int) throws(StoreError) -> [TrailEvent] {
    var rows = try client.select(
      """
      SELECT at, stage, trigger, outcome, release, fromRelease, reason, duration, bytes, channel, profile, networkText,
      push, max(seq) AS number FROM \(client.table("event"))
      WHERE app = \(WordHash.of(app)) AND device = \(device.rawValue)
      GROUP BY id, at, stage, trigger, outcome, release, fromRelease, reason, duration, bytes, channel, profile,
      networkText, push, bucket ORDER BY number DESC LIMIT \(limit)
      """)
    var found: [TrailEvent] = []
    while !rows.isAtEnd { found.append(try trailEvent(&rows)) }
    return found
  }

  private func trailEvent(_ rows: inout RowReader) throws(StoreError) -> TrailEvent {
    let at = Timestamp(rawValue: try rows.number())
    let (stage, trigger) = (Stage(code: try rows.number()) ?? .check, Trigger(code: try rows.number()) ?? .unknown)
    let outcome = Outcome(code: try rows.number())
    let (release, from) = (words.label(try rows.number()), words.label(try rows.number()))
    let reason = words.text(try rows.number())
    let (duration, bytes) = (try rows.number(Int64.self), try rows.number(Int64.self))
    let channel = words.text(try rows.number())
    let profile = words.fields(try rows.number())
    let network = words.text(try rows.number())
    let push = try rows.number(UInt64.self)
    _ = try rows.number(Int64.self)
    return TrailEvent(
      at: at, stage: stage, trigger: trigger, outcome: outcome, release: release, from: from, reason: reason,
      duration: duration < 0 ? nil : Milliseconds(rawValue: duration), bytes: bytes < 0 ? nil : bytes,
      channel: channel ?? "", platform: profile?.platform, appVersion: profile?.appVersion, network: network,
      hasPush: push != 0)
  }
}
