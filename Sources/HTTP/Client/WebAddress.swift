/// Where an outbound request goes: `https://host:port/path?query`, read strictly.
public struct WebAddress: Equatable, Sendable, CustomStringConvertible {
  public var isSecure: Bool
  /// A name, or an address without brackets.
  public var host: String
  public var port: UInt16
  /// With its query, beginning with `/`; what is no ASCII must be encoded already.
  public var path: String

  /// nil where the text is no such address: another scheme, a user name, a fragment, spaces, or no host.
  public init?(_ text: String) {
    guard let schemeEnd = text.firstRange(of: "://") else { return nil }
    switch text[..<schemeEnd.lowerBound].lowercased() {
    case "https": isSecure = true
    case "http": isSecure = false
    default: return nil
    }
    let rest = text[schemeEnd.upperBound...]
    guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), !rest.contains("#") else { return nil }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let tail = rest[authority.endIndex...]
    path = tail.hasPrefix("/") ? String(tail) : "/" + tail
    guard let (host, port) = Self.split(authority), !host.isEmpty else { return nil }
    self.host = host
    guard let port else {
      self.port = isSecure ? 443 : 80
      return
    }
    guard let number = UInt16(port), number > 0 else { return nil }
    self.port = number
  }

  /// The address below this one: `https://host/base` and `/api/x` give `https://host/base/api/x`.
  public func appending(_ path: String) -> WebAddress {
    var address = self
    address.path = (self.path.hasSuffix("/") ? String(self.path.dropLast()) : self.path) + path
    return address
  }

  /// Host and port, the port only where it is not the usual one.
  public var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
  }
  public var description: String { (isSecure ? "https://" : "http://") + authority + path }

  private static func split(_ authority: Substring) -> (host: String, port: Substring?)? {
    guard !authority.contains("@") else { return nil }
    if authority.hasPrefix("[") {
      guard let close = authority.firstIndex(of: "]") else { return nil }
      let after = authority[authority.index(after: close)...]
      guard after.isEmpty || after.hasPrefix(":") else { return nil }
      let host = String(authority[authority.index(after: authority.startIndex)..<close])
      return (host, after.isEmpty ? nil : after.dropFirst())
    }
    let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2 else { return nil }
    return (String(parts[0]), parts.count == 2 ? parts[1] : nil)
  }
}
