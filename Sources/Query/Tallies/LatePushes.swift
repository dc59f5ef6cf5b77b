import Lifecycle
import Store

/// Pushes that were sent after the cutoff, by platform, as single events tell: those that the gateway refused, among all.
///
/// The answer of a gateway comes at once: it does not wait for devices, as all does that a cutoff is for. One push that is sent anew counts
/// once, as refused where it was each time.
struct LatePushes: Mergeable {
  struct Place: Hashable {
    var platform: String
    /// Nil for pushes of all releases.
    var release: Int64?
  }
  private struct Push: Hashable {
    var device: UInt64
    /// Its id, or its time where it has none.
    var id: UInt64
    var at: Timestamp
  }
  /// For so long after the cutoff, as with imported history the present may be years later.
  static let longest = Milliseconds.days(2)

  private(set) var refused: [Place: RateSums] = [:]

  init() {}
  var isEmpty: Bool { refused.isEmpty }

  init(_ events: [RecentEvent], after cutOff: Timestamp) {
    let pushes = events.filter { $0.stage == .pushSent && $0.at > cutOff && $0.platform != nil }
    for (device, own) in Dictionary(grouping: pushes, by: \.device) {
      let platform = own.first?.platform ?? ""
      note(own, device, Place(platform: platform))
      for (release, some) in Dictionary(grouping: own, by: \.release) {
        note(some, device, Place(platform: platform, release: release))
      }
    }
  }

  private mutating func note(_ events: [RecentEvent], _ device: UInt64, _ place: Place) {
    var isRefused: [Push: Bool] = [:]
    for event in events {
      let push = Push(device: device, id: event.push, at: event.push == 0 ? event.at : Timestamp(rawValue: 0))
      isRefused[push] = (isRefused[push] ?? true) && event.refusal != nil
    }
    refused[place, default: RateSums()].add(isRefused.values.count { $0 }, of: isRefused.count)
  }

  mutating func add(_ other: LatePushes, times: Int) {
    for (place, sums) in other.refused { refused[place, default: RateSums()].add(sums, times: times) }
  }

  /// - Parameter releases: whose pushes; nil for all.
  func sums(_ platform: String, of releases: Set<Int64>?) -> RateSums {
    guard let releases else { return refused[Place(platform: platform)] ?? RateSums() }
    return releases.reduce(into: RateSums()) { $0.add(refused[Place(platform: platform, release: $1)] ?? RateSums()) }
  }
}
