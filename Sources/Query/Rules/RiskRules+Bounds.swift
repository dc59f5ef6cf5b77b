import Lifecycle
import Statistics
import Store

/// Between which contacts a device updated, where nobody saw when.
extension RiskRules {
  /// Adds what is known of a device's time without the update, and of the update itself.
  ///
  /// Who says at launches what it runs is watched as in every other answer: it would have said so. Of who only checks it is
  /// known that it was without the update at its last contact that named another release, and no more.
  func addBounds(
    of found: Judgement, _ stay: Stay, _ stays: Stays, _ runs: RunColumns, _ device: Int, _ journey: JourneyRow?,
    to bounds: inout UpdateBounds
  ) {
    let isWatched = found.updatedAt == .max ? saysLaunches(runs, device) : found.isSeen
    var entry: Int64?
    _ = timeAtRisk(
      eligibleAt: found.eligibleAt, updatedAt: found.updatedAt, found.cause, stay, stays.starts, stays.ends,
      lastContact: stays.lastContact(stay)
    ) { from, to, ending, _ in
      if isWatched {
        bounds.add(watched: from, to, origin: origin(eligibleAt: found.eligibleAt), ending)
      } else {
        entry = entry ?? from
      }
    }
    guard let entry else { return }
    let update = found.updatedAt != .max && found.cause != .newerRelease ? found.updatedAt : nil
    let without = lastWithout(runs, device, stay, journey, before: min(found.updatedAt, limit(stay).at))
    let after = max(without ?? entry, entry)
    // After so long a silence it is not known to have been there all the time.
    let upTo = update.flatMap { $0 - after <= window ? $0 : nil }
    bounds.add(entry: entry, after: after, upTo: upTo, origin: origin(eligibleAt: found.eligibleAt), found.cause)
  }

  private func saysLaunches(_ runs: RunColumns, _ device: Int) -> Bool {
    runs.range(device).contains { runs.starts[$0] <= cutOff && runs.kind($0).claim == .applied }
  }

  /// The last contact in the stay, before an instant, of a device without the update: it named another release, or the delivery.
  /// Of a run that goes on beyond the instant some contact lies in the day before.
  private func lastWithout(
    _ runs: RunColumns, _ device: Int, _ stay: Stay, _ journey: JourneyRow?, before instant: Int64
  ) -> Int64? {
    var last: Int64?
    for run in runs.range(device) where runs.starts[run] < instant && says(runs.kind(run), another: stay.channel) {
      let day = ContactRun.longestSilence.rawValue
      let at = runs.ends[run] < instant ? runs.ends[run] : max(runs.starts[run], instant - day)
      if at >= stay.start { last = max(last ?? at, at) }
    }
    let delivery = journey.map { JourneyRow.at($0.delivery(until: instant - 1)) } ?? .max
    if delivery != .max, delivery >= stay.start { last = max(last ?? delivery, delivery) }
    return last
  }

  /// Whether a claim says that the device runs a release that is not the update.
  private func says(_ said: RunColumns.Kind, another channel: Int64) -> Bool {
    let isUpdate = said.release == target || estimand == .patched && isNewer(said.release)
    return (said.claim == .running || said.claim == .applied) && said.channel == channel && !isUpdate
  }

  /// Whether it named another release in the stay before this one was published: then it updated since, whatever its first word
  /// after the publication is.
  func ranAnother(_ runs: RunColumns, _ device: Int, _ stay: Stay) -> Bool {
    runs.range(device).contains { run in
      let at = runs.starts[run]
      return at >= stay.start && at < publishedAt && says(runs.kind(run), another: stay.channel)
        && !isNewer(runs.kind(run).release)
    }
  }
}
