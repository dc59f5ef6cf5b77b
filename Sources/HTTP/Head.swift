import CMicrohttpd

/// What the headers say about a request's shape, and the copies that handlers may see.
struct Head {
  var headers: Headers
  private var lengths = 0
  private(set) var length = 0
  private var codings = 0
  private var isChunked = false
  private var hosts = 0
  private var isMalformed = false
  private var lines = HeadLines()
  private var cookies = 0
  /// What libmicrohttpd keeps of it, beside its text.
  private(set) var memory = 0
  private(set) var expectsContinue = false

  /// Reads the headers of a connection whose head is complete.
  init(of call: Daemon.Call, keeping names: [String]) {
    headers = Headers(kept: names)
    let note: MHD_KeyValueIteratorN = { context, _, name, nameSize, value, valueSize in
      guard let head = context?.assumingMemoryBound(to: Head.self) else { return .NO }
      if let name, let value { head.pointee.lines.add(name: name, value: value, count: valueSize) }
      head.pointee.note(bytes(name, nameSize), bytes(value, valueSize))
      return .YES
    }
    let count = withUnsafeMutablePointer(to: &self) {
      MHD_get_connection_values_n(call.connection, .HEADER_KIND, note, $0)
    }
    memory += Int(count) * Self.entry
    if cookies > 0 {
      memory += cookies + Int(MHD_get_connection_values_n(call.connection, .COOKIE_KIND, nil, nil)) * Self.entry
    }
    lines.finish(at: call.method + call.headBytes)
  }

  /// The size of libmicrohttpd's record of a header.
  private static let entry = 64

  var hasBody: Bool { codings > 0 || length > 0 }

  private mutating func note(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
    if name.isEmpty || !name.allSatisfy(isTokenByte) || value.contains(where: isControl) { isMalformed = true }
    switch name.count {
    case 4 where equalIgnoringCase(name, lowercased: "host"): hosts += 1
    case 6 where equalIgnoringCase(name, lowercased: "expect"): expectsContinue = true
    case 6 where equalIgnoringCase(name, lowercased: "cookie"): cookies += value.count
    case 14 where equalIgnoringCase(name, lowercased: "content-length"):
      lengths += 1
      length = decimal(value) ?? Int.max
    case 17 where equalIgnoringCase(name, lowercased: "transfer-encoding"):
      codings += 1
      isChunked = equalIgnoringCase(value, lowercased: "chunked")
    default: break
    }
    headers.keep(name, value)
  }

  /// Shapes on which two programs could disagree about where a request ends.
  func refusal(isHTTP10: Bool) -> UnhandledRequest? {
    if isMalformed { return .badHeader }
    if !lines.areWhole { return .foldedHeader }
    if hosts > 1 { return .repeatedHost }
    if hosts == 0, !isHTTP10 { return .missingHost }
    if lengths > 1 { return .repeatedLength }
    guard codings > 0 else { return nil }
    if lengths > 0 { return .lengthAndChunked }
    if isHTTP10 { return .chunkedBefore11 }
    return codings == 1 && isChunked ? nil : .unknownTransferCoding
  }
}

private func bytes(_ text: UnsafePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
  guard let text, count > 0 else { return UnsafeBufferPointer(start: nil, count: 0) }
  return UnsafeBufferPointer(start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: count)
}

private func decimal(_ digits: UnsafeBufferPointer<UInt8>) -> Int? {
  digits.isEmpty ? nil : Int(String(decoding: digits, as: UTF8.self))
}

private func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != UInt8(ascii: "\t") || byte == 0x7F }

/// RFC 9110, 5.6.2.
func isTokenByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
    true
  case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
    UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "^"),
    UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
    true
  default: false
  }
}
