import Lifecycle
import Store

/// A sign that a push arrived.
private struct Receipt {
  var at: Timestamp
  var push: UInt64
  var channel: Int64
  var isBackground: Bool
}

/// The pushes to one device, each with the receipt that answers it; used for one device after another.
struct PushMatch {
  /// In order of sending.
  private(set) var pushes: [SentPush] = []
  /// Receipts in the background that no push answers to: when, and in which channel.
  private(set) var orphans: [(at: Timestamp, channel: Int64)] = []
  /// What each push led to, as far as journeys were looked at.
  var outcomes: [PushOutcome] = []
  /// Whether, after each push, a silent push's wake-up downloaded its release, as far as journeys were looked at.
  var areBrought: [Bool] = []
  private var receipts: [Receipt] = []
  private var sent: [SentPush] = []
  private var accepted: [Int] = []
  private var places = PushPlaces()
  private var unmatched = Unmatched()

  /// Clocks may be wrong by so much: a receipt may lie before its push.
  static let tolerance = RiskRules.tolerance
  /// A push that is sent again under its id within this is the same push.
  static let resend = Milliseconds.days(1)
  /// Contacts this close to a receipt say that the user was opening the app.
  static let launch = Milliseconds.minutes(1)

  /// - Parameters:
  ///   - facts: of one device, in order of time.
  ///   - names: what a push is about, in words: decides between pushes of one instant, whose numbers may differ from one
  ///     database to the next.
  mutating func match(_ facts: [WakeFact], _ wakeUps: [WakeUp], names: (SentPush) -> [String] = { _ in [] }) {
    collect(facts, names)
    linkSuccessors()
    outcomes.removeAll(keepingCapacity: true)
    outcomes.append(contentsOf: repeatElement(.notApplied, count: pushes.count))
    areBrought.removeAll(keepingCapacity: true)
    areBrought.append(contentsOf: repeatElement(false, count: pushes.count))
    unmatched.begin(pushes)
    orphans.removeAll(keepingCapacity: true)
    collectReceipts(facts, wakeUps)
    for receipt in receipts where receipt.push != 0 { match(receipt, facts) }
    for receipt in receipts where receipt.push == 0 { match(receipt, facts) }
    if orphans.count > 1 { orphans.sort { ($0.at, $0.channel) < ($1.at, $1.channel) } }
  }

  private mutating func collect(_ facts: [WakeFact], _ names: (SentPush) -> [String]) {
    pushes.removeAll(keepingCapacity: true)
    places.begin()
    collectSent(facts, names)
    for push in sent {
      if let earlier = push.id == 0 ? nil : places.newest(push.id),
        push.sent - pushes[earlier].sent <= Self.resend
      {
        if pushes[earlier].isRejected, !push.isRejected { pushes[earlier] = push }
      } else {
        places.note(push.id, pushes.count)
        pushes.append(push)
      }
    }
    // One that was refused first counts from when it was accepted.
    if !pushes.isAscending(by: { $0.sent < $1.sent }) { pushes.sort { $0.sent < $1.sent } }
    places.begin()
    for (place, push) in pushes.enumerated() where !push.isRejected { places.note(push.id, place) }
  }

  /// Facts of one instant are in the order of their numbers.
  private mutating func collectSent(_ facts: [WakeFact], _ names: (SentPush) -> [String]) {
    sent.removeAll(keepingCapacity: true)
    var hasTies = false
    for fact in facts where fact.stage == .pushSent {
      if sent.last?.sent == fact.at { hasTies = true }
      sent.append(SentPush(fact))
    }
    guard hasTies else { return }
    sent.sort { one, other in
      if one.sent != other.sent { return one.sent < other.sent }
      let (left, right) = (names(one), names(other))
      return left == right
        ? (one.id, one.isRejected ? 1 : 0) < (other.id, other.isRejected ? 1 : 0)
        : left.lexicographicallyPrecedes(right)
    }
  }

  /// Pushes of one instant neither replace nor precede each other: nobody knows their order.
  private mutating func linkSuccessors() {
    accepted.removeAll(keepingCapacity: true)
    for index in pushes.indices where !pushes[index].isRejected { accepted.append(index) }
    var (oldest, first) = (0, 0)
    for (place, index) in accepted.enumerated() {
      let sent = pushes[index].sent
      if pushes[accepted[first]].sent < sent {
        for earlier in first..<place { pushes[accepted[earlier]].replacedAt = sent }
        first = place
      }
      while sent - pushes[accepted[oldest]].sent > .days(1) { oldest += 1 }
      pushes[index].before = first - oldest
    }
  }

  private mutating func collectReceipts(_ facts: [WakeFact], _ wakeUps: [WakeUp]) {
    receipts.removeAll(keepingCapacity: true)
    for wakeUp in wakeUps where wakeUp.trigger == .silentPush {
      receipts.append(Receipt(at: wakeUp.start, push: wakeUp.push, channel: wakeUp.channel, isBackground: true))
    }
    for fact in facts where fact.stage == .pushReceived && fact.trigger != .silentPush && fact.push != 0 {
      receipts.append(Receipt(at: fact.at, push: fact.push, channel: fact.channel, isBackground: false))
    }
    func isBefore(_ one: Receipt, _ other: Receipt) -> Bool { (one.at, one.push) < (other.at, other.push) }
    if !receipts.isAscending(by: isBefore) { receipts.sort(by: isBefore) }
  }

  private mutating func match(_ receipt: Receipt, _ facts: [WakeFact]) {
    guard let index = receipt.push == 0 ? newestUnmatched(receipt) : named(receipt) else {
      if receipt.isBackground { orphans.append((receipt.at, receipt.channel)) }
      return
    }
    guard pushes[index].receipt == nil else { return }
    pushes[index].receipt = max(receipt.at, pushes[index].sent)
    unmatched.remove(index)
    let wasHeld = receipt.at - pushes[index].sent > Self.launch
    pushes[index].arrival =
      wasHeld && Self.isOpening(facts, receipt.at) ? .atLaunch : receipt.isBackground ? .background : .inUse
  }

  private static func isOpening(_ facts: [WakeFact], _ instant: Timestamp) -> Bool {
    var next = facts.firstPlace { $0.at >= instant - launch }
    while next < facts.count, facts[next].at <= instant + launch {
      if facts[next].trigger == .foreground, facts[next].stage == .check { return true }
      next += 1
    }
    return false
  }

  private mutating func newestUnmatched(_ receipt: Receipt) -> Int? {
    unmatched.last(before: pushes.firstPlace { $0.sent > receipt.at + Self.tolerance })
  }

  /// The newest push of that id before the receipt; where clocks disagree by more than usual, the first.
  private func named(_ receipt: Receipt) -> Int? {
    var (first, latest): (Int?, Int?)
    places.each(of: receipt.push) { place in
      first = first ?? place
      if pushes[place].sent <= receipt.at + Self.tolerance { latest = place }
    }
    return latest ?? first
  }
}

/// Finds pushes by id: among few by looking at each, among many by a table.
private struct PushPlaces {
  private static let few = 16
  private var table: [UInt64: [Int]] = [:]
  private var noted: [(id: UInt64, place: Int)] = []

  mutating func begin() {
    if !table.isEmpty { table = [:] }
    noted.removeAll(keepingCapacity: true)
  }

  /// Places come in ascending order.
  mutating func note(_ id: UInt64, _ place: Int) {
    if noted.count == Self.few, table.isEmpty {
      for one in noted { table[one.id, default: []].append(one.place) }
    }
    if table.isEmpty { noted.append((id, place)) } else { table[id, default: []].append(place) }
  }

  func newest(_ id: UInt64) -> Int? {
    table.isEmpty ? noted.last { $0.id == id }?.place : table[id]?.last
  }

  func each(of id: UInt64, _ body: (Int) -> Void) {
    guard table.isEmpty else { return table[id]?.forEach(body) ?? () }
    for one in noted where one.id == id { body(one.place) }
  }
}

/// Which accepted pushes have no receipt yet; finds the newest before a place however many were taken.
private struct Unmatched {
  /// One more than the newest untaken place that is known not to be after this one; 0 is none.
  private var below: [Int] = []

  mutating func begin(_ pushes: [SentPush]) {
    below.removeAll(keepingCapacity: true)
    below.append(0)
    for (place, push) in pushes.enumerated() { below.append(push.isRejected ? place : place + 1) }
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
