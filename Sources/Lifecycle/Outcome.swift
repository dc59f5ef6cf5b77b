/// How a wake-up ended, or, for a sent push, whether the gateway took it.
public enum Outcome: String, CaseIterable, Sendable {
  case newData, noData, failed
  /// The system's budget of 30 seconds ran out.
  case expired
  case accepted, rejected

  public var code: UInt8 {
    switch self {
    case .newData: 1
    case .noData: 2
    case .failed: 3
    case .expired: 4
    case .accepted: 5
    case .rejected: 6
    }
  }

  /// Spelled out: questions ask it of every wake-up.
  public init?(code: UInt8) {
    switch code {
    case 1: self = .newData
    case 2: self = .noData
    case 3: self = .failed
    case 4: self = .expired
    case 5: self = .accepted
    case 6: self = .rejected
    default: return nil
    }
  }
}
