import Lifecycle
import Store

/// What became of a push that the gateway accepted. The raw values are part of every answer's JSON.
public enum PushState: String, CaseIterable, Sendable {
  /// A receipt within the horizon.
  case delivered
  /// A receipt after it.
  case late
  /// A newer push to the device was sent within the horizon, before any receipt. It may have been lost before that.
  case coalesced
  /// Sent too recently to say.
  case pending
  /// No receipt, though the device spoke afterwards. Throttling, force-quit and switched off cannot be told apart.
  case lost
  /// The device was not heard of again.
  case unreached
}

/// How a push that was delivered came to the app, as far as it can be told.
public enum PushArrival: String, CaseIterable, Sendable {
  /// It woke the app.
  case background
  /// It had been held, and came as the user opened the app.
  case atLaunch
  /// It came while the app was in use.
  case inUse
}

/// One push to one device, and its receipt.
struct SentPush {
  var id: UInt64
  var sent: Timestamp
  var release: Int64
  var channel: Int64
  var platform: Int64
  var isRejected: Bool
  var receipt: Timestamp?
  var arrival: PushArrival?
  /// When the next push to the device was accepted.
  var replacedAt: Timestamp?
  /// Accepted pushes to the device in the 24 hours before it.
  var before = 0

  /// - Parameter spoke: whether the device did after the push was sent.
  func state(horizon: Milliseconds, until cutOff: Timestamp, spoke: () throws -> Bool) rethrows -> PushState {
    if let receipt { return receipt - sent <= horizon ? .delivered : .late }
    if let replacedAt, replacedAt - sent <= horizon { return .coalesced }
    if !isMature(horizon, until: cutOff) { return .pending }
    return try spoke() ? .lost : .unreached
  }

  /// Whether it says which release it is about: else nobody can tell whether it led to the update.
  var isNamed: Bool { release != 0 }

  func isMature(_ horizon: Milliseconds, until cutOff: Timestamp) -> Bool { cutOff - sent >= horizon }
}

extension SentPush {
  init(_ fact: WakeFact) {
    self.init(
      id: fact.push, sent: fact.at, release: fact.release, channel: fact.channel, platform: fact.platform,
      isRejected: fact.outcome == .rejected)
  }
}
