/// Why a request was not taken as a whole.
public struct DialectProblem: Error, Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    /// What cannot succeed however often it is sent.
    case malformed, tooLarge, unsupported
    case noKey, wrongKey, wrongScope
    /// What may succeed after so many seconds.
    case busy(seconds: Int)
    /// More requests with one key, or from one address, than it may send.
    case limited(seconds: Int)
  }
  public var kind: Kind
  public var message: String

  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The status of protocols that use HTTP's as they are meant.
  public var status: Int {
    switch kind {
    case .malformed: 400
    case .tooLarge: 413
    case .unsupported: 415
    case .noKey, .wrongKey: 401
    case .wrongScope: 403
    case .limited: 429
    case .busy: 503
    }
  }

  public var retryAfter: Int? {
    switch kind {
    case .busy(let seconds), .limited(let seconds): seconds
    default: nil
    }
  }

  /// The word under which metrics count it.
  public var reason: String {
    switch kind {
    case .malformed: "malformed"
    case .tooLarge: "too_large"
    case .unsupported: "unsupported"
    case .noKey: "no_key"
    case .wrongKey: "wrong_key"
    case .wrongScope: "wrong_scope"
    case .busy: "busy"
    case .limited: "limited"
    }
  }
}
