import Lifecycle
import Statistics
import Store

/// Why pushes to devices of one platform did not arrive, as far as each device's own history tells; sums only.
///
/// A push that a newer one replaced, or that came as the third or later within an hour, is put down to the sender: Apple
/// says not to try more than two or three an hour. One after which nothing but launches followed met an app that was
/// force-quit, or whose background refresh is switched off. One after which the app was woken otherwise met neither.
struct PushLosses: Countable {
  /// No push is said to gain more: a device that is silent for long may be switched off.
  static let mostGained = Milliseconds.days(1)
  /// The longest way to the nearest other push to the device, by class; the last class has no end.
  static let gaps: [Milliseconds] = [
    .minutes(15), .minutes(30), .hours(1), .hours(2), .hours(4), .hours(8), .hours(24),
  ]

  var devices = 0
  var pushes = 0
  var arrived = 0
  /// Among all that were sent, too young to judge or not.
  var refused = RateSums()
  /// The same, and those that woke the app, of the newest pushes.
  var newest = NewestPushes()
  /// Arrived and woke the app in the background.
  var woke = RateSums()
  var replaced = RateSums()
  var overBudget = RateSums()
  var closed = RateSums()
  var unexplained = RateSums()
  var unreached = RateSums()
  /// Of pushes by how far the nearest other one is: those that arrived in time.
  var byGap = [RateSums](repeating: RateSums(), count: gaps.count + 1)
  /// How much sooner they woke the app than it would have run by itself, of pushes by how far the nearest other one is: minutes
  /// among those of `mostGained` for each push, 0 where it did not wake it. Without the pushes of the last day.
  var gained = [RateSums](repeating: RateSums(), count: gaps.count + 1)
  /// Of pushes as the third or later within an hour, and of those with none within a day before or after.
  var crowded = RateSums()
  var alone = RateSums()
  /// Of wake-ups that clients put down to a push: those at which the user was opening the app.
  var atLaunch = RateSums()
  /// How long pushes that woke the app took, in seconds.
  var delays = IntervalCounts()

  /// That clients put down to a push.
  var wakeUps: Int { Int(atLaunch.ratio.trials) }
  /// Whether any device reports that a push arrived.
  var isAnyReceived: Bool { arrived > 0 || wakeUps > 0 }
  var isEmpty: Bool { devices == 0 && refused.ratio.trials == 0 }

  mutating func add(_ other: PushLosses, times: Int) {
    devices += times * other.devices
    pushes += times * other.pushes
    arrived += times * other.arrived
    refused.add(other.refused, times: times)
    newest.add(other.newest, times: times)
    woke.add(other.woke, times: times)
    replaced.add(other.replaced, times: times)
    overBudget.add(other.overBudget, times: times)
    closed.add(other.closed, times: times)
    unexplained.add(other.unexplained, times: times)
    unreached.add(other.unreached, times: times)
    for index in byGap.indices { byGap[index].add(other.byGap[index], times: times) }
    for index in gained.indices { gained[index].add(other.gained[index], times: times) }
    crowded.add(other.crowded, times: times)
    alone.add(other.alone, times: times)
    atLaunch.add(other.atLaunch, times: times)
    delays.add(other.delays, times: times)
  }

  /// The pushes to one device, and how often it was woken.
  mutating func add(_ device: PushHistory) {
    refused.add(device.refused, of: device.sent)
    newest.add(device.newest)
    guard device.mature > 0 || device.wakeUps > 0 else { return }
    devices += 1
    pushes += device.mature
    arrived += device.arrived
    let reached = device.mature - device.unreached
    woke.add(device.woke, of: reached - device.replaced)
    replaced.add(device.replaced, of: reached)
    overBudget.add(device.overBudget, of: reached)
    closed.add(device.closed, of: reached)
    unexplained.add(device.unexplained, of: reached)
    unreached.add(device.unreached, of: device.mature)
    for index in byGap.indices { byGap[index].add(device.byGap[index].arrived, of: device.byGap[index].all) }
    for index in gained.indices { gained[index].add(device.gained[index].minutes, of: device.gained[index].most) }
    crowded.add(device.crowded.arrived, of: device.crowded.all)
    alone.add(device.alone.arrived, of: device.alone.all)
    atLaunch.add(device.atLaunch, of: device.wakeUps)
    for delay in device.delays { delays.count(delay) }
  }
}

/// What the pushes to one device came to.
struct PushHistory {
  var (mature, arrived, woke, replaced, overBudget, closed, unexplained, unreached) = (0, 0, 0, 0, 0, 0, 0, 0)
  /// All pushes, and those that the gateway refused.
  private(set) var (sent, refused) = (0, 0)
  private(set) var newest = NewestPushHistory()
  var byGap = [(arrived: Int, all: Int)](repeating: (0, 0), count: PushLosses.gaps.count + 1)
  var gained = [(minutes: Int, most: Int)](repeating: (0, 0), count: PushLosses.gaps.count + 1)
  var crowded = (arrived: 0, all: 0)
  var alone = (arrived: 0, all: 0)
  var (wakeUps, atLaunch) = (0, 0)
  var delays: [Milliseconds] = []

  /// More pushes than this within an hour are more than the system takes.
  static let budget = 2

  /// Every push, whatever became of it.
  mutating func add(sent push: SentPush, until cutOff: Timestamp) {
    sent += 1
    if push.isRejected { refused += 1 }
    newest.add(sent: push, until: cutOff)
  }

  /// A mature one that was accepted, besides.
  ///
  /// - Parameters:
  ///   - sent: when the accepted pushes up to this one were sent, the last one being its own.
  ///   - ranAfterwards: whether a background refresh woke the app within the horizon.
  ///   - gained: how much sooner it woke the app than that would have run by itself; nil where that cannot be known yet.
  ///   - end: a horizon before the cutoff.
  mutating func add(
    _ push: SentPush, _ state: PushState, sent: ArraySlice<Timestamp>, ranAfterwards: Bool, gained: Milliseconds?,
    until end: Timestamp
  ) {
    mature += 1
    if state != .unreached, state != .coalesced {
      newest.add(reached: push, woke: push.arrival == .background, until: end)
    }
    let lastHour = sent.dropLast().reversed().prefix { push.sent - $0 < .hours(1) }.count
    switch state {
    case .delivered, .late:
      arrived += 1
      if push.arrival == .background {
        woke += 1
        if let receipt = push.receipt { delays.append(receipt - push.sent) }
      }
    case .coalesced: replaced += 1
    case .lost where lastHour >= Self.budget: overBudget += 1
    case .lost where ranAfterwards: unexplained += 1
    case .lost: closed += 1
    case .unreached: unreached += 1
    case .pending: break
    }
    guard state != .unreached else { return }
    let isInTime = state == .delivered
    let gap = Self.gap(push, after: sent.dropLast().last)
    count(isInTime, in: &byGap[gap])
    if let gained {
      self.gained[gap].minutes += Int(min(gained, PushLosses.mostGained).rawValue / 60_000)
      self.gained[gap].most += Int(PushLosses.mostGained.rawValue / 60_000)
    }
    if lastHour >= Self.budget { count(isInTime, in: &crowded) }
    let isFollowed = push.replacedAt.map { $0 - push.sent < .days(1) } ?? false
    if push.before == 0, !isFollowed { count(isInTime, in: &alone) }
  }

  private func count(_ isInTime: Bool, in counts: inout (arrived: Int, all: Int)) {
    counts.all += 1
    if isInTime { counts.arrived += 1 }
  }

  private static func gap(_ push: SentPush, after before: Timestamp?) -> Int {
    let gaps = [before.map { push.sent - $0 }, push.replacedAt.map { $0 - push.sent }].compactMap(\.self)
    return gaps.min().flatMap { nearest in PushLosses.gaps.firstIndex { nearest < $0 } } ?? PushLosses.gaps.count
  }
}
