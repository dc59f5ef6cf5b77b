import Lifecycle
import Store

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
  /// Accepted pushes by id, in order of sending.
  private var byID: [UInt64: [Int]] = [:]
  private var unmatched = Unmatched()

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
    collect(sent)
    linkSuccessors()
    for index in pushes.indices where !pushes[index].isRejected { byID[pushes[index].id, default: []].append(index) }
    unmatched = Unmatched(pushes)
    let receipts = Self.receipts(facts, wakeUps)
    let openings = facts.filter { $0.trigger == .foreground && $0.stage == .check }.map(\.at)
    for receipt in receipts where receipt.push != 0 { match(receipt, openings) }
    for receipt in receipts where receipt.push == 0 { match(receipt, openings) }
    orphans.sort { ($0.at, $0.channel) < ($1.at, $1.channel) }
  }

  /// - Parameter sent: in order of sending.
  private mutating func collect(_ sent: [SentPush]) {
    var newest: [UInt64: Int] = [:]
    for push in sent {
      let earlier = push.id == 0 ? nil : newest[push.id]
      if let earlier, push.sent - pushes[earlier].sent <= Self.resend {
        if pushes[earlier].isRejected, !push.isRejected { pushes[earlier] = push }
      } else {
        newest[push.id] = pushes.count
        pushes.append(push)
      }
    }
    // One that was refused first counts from when it was accepted.
    pushes.sort { $0.sent < $1.sent }
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
    unmatched.remove(index)
    let opening = openings.firstPlace { $0 >= receipt.at - Self.launch }
    let isOpening = opening < openings.count && openings[opening] <= receipt.at + Self.launch
    let wasHeld = receipt.at - pushes[index].sent > Self.launch
    pushes[index].arrival = wasHeld && isOpening ? .atLaunch : receipt.isBackground ? .background : .inUse
  }

  private mutating func newestUnmatched(_ receipt: Receipt) -> Int? {
    unmatched.last(before: pushes.firstPlace { $0.sent > receipt.at + Self.tolerance })
  }

  /// The newest push of that id before the receipt; where clocks disagree by more than usual, the first.
  private func named(_ receipt: Receipt) -> Int? {
    guard let own = byID[receipt.push] else { return nil }
    let later = own.firstPlace { pushes[$0].sent > receipt.at + Self.tolerance }
    return later > 0 ? own[later - 1] : own.first
  }
}

/// Which accepted pushes have no receipt yet; finds the newest before a place however many were taken.
private struct Unmatched {
  /// One more than the newest untaken place that is known not to be after this one; 0 is none.
  private var below: [Int]

  init(_ pushes: [SentPush] = []) {
    below = [0] + pushes.indices.map { pushes[$0].isRejected ? $0 : $0 + 1 }
  }

  mutating func remove(_ place: Int) { below[place + 1] = place }

  /// The last untaken place below a bound.
  mutating func last(before bound: Int) -> Int? {
    var root = bound
    while below[root] != root { root = below[root] }
    var next = bound
    while below[next] != root { (below[next], next) = (root, below[next]) }
    return root > 0 ? root - 1 : nil
  }
}

extension Array {
  /// The first place whose element satisfies a predicate that is false, then true.
  func firstPlace(where belongsAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if belongsAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
