/// Pages of which places may send events: apps that run in a web view are pages to their system, and it asks first.
public struct AllowedOrigins: Sendable {
  /// Why a text names no origin.
  public struct Malformed: Error {
    public var text: String
    public var why: String
  }
  fileprivate struct Entry: Sendable {
    /// nil for every app.
    var app: String?
    var origin: String
  }
  private let entries: [Entry]
  static let none = AllowedOrigins(entries: [])

  private init(entries: [Entry]) { self.entries = entries }

  /// - Parameter texts: each an origin, or `APP=ORIGIN`.
  public init(_ texts: [String]) throws(Malformed) {
    var entries: [Entry] = []
    for text in texts { entries.append(try Entry(text)) }
    self.init(entries: entries)
  }

  /// - Parameter app: nil where that is not known, or every app may be meant.
  func holds(_ origin: String, app: String?) -> Bool {
    entries.contains { entry in
      entry.origin == origin.lowercased() && (app == nil || entry.app == nil || entry.app == app)
    }
  }
}

extension AllowedOrigins.Entry {
  fileprivate init(_ text: String) throws(AllowedOrigins.Malformed) {
    let sign = text.firstIndex(of: "=")
    app = sign.map { String(text[..<$0]) }
    origin = String(sign.map { text[$0...].dropFirst() } ?? text[...]).lowercased()
    func refuse(_ why: String) -> AllowedOrigins.Malformed { .init(text: text, why: why) }
    if app == "" { throw refuse("names no app before the =") }
    if origin == "*" || origin == "null" { throw refuse("would let any page send events") }
    guard let colon = origin.firstRange(of: "://"), colon.lowerBound > origin.startIndex else {
      throw refuse("has no scheme, such as https:// or capacitor://")
    }
    let (scheme, host) = (origin[..<colon.lowerBound], origin[colon.upperBound...])
    guard scheme.utf8.allSatisfy({ Self.isPlain($0) || $0 == UInt8(ascii: "+") }), !host.isEmpty,
      host.utf8.allSatisfy({ Self.isPlain($0) || [0x3A, 0x5B, 0x5D, 0x5F].contains($0) })
    else { throw refuse("is more than a scheme, a host and a port") }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}
