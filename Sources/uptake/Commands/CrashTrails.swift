internal import Answers
internal import Console
internal import Ingest
internal import Lifecycle
internal import Query
internal import Report
internal import Store

/// Trails for many devices or crash events at once: a line in, a line out, in the same order.
struct CrashTrails: ~Copyable {
  let snapshot: Snapshot
  let extent: FleetScope
  var options: Breadcrumbs.Options
  /// nil: the answer's own form.
  var format: CrashFormat?
  /// Where a crash event names its device; nil: where they usually do.
  var place: String?

  /// A device's id, or a crash event as JSON, with what is known put in; nil for an empty line.
  borrowing func line(_ text: String) throws -> String? {
    let text = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    guard !text.isEmpty else { return nil }
    guard text.hasPrefix("{") else {
      var row: [String: JSON] = ["id": .string(text)]
      let trail = try trail(text, at: extent.now)
      row["found"] = .bool(trail != nil)
      if case .object(let fields)? = trail { row.merge(fields) { own, _ in own } }
      return JSON.object(row).text()
    }
    guard let json = JSON(parsing: text) else {
      throw Failure(
        "bad_input", "\(quoted(text)) is not JSON", hints: ["give a device or a crash event a line"], exit: .usage)
    }
    var event = CrashEvent(json)
    let places = place.map { [$0] } ?? CrashEvent.usualPlaces
    let at = min(event.time ?? extent.now, extent.now)
    if let device = places.lazy.compactMap({ event.text(at: $0) }).first, let trail = try trail(device, at: at) {
      event.add(trail)
    }
    return event.json.text()
  }

  /// As it was at an instant: what the device runs since says nothing of a crash before. nil for a device that nobody heard of.
  private borrowing func trail(_ device: String, at instant: Timestamp) throws -> JSON? {
    var extent = extent
    extent.now = instant
    for id in DeviceHash.spellings(of: device) {
      let hash = try snapshot.identityKeys().device(app: extent.app, id: id)
      guard let row = try Breadcrumbs.answer(snapshot, extent, device: hash, options).data.first else { continue }
      return try format.map { row.fragment($0) } ?? ["uptake": JSON(encoding: row)]
    }
    return nil
  }
}
