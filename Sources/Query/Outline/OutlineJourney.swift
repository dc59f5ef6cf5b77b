import Lifecycle
import Statistics
import Store

/// The columns of one release's journeys in one channel, by which devices are judged.
struct OutlineJourneys {
  /// What is read of them.
  static let milestones: [Milestone] = [.applied, .ready, .verified, .downloadCompleted, .confirmed, .running]
  static let offers: [Milestone] = [.available, .downloadStarted]

  private let channel: Int64
  private let shard: JourneyShard
  private let applied, ready, verified, downloaded, confirmed, running: [Int64]

  init(_ journeys: Snapshot.Journeys) {
    (channel, shard) = (journeys.channel, journeys.shard)
    func column(_ milestone: Milestone) -> [Int64] { journeys.shard.column(milestone) ?? [] }
    (applied, ready, verified) = (column(.applied), column(.ready), column(.verified))
    (downloaded, confirmed, running) = (column(.downloadCompleted), column(.confirmed), column(.running))
  }

  /// - Parameter isStaged: whether buckets and offers matter.
  @inline(__always)
  func journey(_ place: Int, isStaged: Bool) -> OutlineJourney {
    func first(_ column: [Int64]) -> Int64 { column.isEmpty ? .max : column[place] }
    var journey = OutlineJourney(
      applied: first(applied), ready: first(ready), verified: first(verified), downloaded: first(downloaded),
      confirmed: first(confirmed), running: first(running))
    if isStaged { addOffer(place, &journey) }
    return journey
  }

  private func addOffer(_ place: Int, _ journey: inout OutlineJourney) {
    let view = JourneyView(release: 0, channel: channel, shard: shard, place: place)
    journey.bucket = view.bucket
    journey.firstOffer = view.firstOffer?.rawValue ?? .max
  }
}

extension JourneyShard {
  /// A device's place; nil where it has none.
  func search(_ device: UInt64) -> Int? {
    var (low, high) = (0, devices.count)
    while low < high {
      let middle = (low + high) / 2
      if devices[middle] < device { low = middle + 1 } else { high = middle }
    }
    return low < devices.count && devices[low] == device ? low : nil
  }
}

/// Which device of one list is which of another; both lists ascend.
struct DeviceMatch {
  static let none: Int32 = -1
  /// Of each device its place in the other list, or `none`.
  private(set) var places: [Int32] = []

  mutating func find(_ devices: [UInt64], in others: [UInt64]) {
    places.removeAll(keepingCapacity: true)
    var next = 0
    for device in devices {
      while next < others.count, others[next] < device { next += 1 }
      let isFound = next < others.count && others[next] == device
      places.append(isFound ? Int32(truncatingIfNeeded: next) : Self.none)
    }
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
  /// The first time whose trigger delivered the release.
  var delivery: Int64 { ready != .max ? ready : verified != .max ? verified : downloaded }

  func applied(from start: Int64, until cutOff: Int64) -> Int64? {
    let at = Self.at(applied)
    return isApplied && at >= start && at <= cutOff ? at : nil
  }
}
