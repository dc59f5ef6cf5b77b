import Lifecycle
import Statistics
import Store

/// One device's journey on a release in a channel: packed first times, `.max` where there is none.
struct JourneyRow {
  let applied, ready, verified, downloaded, confirmed, running: Int64
  /// Packed as well: the first of the offer and what follows from it. Only where it was asked for.
  var offer = Int64.max
  var bucket: UInt8?
  /// Packed as well: the first failure. Only where it was asked for.
  var failed = Int64.max

  static func at(_ packed: Int64) -> Int64 { packed == .max ? .max : packed >> 3 }

  var isApplied: Bool { applied != .max }
  /// When the device first said that it runs the release; `.max` for never.
  var claimedAt: Int64 { Self.at(min(confirmed, running)) }
  var confirmedAt: Int64 { Self.at(confirmed) }
  var offeredAt: Int64 { Self.at(offer) }
  var firstOffer: Timestamp? { offer == .max ? nil : Timestamp(rawValue: offeredAt) }

  /// The first time whose trigger delivered the release: of `ready`, else `verified`, else `downloadCompleted`; what came
  /// after an instant did not bring what ran then.
  @inline(__always)
  func delivery(until instant: Int64) -> Int64 {
    if Self.at(ready) <= instant, ready != .max { return ready }
    if Self.at(verified) <= instant, verified != .max { return verified }
    return Self.at(downloaded) <= instant ? downloaded : .max
  }

  /// When the device was ready to apply the release: what delivered it, unless only a stand-in for `ready` says so, and the
  /// device failed after it.
  ///
  /// - Parameter instant: when the device ran it.
  @inline(__always)
  func readiness(until instant: Int64) -> Int64 {
    let (delivery, failedAt) = (delivery(until: instant), Self.at(failed))
    return delivery != ready && failedAt >= Self.at(delivery) && failedAt < instant ? .max : delivery
  }

  /// What delivered the update that was applied, else how it was applied.
  var mechanism: Trigger {
    let delivery = delivery(until: Self.at(applied))
    let first = FirstTime(rawValue: delivery != .max ? delivery : applied)
    return first.happened ? first.trigger : .unknown
  }
}

/// The columns of one release's journeys in one channel, as far as rules look at them; what happened after a cutoff is not
/// in them.
struct JourneyTable {
  static let update: [Milestone] = [.applied, .ready, .verified, .downloadCompleted]
  static let own = update + [.confirmed, .running]
  static let offers: [Milestone] = [.available, .downloadStarted]
  private static let signs = own + offers

  let shard: JourneyShard
  private let cutOff: Int64
  private let applied, ready, verified, downloaded, confirmed, running, failed: [Int64]

  init(_ shard: JourneyShard, until cutOff: Int64) {
    (self.shard, self.cutOff) = (shard, cutOff)
    func column(_ milestone: Milestone) -> [Int64] { shard.column(milestone) ?? [] }
    (applied, ready, verified) = (column(.applied), column(.ready), column(.verified))
    (downloaded, confirmed, running) = (column(.downloadCompleted), column(.confirmed), column(.running))
    failed = column(.failed)
  }

  /// - Parameter isStaged: whether buckets and offers matter.
  @inline(__always)
  func row(_ index: Int, isStaged: Bool) -> JourneyRow {
    func first(_ column: [Int64]) -> Int64 { column.isEmpty ? .max : known(column[index]) }
    var row = JourneyRow(
      applied: first(applied), ready: first(ready), verified: first(verified), downloaded: first(downloaded),
      confirmed: first(confirmed), running: first(running), failed: first(failed))
    if isStaged { addOffer(index, &row) }
    return row
  }

  /// When the device first had to do with the release, as far as columns were asked for; `.max` for never.
  func sign(_ index: Int) -> Int64 {
    var first = Int64.max
    for milestone in Self.signs { first = min(first, known(shard.first(milestone, index).rawValue)) }
    return JourneyRow.at(first)
  }

  private func addOffer(_ index: Int, _ row: inout JourneyRow) {
    row.bucket = shard.bucket(index, until: cutOff)
    row.offer = min(
      known(shard.first(.available, index).rawValue), known(shard.first(.downloadStarted, index).rawValue),
      min(row.downloaded, row.verified, row.ready))
  }

  @inline(__always)
  private func known(_ packed: Int64) -> Int64 { JourneyRow.at(packed) <= cutOff ? packed : .max }
}
