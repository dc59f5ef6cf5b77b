/// The path and query of a request line, decoded.
public struct Target: Hashable, Sendable {
  /// Percent-decoded, valid UTF-8, starts with `/`, without NUL and without `.` or `..` segments; `*` for `OPTIONS *`.
  public let path: String
  /// As sent, without the `?`; empty when there is none.
  public let rawQuery: String
  /// The path split at the slashes that were sent as slashes, each segment decoded: `%2F` stays inside its segment.
  public let segments: [String]

  /// Takes an absolute address (RFC 9112, 3.2.2) for its path: there is one site here.
  ///
  /// Nil where a percent sign is not followed by two hexadecimal digits, or the decoded path breaks the promises above.
  public init?(_ raw: String) {
    let bytes = Self.withoutAuthority(Array(raw.utf8))
    let split = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
    rawQuery = split < bytes.count ? String(decoding: bytes[(split + 1)...], as: UTF8.self) : ""
    if raw == "*" {
      (path, segments) = ("*", [])
      return
    }
    guard bytes.first == UInt8(ascii: "/") else { return nil }
    guard let decoded = Self.decodedPath(bytes[..<split]) else { return nil }
    (path, segments) = decoded
  }

  private static func withoutAuthority(_ raw: [UInt8]) -> [UInt8] {
    let start = String(decoding: raw.prefix(8), as: UTF8.self).lowercased()
    guard let scheme = ["http://", "https://"].first(where: start.hasPrefix) else { return raw }
    let rest = raw[scheme.utf8.count...]
    let path = rest.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    guard path.startIndex > rest.startIndex else { return raw }
    return path.first == UInt8(ascii: "/") ? Array(path) : [UInt8(ascii: "/")] + path
  }

  private static func decodedPath(_ raw: ArraySlice<UInt8>) -> (path: String, segments: [String])? {
    var segments: [String] = []
    for piece in raw.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard let segment = percentDecoded(piece, plusIsSpace: false) else { return nil }
      guard segment != ".", segment != ".." else { return nil }
      segments.append(segment)
    }
    let path = "/" + segments.joined(separator: "/")
    return (path, segments == [""] ? [] : segments)
  }

  /// The query's names and values in order; an item that cannot be decoded is left out: see `isWhole`.
  public var queryItems: [(name: String, value: String)] { rawItems.compactMap(Self.decodedItem) }

  /// Whether every item of the query could be decoded. Where leaving one out would be another request, look here first.
  public var isWhole: Bool { rawItems.allSatisfy { Self.decodedItem($0) != nil } }

  private var rawItems: [Substring.UTF8View] { Substring(rawQuery).utf8.split(separator: UInt8(ascii: "&")) }

  /// Names are what clients made them: a value may hold any character but NUL.
  private static func decodedItem(_ item: Substring.UTF8View) -> (name: String, value: String)? {
    let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = percentDecoded(parts[0], plusIsSpace: true) else { return nil }
    guard parts.count == 2 else { return (name, "") }
    guard let value = percentDecoded(parts[1], plusIsSpace: true, controls: true) else { return nil }
    return (name, value)
  }

  /// The first value of that name, or nil.
  public func query(_ name: String) -> String? { queryItems.first { $0.name == name }?.value }
}

/// Nil for a broken escape, a NUL, a control character where they are not permitted, or bytes that are not UTF-8.
func percentDecoded(_ raw: some Collection<UInt8>, plusIsSpace: Bool, controls: Bool = false) -> String? {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(raw.count)
  var rest = raw.makeIterator()
  while let byte = rest.next() {
    switch byte {
    case UInt8(ascii: "%"):
      guard let high = rest.next().flatMap(hexDigit), let low = rest.next().flatMap(hexDigit) else { return nil }
      bytes.append(high << 4 | low)
    case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
    default: bytes.append(byte)
    }
  }
  guard bytes.allSatisfy({ controls ? $0 != 0 : $0 >= 0x20 && $0 != 0x7F }) else { return nil }
  return String(validating: bytes, as: UTF8.self)
}

func hexDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
