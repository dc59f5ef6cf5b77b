internal import HTTP

extension ListenAddress {
  /// Whether only this machine can connect.
  var isLocal: Bool {
    switch self {
    case .ipv4(let host, _): host.hasPrefix("127.")
    case .ipv6(let host, _): host == "::1"
    case .unix: true
    case .inherited: false
    }
  }

  /// What to open, once the port is known.
  func url(scheme: String, port: UInt16) -> String {
    switch self {
    case .ipv4(let host, _): "\(scheme)://\(host):\(port)"
    case .ipv6(let host, _): "\(scheme)://[\(host)]:\(port)"
    case .unix, .inherited: "\(self)"
    }
  }
}
