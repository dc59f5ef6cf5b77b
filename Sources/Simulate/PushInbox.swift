import Lifecycle

/// What became of a push, as only the simulation knows it.
enum PushFate: UInt8, CaseIterable {
  case background, piggyback, atLaunch, inUse
  /// A newer push took its place before it was delivered.
  case coalesced
  case forceQuit, expired, dropped, removed
  case rejected
  /// Still held when the simulated time ends.
  case held

  var name: String {
    switch self {
    case .background: "deliveredInBackground"
    case .piggyback: "deliveredWithNotice"
    case .atLaunch: "deliveredAtLaunch"
    case .inUse: "deliveredInUse"
    case .coalesced: "coalesced"
    case .forceQuit: "lostToForceQuit"
    case .expired: "lostToExpiry"
    case .dropped: "lostToSystem"
    case .removed: "lostToRemoval"
    case .rejected: "rejected"
    case .held: "held"
    }
  }
}

/// The one silent push that a system holds for an app, and its budget for deliveries.
///
/// Source: Apple, "Pushing background updates to your App": low priority, no guarantee, two or three an hour; the
/// newest push replaces the one that is held, a force-quit discards it. FCM collapses in the same way.
struct PushInbox {
  struct Held: Equatable {
    var campaign: UInt16
    var sent: Timestamp
    var expires: Timestamp
  }

  private(set) var held: Held?
  /// The newest deliveries, oldest first, as far as the budget reaches back.
  private var deliveries: InlineArray<4, Timestamp> = .init(repeating: Timestamp(rawValue: 0))

  /// Takes in a push and gives back the one that it displaces.
  mutating func arrive(_ push: Held) -> Held? {
    let displaced = held
    held = push
    return displaced
  }

  /// Whatever is held leaves: delivered, expired, or discarded at a force-quit.
  mutating func take() -> Held? {
    let push = held
    held = nil
    return push
  }

  /// When the budget of deliveries in an hour next allows one. Budgets above 4 are treated as 4.
  func allowed(from instant: Timestamp, perHour: Int) -> Timestamp {
    let oldest = deliveries[4 - min(max(perHour, 1), 4)]
    return oldest.rawValue == 0 ? instant : max(instant, oldest + .hours(1))
  }

  /// Remembers a delivery in the background, which the budget counts.
  mutating func recordDelivery(at instant: Timestamp) {
    for index in 0..<3 { deliveries[index] = deliveries[index + 1] }
    deliveries[3] = instant
  }
}
