public import Lifecycle
public import Statistics

/// The competing causes of a life table of updates.
extension Cause {
  public static let silentPush: Cause = 1
  public static let bgRefresh: Cause = 2
  public static let foreground: Cause = 3
  /// A newer release was applied instead.
  public static let newerRelease: Cause = 4
  public static let unknown: Cause = 5
  public static let location: Cause = 6

  public init(_ mechanism: Trigger) {
    switch mechanism {
    case .silentPush: self = .silentPush
    case .bgRefresh: self = .bgRefresh
    case .foreground: self = .foreground
    case .location: self = .location
    case .unknown: self = .unknown
    }
  }
}

extension Trigger {
  public var cause: Cause { Cause(self) }
}

extension Cause {
  /// The word for it in answers: a trigger's, or `newerRelease`.
  public var word: String { Trigger.allCases.first { $0.cause == self }?.rawValue ?? "newerRelease" }
}

extension CauseSet {
  /// Updates by whichever mechanism.
  public static let updates: CauseSet = [.silentPush, .bgRefresh, .foreground, .location, .unknown]
}
