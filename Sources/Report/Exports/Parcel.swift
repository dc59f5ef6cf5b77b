internal import Console

/// One request that tells something to another program, as a plain value: who sends it is not this module's business.
public struct Parcel: Equatable, Sendable {
  public struct Header: Equatable, Sendable {
    public var name: String
    public var value: String
  }
  public var method: String
  public var url: String
  public var headers: [Header]
  /// Before it is packed.
  public var body: [UInt8]
  /// Whether the receiver takes, and we send, gzip.
  public var isPacked: Bool

  init(
    _ method: String = "POST", _ url: String, _ headers: KeyValuePairs<String, String> = [:], body: [UInt8],
    isPacked: Bool = false
  ) {
    (self.method, self.url, self.body, self.isPacked) = (method, url, body, isPacked)
    self.headers = headers.map { Header(name: $0.key, value: $0.value) }
  }

  init(
    _ method: String = "POST", _ url: String, _ headers: KeyValuePairs<String, String> = [:], json: JSON,
    isPacked: Bool = false
  ) {
    self.init(method, url, headers, body: Array(json.text().utf8), isPacked: isPacked)
    self.headers.append(Header(name: "Content-Type", value: "application/json"))
  }
}

/// At most so many characters, without controls and line breaks; never empty.
func line(_ text: String, atMost limit: Int) -> String {
  let clean = String(
    String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? " " : $0 }))
  let short = clean.count > limit ? String(clean.prefix(limit - 1)) + "…" : clean
  return short.isEmpty ? "-" : short
}
