internal import HTTP
internal import Store

/// Until the first key is made this machine may do everything, and a browser on it does what any page tells it to: it
/// sends requests to this place for a page of another site, and, where that site's name is bound to this machine's address
/// after the page was loaded, lets it read the answers, too. Both show in the headers, which pages cannot forge.
extension Service {
  /// Why a request without a key is not what somebody on this machine wants; nil where it may be.
  func foreignness(of request: Request, to route: Route) -> AccessDenied? {
    guard route.isForLocalCallers, request.address != nil, keys.isOpen else { return nil }
    // A name can be bound to any address; an address is what it is, such as an emulator's for the machine it runs on.
    if let host = request.headers["host"], ClientAddress(host) == nil, !isLocalName(host) { return .foreignHost(host) }
    if let origin = request.headers["origin"] {
      let isAllowed = route.takesEvents && settings.origins.holds(origin, app: nil)
      return isAllowed || isLocal(origin: origin) ? nil : .foreignOrigin(origin, mayBeAllowed: route.takesEvents)
    }
    guard request.headers["sec-fetch-site"]?.lowercased() == "cross-site" else { return nil }
    return route.mayBeLinked(by: request) ? nil : .foreignOrigin("another site", mayBeAllowed: false)
  }
}

extension Route {
  /// What everybody may see needs no such care.
  fileprivate var isForLocalCallers: Bool {
    if case .anybody = access { dialect != nil } else { true }
  }

  /// Whether following a link of another site does no more than to show something.
  fileprivate func mayBeLinked(by request: Request) -> Bool {
    method == "GET" && dialect == nil && request.headers["sec-fetch-mode"]?.lowercased() == "navigate"
  }
}

private func isLocal(origin: String) -> Bool {
  guard let colon = origin.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
  let rest = origin[colon...].dropFirst()
  guard rest.hasPrefix("//") else { return false }
  let authority = String(rest.dropFirst(2))
  return isLocalName(authority) || ClientAddress(authority)?.isLoopback == true
}

/// `localhost` and names below it, which no name server is asked for (RFC 6761, 6.3), with a port or without.
private func isLocalName(_ authority: String) -> Bool {
  let name = authority.prefix { $0 != ":" }.lowercased()
  guard ClientAddress.isPort(authority.dropFirst(name.count)) else { return false }
  return name == "localhost" || name.hasSuffix(".localhost")
}
