/// A request that this program makes of another.
public struct OutboundRequest: Equatable, Sendable {
  public var method: String
  public var address: WebAddress
  /// In order. `Host`, `Content-Length` and `Connection` are added, and a `User-Agent` where there is none.
  public var headers: [(name: String, value: String)]
  public var body: [UInt8]

  public init(
    _ method: String = "POST", _ address: WebAddress, headers: [(name: String, value: String)] = [], body: [UInt8] = []
  ) {
    (self.method, self.address, self.headers, self.body) = (method, address, headers, body)
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.method == right.method && left.address == right.address && left.body == right.body
      && left.headers.elementsEqual(right.headers) { $0 == $1 }
  }

  /// The bytes before the body. Whatever could end a line in a header is left out.
  ///
  /// - Parameter closes: whether the connection ends with the answer.
  func head(userAgent: String, closes: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256 + body.count)
    func line(_ words: String...) {
      for word in words { bytes += word.utf8.lazy.filter { $0 >= 0x20 } }
      bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    }
    line(method, " ", address.path, " HTTP/1.1")
    line("Host: ", address.authority)
    if !headers.contains(where: { $0.name.lowercased() == "user-agent" }) { line("User-Agent: ", userAgent) }
    for header in headers { line(header.name, ": ", header.value) }
    line("Content-Length: ", String(body.count))
    if closes { line("Connection: close") }
    line()
    return bytes
  }
}

/// What the other program answered.
public struct OutboundAnswer: Equatable, Sendable {
  public var status: Int
  /// Names in lower case, in the order they came.
  public var headers: [(name: String, value: String)]
  /// Its beginning, where it is longer than the client's limit.
  public var body: [UInt8]
  public var isWhole: Bool

  public init(
    status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], isWhole: Bool = true
  ) {
    (self.status, self.headers, self.body, self.isWhole) = (status, headers, body, isWhole)
  }

  /// The values of that name, joined as HTTP permits.
  public subscript(_ name: String) -> String? {
    let values = headers.filter { $0.name == name.lowercased() }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }
  public var text: String { String(decoding: body, as: UTF8.self) }

  public static func == (left: Self, right: Self) -> Bool {
    left.status == right.status && left.body == right.body && left.isWhole == right.isWhole
      && left.headers.elementsEqual(right.headers) { $0 == $1 }
  }
}
