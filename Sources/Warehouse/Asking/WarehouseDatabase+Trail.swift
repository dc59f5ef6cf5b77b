public import Lifecycle
public import Store

extension WarehouseDatabase {
  /// The single events of one device: what came twice is there once.
  public func trail(of device: DeviceHash, app: String, limit: Int) throws(StoreError) -> [TrailEvent] {
    var rows = try client.select(
      """
      SELECT at, stage, trigger, outcome, release, reason, duration, channel, networkText, max(seq) AS number
      FROM \(client.table("event"))
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
    let (release, reason) = (words.label(try rows.number()), words.text(try rows.number()))
    let duration = try rows.number(Int64.self)
    let (channel, network) = (words.text(try rows.number()), words.text(try rows.number()))
    _ = try rows.number(Int64.self)
    return TrailEvent(
      at: at, stage: stage, trigger: trigger, outcome: outcome, release: release, reason: reason,
      duration: duration < 0 ? nil : Milliseconds(rawValue: duration), channel: channel ?? "", network: network)
  }
}
