import CSimdjson
import Lifecycle

extension NativeDecoder {
  /// Puts drafts through the same checks as native events. The index of a rejection is the draft's.
  public func decode(_ drafts: [Draft], _ reception: Reception) -> Decoded {
    var reading = reading(
      reception, Place(), bytes: drafts.count * 160, rejectionLimit: min(max(drafts.count, 1), 10_000))
    let cells = DraftCells()
    defer { cells.deallocate() }
    for draft in drafts {
      cells.fill(draft)
      var row = csj_row()
      row.present = cells.present
      row.status = csj_ok
      reading.take(row, cells.start)
    }
    return reading.finish()
  }
}

/// One draft at a time as cells of a decoded row.
final class DraftCells {
  let start: UnsafeMutablePointer<csj_cell>
  private(set) var present: UInt64 = 0
  private var scratch: UnsafeMutablePointer<UInt8>
  private var capacity = 4096
  private var used = 0

  init() {
    start = .allocate(capacity: Int(CSJ_SLOTS))
    scratch = .allocate(capacity: capacity)
  }

  func deallocate() {
    start.deallocate()
    scratch.deallocate()
  }

  /// - Parameter app: the only app there is, whatever the draft says.
  func fill(_ draft: Draft, app: String? = nil) {
    let texts: [(Field, String?)] = [
      (.device, draft.device), (.stage, draft.stage.rawValue), (.trigger, draft.trigger?.rawValue),
      (.app, app ?? draft.app), (.channel, draft.channel), (.release, draft.release), (.id, draft.id),
      (.from, draft.from),
      (.platform, clipped(draft.platform, .platform)), (.osVersion, clipped(draft.osVersion, .osVersion)),
      (.appVersion, clipped(draft.appVersion, .appVersion)), (.sdkVersion, clipped(draft.sdkVersion, .sdkVersion)),
      (.network, clipped(draft.network, .network)), (.arm, clipped(draft.arm, .arm)), (.reason, draft.reason),
      (.push, draft.push), (.outcome, draft.outcome?.rawValue), (.appState, draft.appState?.rawValue),
    ]
    (present, used) = (0, 0)
    reserve(texts.reduce(0) { $0 + ($1.1?.utf8.count ?? 0) } + 1)
    for (field, text) in texts { if let text { put(field, text) } }
    put(.at, draft.at?.rawValue, csj_integer)
    put(.durationMs, draft.durationMs, csj_integer)
    put(.bytes, draft.bytes, csj_integer)
    put(.bucket, draft.bucket, csj_integer)
    put(.emulator, draft.emulator.map { $0 ? 1 : 0 }, csj_boolean)
    put(.appIsStarting, draft.appIsStarting.map { $0 ? 1 : 0 }, csj_boolean)
  }

  /// What merely describes the device is cut where it is over-long: it is no reason to lose the event.
  private func clipped(_ text: String?, _ field: Field) -> String? {
    guard let text, text.utf8.count > field.limit else { return text }
    var bytes = text.utf8.prefix(field.limit)
    while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
    if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
    return String(decoding: Array(bytes), as: UTF8.self)
  }

  private func reserve(_ count: Int) {
    guard count > capacity else { return }
    scratch.deallocate()
    capacity = count
    scratch = .allocate(capacity: capacity)
  }

  private func put(_ field: Field, _ text: String) {
    var cell = csj_cell()
    cell.length = UInt32(clamping: text.utf8.count)
    let place = scratch + used
    for byte in text.utf8 {
      scratch[used] = byte
      used += 1
    }
    cell.kind = csj_text_kind(place, Int(cell.length))
    cell.text = UnsafePointer(place)
    start[field.rawValue] = cell
    present |= field.bit
  }

  private func put(_ field: Field, _ number: Int64?, _ kind: csj_kind) {
    guard let number else { return }
    var cell = csj_cell()
    cell.kind = kind
    cell.integer = number
    start[field.rawValue] = cell
    present |= field.bit
  }
}
