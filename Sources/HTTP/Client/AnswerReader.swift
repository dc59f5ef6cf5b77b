/// Reads answers off a connection: by their length, in chunks, or up to the end.
struct AnswerReader {
  /// What came after the last answer.
  private var bytes: [UInt8] = []
  /// Whether another answer may follow: the last one had an end that was seen, and did not close the connection.
  private(set) var isReusable = true
  /// Whether lines after the last chunk are still to come: whoever needs no further answer does not wait for them.
  private var owesTrailer = false
  private static let longestHead = 64 << 10

  mutating func read(_ connection: borrowing OutboundConnection, limit: Int) throws(OutboundError) -> OutboundAnswer {
    while owesTrailer { owesTrailer = try !line(connection).isEmpty }
    while true {
      var answer = try head(connection)
      if (100..<200).contains(answer.status) { continue }
      isReusable = answer["connection"]?.lowercased() != "close"
      if answer.status == 204 || answer.status == 304 { return answer }
      if answer["transfer-encoding"]?.lowercased().hasSuffix("chunked") == true {
        try chunks(connection, limit, into: &answer)
      } else if let length = answer["content-length"] {
        guard let length = Int(length), length >= 0 else {
          throw OutboundError(.notHTTP, connection.address, "a length that is no number")
        }
        try fixed(length, connection, limit, into: &answer)
      } else {
        isReusable = false
        try rest(connection, limit, into: &answer)
      }
      return answer
    }
  }

  private mutating func more(_ connection: borrowing OutboundConnection) throws(OutboundError) {
    let next = try connection.receive()
    if next.isEmpty { throw OutboundError(.broken, connection.address, "closed before the answer was whole") }
    bytes += next
  }

  /// A line without its end.
  private mutating func line(_ connection: borrowing OutboundConnection) throws(OutboundError) -> String {
    var searched = 0
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = bytes[..<end].last == UInt8(ascii: "\r") ? bytes[..<(end - 1)] : bytes[..<end]
        defer { bytes.removeFirst(end + 1) }
        return String(decoding: line, as: UTF8.self)
      }
      searched = bytes.count
      guard searched < Self.longestHead else {
        throw OutboundError(.notHTTP, connection.address, "a line of more than \(Self.longestHead) bytes")
      }
      try more(connection)
    }
  }

  private mutating func head(_ connection: borrowing OutboundConnection) throws(OutboundError) -> OutboundAnswer {
    let start = try line(connection)
    let words = start.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]), (100..<1000).contains(status)
    else { throw OutboundError(.notHTTP, connection.address, "it begins with \"\(start.prefix(40))\"") }
    var (headers, size) = ([(name: String, value: String)](), 0)
    while case let line = try line(connection), !line.isEmpty {
      size += line.utf8.count
      guard size < Self.longestHead else {
        throw OutboundError(.notHTTP, connection.address, "headers of more than \(Self.longestHead) bytes")
      }
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      headers.append((line[..<colon].lowercased(), String(value)))
    }
    return OutboundAnswer(status: status, headers: headers)
  }

  private mutating func fixed(
    _ length: Int, _ connection: borrowing OutboundConnection, _ limit: Int, into answer: inout OutboundAnswer
  ) throws(OutboundError) {
    let wanted = min(length, limit)
    while bytes.count < wanted { try more(connection) }
    answer.body = Array(bytes[..<wanted])
    bytes.removeFirst(wanted)
    answer.isWhole = wanted == length
    if !answer.isWhole { isReusable = false }
  }

  private mutating func rest(
    _ connection: borrowing OutboundConnection, _ limit: Int, into answer: inout OutboundAnswer
  ) throws(OutboundError) {
    while bytes.count <= limit {
      let next = try connection.receive()
      if next.isEmpty { break }
      bytes += next
    }
    answer.isWhole = bytes.count <= limit
    answer.body = Array(bytes.prefix(limit))
  }

  private mutating func chunks(
    _ connection: borrowing OutboundConnection, _ limit: Int, into answer: inout OutboundAnswer
  ) throws(OutboundError) {
    while true {
      let head = try line(connection).prefix { $0 != ";" && $0 != " " }
      guard let size = Int(head, radix: 16), size >= 0 else {
        throw OutboundError(.notHTTP, connection.address, "a chunk without a size")
      }
      if size == 0 {
        owesTrailer = true
        return
      }
      let wanted = min(size, limit - answer.body.count)
      while bytes.count < wanted { try more(connection) }
      answer.body += bytes[..<wanted]
      guard wanted == size else {
        (answer.isWhole, isReusable) = (false, false)
        return
      }
      bytes.removeFirst(size)
      _ = try line(connection)
    }
  }
}
