/// A Sentry envelope: a line of headers, then items, each a line of headers and a payload.
struct SentryEnvelope {
  struct Item {
    var type: String
    var payload: [UInt8]
  }
  var headers: JSONValue
  var items: [Item] = []
  /// Items that could not be told apart after the last good one: the rest of the envelope is lost.
  var isCutShort = false

  /// More items than any client sends; what is beyond is not looked at.
  static let itemLimit = 1000

  /// No client's line of headers is as long.
  static let headersLimit = 64 << 10

  /// Throws only where not even the headers can be read.
  init(_ bytes: [UInt8]) throws(JSONProblem) {
    var place = 0
    headers = try JSONReader.read(Self.line(bytes, &place))
    guard headers.members != nil else { throw .malformed(at: 0) }
    while place < bytes.count, !isCutShort {
      if bytes[place] == UInt8(ascii: "\n") {
        place += 1
        continue
      }
      guard items.count < Self.itemLimit, let item = Self.item(bytes, &place) else {
        isCutShort = true
        break
      }
      items.append(item)
    }
  }

  private static func item(_ bytes: [UInt8], _ place: inout Int) -> Item? {
    guard let head = try? JSONReader.read(line(bytes, &place)), let type = head["type"]?.text else { return nil }
    guard let length = head["length"]?.integer else { return Item(type: type, payload: line(bytes, &place)) }
    guard length >= 0, length <= bytes.count - place else { return nil }
    let end = place + Int(length)
    guard end == bytes.count || bytes[end] == UInt8(ascii: "\n") else { return nil }
    defer { place = min(end + 1, bytes.count) }
    return Item(type: type, payload: Array(bytes[place..<end]))
  }

  /// What stands before the next line feed, which is passed over.
  private static func line(_ bytes: [UInt8], _ place: inout Int) -> [UInt8] {
    let start = min(place, bytes.count)
    let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    place = end + 1
    return Array(bytes[start..<end])
  }
}
