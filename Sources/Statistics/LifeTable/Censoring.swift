/// Why an interval at risk ended without an event.
public enum Censoring: String, CaseIterable, Hashable, Sendable, Codable {
  /// The data end here.
  case cutOff
  /// No contact for the whole reach window.
  case silent
  /// The device moved to another channel.
  case switched
  /// A newer release was published.
  case superseded
  /// The rollout was set to 0 %.
  case halted

  var column: Int {
    switch self {
    case .cutOff: 0
    case .silent: 1
    case .switched: 2
    case .superseded: 3
    case .halted: 4
    }
  }
}

/// How an interval at risk ended.
public enum Ending: Hashable, Sendable {
  case event(Cause)
  case censored(Censoring)
}
