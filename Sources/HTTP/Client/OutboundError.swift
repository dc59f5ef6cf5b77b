/// Why there is no answer to an outbound request.
public struct OutboundError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Kind: Equatable, Sendable {
    case unknownHost
    case unreachable
    /// The certificate is not one to trust, or there is no common protocol.
    case untrusted
    case timedOut
    case broken
    case notHTTP
    /// Answered with another address. It is not followed: what is sent may be meant for this host alone.
    case redirected
  }
  public var kind: Kind
  /// Host and port.
  public var place: String
  /// The system's words, or ours.
  public var reason: String
  /// The whole request may have arrived: nobody knows whether it was acted upon.
  public var isInDoubt = false

  init(_ kind: Kind, _ address: WebAddress, _ reason: String) {
    (self.kind, self.place, self.reason) = (kind, address.authority, reason)
  }

  public var description: String {
    switch kind {
    case .unknownHost: "\(place) is not known: \(reason)"
    case .unreachable: "\(place) cannot be reached: \(reason)"
    case .untrusted: "\(place) cannot be trusted: \(reason)"
    case .timedOut: "\(place) took too long: \(reason)"
    case .broken: "the connection to \(place) broke: \(reason)"
    case .notHTTP: "\(place) does not answer in HTTP/1.1: \(reason)"
    case .redirected: "\(place) redirects to \(reason), which is not followed"
    }
  }
}
