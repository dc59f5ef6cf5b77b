import Lifecycle
import Store

/// Pushes that the gateway refused, among all that were sent up to this moment, of one platform; sums only. A device counts once,
/// whichever side of the cutoff its pushes are on.
struct RefusedPushes: Mergeable {
  /// In the whole period.
  private(set) var all = RateSums()
  /// By `NewestPushes.spans` before the cutoff, with those after it.
  private(set) var newest = [RateSums](repeating: RateSums(), count: NewestPushes.spans.count)

  /// - Parameter pushes: to one device.
  mutating func add(_ pushes: [SentPush], until cutOff: Timestamp) {
    Self.add(pushes, to: &all)
    for (index, span) in NewestPushes.spans.enumerated() {
      Self.add(pushes.filter { cutOff - $0.sent < span }, to: &newest[index])
    }
  }

  private static func add(_ pushes: [SentPush], to sums: inout RateSums) {
    if !pushes.isEmpty { sums.add(pushes.count(where: \.isRejected), of: pushes.count) }
  }

  mutating func add(_ other: Self, times: Int) {
    all.add(other.all, times: times)
    for index in newest.indices { newest[index].add(other.newest[index], times: times) }
  }
}

/// Sorts them by platform.
struct RefusedTally: Tally {
  private(set) var platforms: [Int: RefusedPushes] = [:]
  /// Of pushes about the releases that are looked at.
  private(set) var own: [Int: RefusedPushes] = [:]
  private let question: RefusedCounting
  private var places: IncludedPlaces
  private var match = PushMatch()

  init(_ question: RefusedCounting) {
    self.question = question
    places = IncludedPlaces(question.losses.extent, question.losses.names)
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    let losses = question.losses
    try page.eachInBackground(includesEmulators: losses.extent.includesEmulators) { _, index, facts in
      guard facts.contains(where: { $0.stage == .pushSent }), losses.includes(index, page) else { return }
      match.match(facts, []) { losses.names(of: $0) }
      let platform = index.map { Int(page.platforms[$0]) } ?? match.pushes.first.map { -Int($0.platform) } ?? 0
      guard places.contains(match.pushes.first?.channel ?? 0, platform) else { return }
      let pushes = match.pushes.filter { losses.extent.includes($0.sent) }
      platforms[platform, default: RefusedPushes()].add(pushes, until: losses.cutOff)
      let about = pushes.filter { losses.own.contains($0.release) }
      if !about.isEmpty { own[platform, default: RefusedPushes()].add(about, until: losses.cutOff) }
    }
  }

  mutating func add(_ other: Self, times: Int) {
    for (platform, more) in other.platforms { platforms[platform, default: RefusedPushes()].add(more, times: times) }
    for (platform, more) in other.own { own[platform, default: RefusedPushes()].add(more, times: times) }
  }
}

/// Goes through pushes once more, to this moment: only where some were sent after the cutoff.
final class RefusedCounting: Counting {
  fileprivate let losses: PushLossCounting
  private let end: Timestamp

  init(_ losses: PushLossCounting, now: Timestamp) {
    self.losses = losses
    end = max(losses.cutOff, min(now, losses.cutOff + LatePushes.longest))
  }

  var need: Need {
    var need = losses.need
    need.wakes = .init(from: losses.extent.earliestFact, until: end)
    return need
  }
  var start: RefusedTally { RefusedTally(self) }
}
