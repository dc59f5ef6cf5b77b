import Lifecycle
import Store

/// What became of a push that the gateway accepted. The raw values are part of every answer's JSON.
public enum PushState: String, CaseIterable, Sendable {
  /// A receipt within the horizon.
  case delivered
  /// A receipt after it.
  case late
  /// A newer push to the device was sent within the horizon, before any receipt.
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

  func state(_ device: WakeDevice, horizon: Milliseconds, until cutOff: Timestamp) -> PushState {
    if let receipt { return receipt - sent <= horizon ? .delivered : .late }
    if let replacedAt, replacedAt - sent <= horizon { return .coalesced }
    if !isMature(horizon, until: cutOff) { return .pending }
    return device.spoke(after: sent, until: cutOff) ? .lost : .unreached
  }

  func isMature(_ horizon: Milliseconds, until cutOff: Timestamp) -> Bool { cutOff - sent >= horizon }
}

extension SentPush {
  init(_ fact: WakeFact) {
    self.init(
      id: fact.push, sent: fact.at, release: fact.release, channel: fact.channel, platform: fact.platform,
      isRejected: fact.outcome == .rejected)
  }
}

/// A sign that a push arrived.
private struct Receipt {
  var at: Timestamp
  var push: UInt64
  var channel: Int64
  var isBackground: Bool
}

/// The pushes to one device, each with the receipt that answers it.
struct PushMatch {
  /// In order of sending.
  private(set) var pushes: [SentPush] = []
  /// Receipts in the background that no push answers to: when, and in which channel.
  private(set) var orphans: [(at: Timestamp, channel: Int64)] = []

  /// Clocks may be wrong by so much: a receipt may lie before its push.
  static let tolerance = DeviceHistory.tolerance
  /// A push that is sent again under its id within this is the same push.
  static let resend = Milliseconds.days(1)
  /// Contacts this close to a receipt say that the user was opening the app.
  static let launch = Milliseconds.minutes(1)

  /// - Parameter names: what a push is about, in words: decides between pushes of one instant, whose numbers may differ
  ///   from one database to the next.
  init(_ facts: ArraySlice<WakeFact>, _ wakeUps: [WakeUp], names: (SentPush) -> [String] = { _ in [] }) {
    let sent = facts.filter { $0.stage == .pushSent }.map(SentPush.init).sorted { one, other in
      if one.sent != other.sent { return one.sent < other.sent }
      let (left, right) = (names(one), names(other))
      return left == right
        ? (one.id, one.isRejected ? 1 : 0) < (other.id, other.isRejected ? 1 : 0)
        : left.lexicographicallyPrecedes(right)
    }
    for push in sent { add(push) }
    // A push that was refused first counts from when it was accepted.
    pushes.sort { $0.sent < $1.sent }
    linkSuccessors()
    let receipts = Self.receipts(facts, wakeUps)
    let openings = facts.filter { $0.trigger == .foreground && $0.stage == .check }.map(\.at)
    for receipt in receipts where receipt.push != 0 { match(receipt, openings) }
    for receipt in receipts where receipt.push == 0 { match(receipt, openings) }
    orphans.sort { ($0.at, $0.channel) < ($1.at, $1.channel) }
  }

  private mutating func add(_ push: SentPush) {
    let earlier = pushes.lastIndex { $0.id == push.id && push.id != 0 && push.sent - $0.sent <= Self.resend }
    guard let earlier else { return pushes.append(push) }
    if pushes[earlier].isRejected, !push.isRejected { pushes[earlier] = push }
  }

  /// Pushes of one instant neither replace nor precede each other: nobody knows their order.
  private mutating func linkSuccessors() {
    let accepted = pushes.indices.filter { !pushes[$0].isRejected }
    var (oldest, first) = (0, 0)
    for (place, index) in accepted.enumerated() {
      let sent = pushes[index].sent
      if pushes[accepted[first]].sent < sent {
        for earlier in accepted[first..<place] { pushes[earlier].replacedAt = sent }
        first = place
      }
      while sent - pushes[accepted[oldest]].sent > .days(1) { oldest += 1 }
      pushes[index].before = first - oldest
    }
  }

  private static func receipts(_ facts: ArraySlice<WakeFact>, _ wakeUps: [WakeUp]) -> [Receipt] {
    let woken = wakeUps.filter { $0.trigger == .silentPush }.map {
      Receipt(at: $0.start, push: $0.push, channel: $0.channel, isBackground: true)
    }
    let seen = facts.filter { $0.stage == .pushReceived && $0.trigger != .silentPush && $0.push != 0 }.map {
      Receipt(at: $0.at, push: $0.push, channel: $0.channel, isBackground: false)
    }
    return (woken + seen).sorted { ($0.at, $0.push) < ($1.at, $1.push) }
  }

  private mutating func match(_ receipt: Receipt, _ openings: [Timestamp]) {
    guard let index = receipt.push == 0 ? newestUnmatched(receipt) : named(receipt) else {
      if receipt.isBackground { orphans.append((receipt.at, receipt.channel)) }
      return
    }
    guard pushes[index].receipt == nil else { return }
    pushes[index].receipt = max(receipt.at, pushes[index].sent)
    let isOpening = openings.contains { abs(($0 - receipt.at).rawValue) <= Self.launch.rawValue }
    let wasHeld = receipt.at - pushes[index].sent > Self.launch
    pushes[index].arrival = wasHeld && isOpening ? .atLaunch : receipt.isBackground ? .background : .inUse
  }

  private func newestUnmatched(_ receipt: Receipt) -> Int? {
    pushes.lastIndex { !$0.isRejected && $0.receipt == nil && $0.sent <= receipt.at + Self.tolerance }
  }

  /// The newest push of that id before the receipt; where clocks disagree by more than usual, the first.
  private func named(_ receipt: Receipt) -> Int? {
    let own = pushes.indices.filter { pushes[$0].id == receipt.push && !pushes[$0].isRejected }
    return own.last { pushes[$0].sent <= receipt.at + Self.tolerance } ?? own.first
  }
}
