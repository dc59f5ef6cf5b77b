/// How far a device got with a release, as its client reports it.
///
/// The raw value is the word on the wire, in the database's views, in JSON and on pages. `code` is what the database
/// stores; codes are never reused or renumbered.
public enum Stage: String, CaseIterable, Sendable {
  case wakeStarted, check, available, downloadStarted, downloadCompleted, verified, ready, applied, confirmed
  case pushSent, pushReceived, wakeFinished, dismissed, failed, rolledBack, crashed

  public var code: UInt8 {
    switch self {
    case .wakeStarted: 1
    case .check: 2
    case .available: 3
    case .downloadStarted: 4
    case .downloadCompleted: 5
    case .verified: 6
    case .ready: 7
    case .applied: 8
    case .confirmed: 9
    case .pushSent: 20
    case .pushReceived: 21
    case .wakeFinished: 22
    case .dismissed: 23
    case .failed: 24
    case .rolledBack: 25
    case .crashed: 26
    }
  }

  public init?(code: UInt8) {
    guard let stage = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = stage
  }
}

extension Stage {
  /// What the event's `release` means: the one the device runs, or the one the stage is about.
  public enum ReleaseMeaning: Sendable { case running, subject, optional }

  public var releaseMeaning: ReleaseMeaning {
    switch self {
    case .check, .wakeStarted: .running
    case .available, .downloadStarted, .downloadCompleted, .verified, .ready, .applied, .confirmed, .rolledBack:
      .subject
    case .pushSent, .pushReceived, .wakeFinished, .dismissed, .failed, .crashed: .optional
    }
  }

  /// Whether the device itself spoke. What the push server reports is no sign of life from the device.
  public var isContact: Bool { self != .pushSent }
}
