import CSimdjson
import Lifecycle

extension NativeDecoder {
  /// Puts drafts through the same checks as native events. The index of a rejection is the draft's.
  public func decode(_ drafts: [Draft], _ reception: Reception) -> Decoded {
    var reading = reading(
      reception, Place(), bytes: drafts.count * 160, rejectionLimit: min(max(drafts.count, 1), 10_000))
    var texts = DraftTexts()
    for draft in drafts { texts.take(draft, csj_row(), &reading) }
    return reading.finish()
  }
}

/// The texts of one draft at a time, one after the other in memory that is used again.
struct DraftTexts {
  private var bytes: [UInt8] = []
  private var ends = Array(repeating: 0, count: Field.allCases.count)

  /// - Parameter row: where in a file the draft comes from.
  mutating func take(_ draft: Draft, _ row: csj_row, _ reading: inout Reading) {
    bytes.removeAll(keepingCapacity: true)
    for field in Field.allCases {
      if let text = draft.text(field) { append(text, field) }
      ends[field.rawValue] = bytes.count
    }
    // So that there is an address even where there is no text.
    bytes.append(0)
    bytes.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return }
      reading.take(DraftFields(draft: draft, start: start, ends: ends), row)
    }
  }

  /// What merely describes the device is cut where it is over-long: it is no reason to lose the event.
  private mutating func append(_ text: String, _ field: Field) {
    bytes.append(contentsOf: field.describesDevice ? text.cut(to: field.limit) : text.utf8[...])
  }
}

extension Field {
  /// Whether it is no reason to lose an event of another system that the text is too long.
  var describesDevice: Bool {
    switch self {
    case .platform, .osVersion, .appVersion, .sdkVersion, .network, .arm, .region, .deviceModel: true
    default: false
    }
  }
}

extension String {
  /// At most so many bytes, without half a character at the end.
  func cut(to limit: Int) -> Substring.UTF8View {
    guard utf8.count > limit else { return self[...].utf8 }
    var end = utf8.index(utf8.startIndex, offsetBy: limit)
    while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
    return self[..<end].utf8
  }
}
