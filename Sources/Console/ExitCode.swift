/// How a run ended, for scripts.
public enum ExitCode: Int32, CaseIterable, Sendable {
  case done = 0
  case failed = 1
  case usage = 2
  case gateNotMet = 3
  case notEnoughData = 4
  case databaseUnusable = 5
  case importedInPart = 6
  case interrupted = 130

  public var meaning: String {
    switch self {
    case .done: "done"
    case .failed: "failed; the message says why"
    case .usage: "the command line or a setting is wrong; nothing was done"
    case .gateNotMet: "the answer is known, and the required condition does not hold"
    case .notEnoughData: "there is not enough data to answer; never a silent 0"
    case .databaseUnusable: "the database is missing, corrupt, locked, or newer than this program"
    case .importedInPart: "some input was stored and some was rejected"
    case .interrupted: "interrupted by Ctrl-C"
    }
  }
}
