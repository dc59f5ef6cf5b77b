import Lifecycle
import Statistics
import Store

/// The columns of one release's journeys in one channel, by which devices are judged.
final class OutlineJourneys {
  /// What is read of them.
  static let milestones: [Milestone] = [.applied, .ready, .verified, .downloadCompleted, .confirmed, .running]
  static let offers: [Milestone] = [.available, .downloadStarted]

  let channel: Int64
  let shard: JourneyShard
  let devices: [UInt64]
  fileprivate let applied, ready, verified, downloaded, confirmed, running: [Int64]
  private var next = 0

  init(_ journeys: Snapshot.Journeys) {
    (channel, shard, devices) = (journeys.channel, journeys.shard, journeys.shard.devices)
    func column(_ milestone: Milestone) -> [Int64] { journeys.shard.column(milestone) ?? [] }
    (applied, ready, verified) = (column(.applied), column(.ready), column(.verified))
    (downloaded, confirmed, running) = (column(.downloadCompleted), column(.confirmed), column(.running))
  }

  /// The device's place, or nil. Devices must be asked for in ascending order.
  func place(of device: UInt64) -> Int? {
    while next < devices.count, devices[next] < device { next += 1 }
    return next < devices.count && devices[next] == device ? next : nil
  }

  /// In any order.
  func search(_ device: UInt64) -> Int? {
    var (low, high) = (0, devices.count)
    while low < high {
      let middle = (low + high) / 2
      if devices[middle] < device { low = middle + 1 } else { high = middle }
    }
    return low < devices.count && devices[low] == device ? low : nil
  }
}

extension OutlineJourneys {
  /// - Parameter isStaged: whether buckets and offers matter.
  func journey(_ place: Int, isStaged: Bool) -> OutlineJourney {
    func first(_ column: [Int64]) -> Int64 { column.isEmpty ? .max : column[place] }
    var journey = OutlineJourney(
      applied: first(applied), ready: first(ready), verified: first(verified), downloaded: first(downloaded),
      confirmed: first(confirmed), running: first(running))
    guard isStaged else { return journey }
    journey.bucket = shard.bucket(place)
    journey.firstOffer =
      JourneyView(release: 0, channel: channel, shard: shard, place: place).firstOffer?.rawValue ?? .max
    return journey
  }
}

/// One device's journey in them: packed first times, `.max` where there is none.
struct OutlineJourney {
  let applied, ready, verified, downloaded, confirmed, running: Int64
  var bucket: UInt8?
  /// A plain time.
  var firstOffer = Int64.max

  private static func at(_ first: Int64) -> Int64 { first == .max ? .max : first >> 3 }

  var isApplied: Bool { applied != .max }
  var confirmedAt: Int64 { Self.at(confirmed) }
  var runningAt: Int64 { Self.at(running) }
  var isDelivered: Bool { min(ready, min(verified, downloaded)) != .max }

  func applied(from start: Int64, until cutOff: Int64) -> Int64? {
    let at = Self.at(applied)
    return isApplied && at >= start && at <= cutOff ? at : nil
  }

  /// As `JourneyView.mechanism`.
  func mechanism(_ attribution: Attribution) -> Cause {
    var first = applied
    if attribution == .delivered, isDelivered {
      first = ready != .max ? ready : verified != .max ? verified : downloaded
    }
    return first == .max ? .unknown : Cause(FirstTime(rawValue: first).trigger)
  }
}
