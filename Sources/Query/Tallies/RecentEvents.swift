import Lifecycle
import Store

/// Downloads that are alike in size, network and platform.
struct DownloadKind: Hashable, Comparable {
  var platform: String
  /// Of `DownloadSize`: the class that the release's downloads are in; the last one is unknown.
  var size: Int
  /// `Network.words`, or nobody said.
  var network: String

  static func < (left: Self, right: Self) -> Bool {
    (left.platform, left.size, left.network) < (right.platform, right.size, right.network)
  }
}

/// Classes of the size of a download.
enum DownloadSize {
  static let megabyte: Int64 = 1_000_000
  /// Where classes end; the last one has no end.
  static let ends = [megabyte, 5 * megabyte, 20 * megabyte, 50 * megabyte]
  static let words = ["under 1 MB", "1 to 5 MB", "5 to 20 MB", "20 to 50 MB", "50 MB or more", "of unknown size"]
  static let unknown = words.count - 1

  static func index(_ bytes: Int64?) -> Int {
    bytes.map { bytes in ends.firstIndex { bytes < $0 } ?? ends.count } ?? unknown
  }
}

/// What the newest events say that journeys and wake-ups do not keep: events that came again, how long downloads
/// take, and why gateways refused pushes.
struct RecentEvents: Tally {
  /// Of the events of devices: those that another one equals, whose id is another.
  var repeats = RateSums()
  /// Of downloads that began in the background: those that had neither ended nor failed after 30 seconds.
  var overruns: [DownloadKind: RateSums] = [:]
  var refusals: [PushRefusal: Int] = [:]
  var late = LatePushes()

  /// Devices are not gone through for it.
  mutating func count(_ page: borrowing ShardPage) throws {}

  mutating func add(_ other: RecentEvents, times: Int) {
    repeats.add(other.repeats, times: times)
    for (kind, sums) in other.overruns { overruns[kind, default: RateSums()].add(sums, times: times) }
    refusals.add(other.refusals, times: times)
    late.add(other.late, times: times)
  }

  init() {}

  /// - Parameter until: only pushes are looked at that are later.
  init(_ all: [RecentEvent], until: Timestamp) {
    let events = all.filter { $0.at <= until }
    let sizes = Self.sizes(events)
    late = LatePushes(all, after: until)
    for event in all { if let refusal = PushRefusal(event) { refusals[refusal, default: 0] += 1 } }
    let ordered = events.filter { $0.stage != .pushSent }.sorted { $0.key < $1.key }
    var rest = ordered[...]
    while let first = rest.first {
      let own = rest.prefix { $0.device == first.device }
      rest = rest[own.endIndex...]
      repeats.add(zip(own, own.dropFirst()).count { $0.key == $1.key && !$0.isAsReceived }, of: own.count)
      for (kind, counts) in Self.downloads(own, sizes, until: until) {
        overruns[kind, default: RateSums()].add(counts.late, of: counts.all)
      }
    }
  }

  /// By release, the size that three of four of its downloads do not exceed: one that is continued says only what was left.
  private static func sizes(_ events: [RecentEvent]) -> [Int64: Int64] {
    var sizes: [Int64: [Int64]] = [:]
    for event in events where event.stage == .downloadCompleted && event.release != 0 {
      if let bytes = event.bytes { sizes[event.release, default: []].append(bytes) }
    }
    return sizes.mapValues { $0.sorted()[$0.count * 3 / 4] }
  }

  /// - Parameter events: of one device, in order of time.
  private static func downloads(
    _ events: ArraySlice<RecentEvent>, _ sizes: [Int64: Int64], until: Timestamp
  ) -> [DownloadKind: (late: Int, all: Int)] {
    var counts: [DownloadKind: (late: Int, all: Int)] = [:]
    for (place, start) in zip(events.indices, events) where start.stage == .downloadStarted && start.release != 0 {
      guard start.trigger != .foreground, start.trigger != .unknown, until - start.at > WakeUp.longest else { continue }
      let after = events[(place + 1)...].prefix { $0.at - start.at <= WakeUp.budget }
      let end = after.first { $0.release == start.release && ($0.stage == .downloadCompleted || $0.stage == .failed) }
      if end?.stage == .failed { continue }
      let kind = DownloadKind(
        platform: start.platform ?? Group.unnamed, size: DownloadSize.index(sizes[start.release]),
        network: start.network.flatMap { Network($0).word } ?? Group.unnamed)
      counts[kind, default: (0, 0)].all += 1
      if end == nil { counts[kind]?.late += 1 }
    }
    return counts
  }
}

extension RecentEvent {
  fileprivate struct Key: Equatable, Comparable {
    var device: UInt64
    var at: Timestamp
    var stage: UInt8
    var trigger: UInt8
    var release: Int64
    var push: UInt64

    static func < (left: Self, right: Self) -> Bool {
      if left.device != right.device { return left.device < right.device }
      return (left.at, left.stage, left.trigger, left.release, left.push)
        < (right.at, right.stage, right.trigger, right.release, right.push)
    }
  }
  fileprivate var key: Key {
    Key(device: device, at: at, stage: stage.code, trigger: trigger.code, release: release, push: push)
  }
}

/// Reads the newest events, once for an answer.
final class RecentEventsCounting: Counting {
  private let extent: FleetScope
  private let cutOff: Timestamp
  private let newest: Int64

  /// - Parameter newest: so many events are looked at, at most.
  init(_ vocabulary: Vocabulary, _ extent: FleetScope, newest: Int64 = Snapshot.mostRecent) {
    (self.extent, self.newest) = (extent, newest)
    cutOff = CutOff(vocabulary, app: extent.app, now: extent.now).at
  }

  var need: Need { Need(app: extent.app, extent.population) }
  var start: RecentEvents { RecentEvents() }
  /// What a device said of itself is not looked up for single events: of an answer that asks for some of them nothing is said.
  func stored(_ snapshot: borrowing Snapshot) throws -> RecentEvents? {
    guard extent.only.isEmpty else { return RecentEvents() }
    let end = min(extent.now, cutOff + LatePushes.longest)
    let events = PushRefusal.placed(try snapshot.recentEvents(of: extent.app, until: max(cutOff, end), newest: newest))
    let devices = try snapshot.devices(Set(events.map(\.device)), of: extent.app, in: extent.population)
    let asked = events.filter {
      extent.includes(channel: $0.channel, platform: $0.platform) && devices.contains($0.device)
    }
    return RecentEvents(asked, until: cutOff)
  }
}
