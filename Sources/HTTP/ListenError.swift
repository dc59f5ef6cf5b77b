/// Why a server could not start: what, where, why, and what may help.
public struct ListenError: Error, Equatable, CustomStringConvertible {
  public enum Reason: Equatable, Sendable {
    case inUse, notPermitted, notHere
    case badAddress(String)
    case badDescriptor
    case tls(String)
    case system(call: String, errno: Int32, message: String)
  }
  public var address: String
  public var reason: Reason

  public init(address: String, reason: Reason) {
    self.address = address
    self.reason = reason
  }

  public var description: String { "cannot listen on \(address): \(why); \(hint)" }

  public var why: String {
    switch reason {
    case .inUse: "the address is in use"
    case .notPermitted: "permission denied"
    case .notHere: "this machine does not have that address"
    case .badAddress(let detail): detail
    case .badDescriptor: "it is not a listening stream socket"
    case .tls(let detail): "the certificate or its key was not accepted (\(detail))"
    case .system(let call, _, let message): "\(call) failed: \(message)"
    }
  }

  public var hint: String {
    switch reason {
    case .inUse: "is another server running there? Stop it or choose another port"
    case .notPermitted: "ports below 1024 and foreign directories need privileges; choose another"
    case .notHere: "use an address of this machine, or 0.0.0.0 for all of them"
    case .badAddress: "write 127.0.0.1:8787, [::1]:8787, unix:/path or fd:3"
    case .badDescriptor: "the service manager must pass a socket that listens"
    case .tls: "both are PEM text, and the key belongs to the certificate"
    case .system: "see the system's message"
    }
  }
}
