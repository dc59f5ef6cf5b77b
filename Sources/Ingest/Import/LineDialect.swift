import CSimdjson
import Lifecycle

/// Files whose lines are not events but tell of some: each line a JSON object.
public enum LineDialect: String, CaseIterable, Sendable {
  /// Access logs of a server that answers Expo's update checks.
  case expoLog = "expo-log"
  /// What APNs or FCM answered, a line a push or a batch.
  case pushResults = "push-results"

  func drafts(_ line: JSONValue) -> [Draft] {
    switch self {
    case .expoLog: ExpoLog.drafts(line)
    case .pushResults: PushResults.drafts(line)
    }
  }
}

extension NativeDecoder {
  /// Reads lines of another form. A line that holds no event is ignored; one that is not JSON is refused.
  func decode(_ text: UnsafeRawBufferPointer, as dialect: LineDialect, _ reception: Reception, _ place: Place)
    -> Decoded
  {
    var reading = reading(reception, place, bytes: text.count)
    var texts = DraftTexts()
    var (begin, number) = (0, UInt64(0))
    while begin < text.count {
      let end = text[begin...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
      number += 1
      var row = csj_row()
      (row.begin, row.end, row.line) = (UInt64(begin), UInt64(end), number)
      let line = Array(text[begin..<end])
      begin = end + 1
      if line.allSatisfy({ $0 <= 0x20 }) { continue }
      guard let value = try? JSONReader.read(line), value.members != nil else {
        row.status = csj_malformed
        reading.take(row, [])
        continue
      }
      for var draft in dialect.drafts(value) {
        draft.app = reception.app ?? draft.app
        texts.take(draft, row, &reading)
      }
    }
    return reading.finish()
  }
}
