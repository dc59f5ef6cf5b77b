/// What started the work that an event reports. Unknown is never guessed to be foreground.
public enum Trigger: String, CaseIterable, Sendable {
  case silentPush, bgRefresh, foreground, location, unknown

  /// What the database stores, and how ties between equal first times break: the lowest code wins.
  public var code: UInt8 {
    switch self {
    case .silentPush: 1
    case .bgRefresh: 2
    case .foreground: 3
    case .location: 4
    case .unknown: 5
    }
  }

  /// Spelled out: questions ask it of every journey.
  public init?(code: UInt8) {
    switch code {
    case 1: self = .silentPush
    case 2: self = .bgRefresh
    case 3: self = .foreground
    case 4: self = .location
    case 5: self = .unknown
    default: return nil
    }
  }
}
