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

  public init?(code: UInt8) {
    guard let outcome = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = outcome
  }
}
