import Lifecycle
import Statistics
import Store

/// Between which contacts a device updated, where nobody saw when.
extension RiskRules {
  /// Adds what is known of a device's time without the update, and of the update itself.
  ///
  /// Who says at launches what it runs is watched as in every other answer: it would have said so. Of who only checks it is
  /// known that it was without the update at its last contact that named another release, and no more. Of a stretch of contacts
  /// that goes on that one is placed (`UnseenContacts`).
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
    let end = limit(stay)
    let last = lastWithout(
      runs, device, stay, journey, before: found.updatedAt <= end.at ? found.updatedAt : end.at + 1)
    add(found, entry, last, until: end, to: &bounds)
  }

  /// What is known of one that only checks, from its last contact without the update.
  private func add(
    _ found: Judgement, _ entry: Int64, _ last: LastWithout, until end: (at: Int64, reason: Censoring),
    to bounds: inout UpdateBounds
  ) {
    let (zero, after) = (origin(eligibleAt: found.eligibleAt), max(last.at ?? entry, entry))
    let isUpdate = found.updatedAt != .max && found.cause != .newerRelease
    if last.isUnseen {
      let atEnd: UnseenContacts.Next = end.reason == .halted ? .halt : .end
      return bounds.add(
        entry: entry, floor: after, before: min(found.updatedAt, end.at),
        isUpdate ? .update : found.updatedAt <= end.at ? .contact : atEnd, origin: zero, found.cause)
    }
    if isUpdate, let named = last.named { bounds.add(gap: Milliseconds(rawValue: found.updatedAt - named)) }
    // After so long a silence it is not known to have been there all the time.
    let upTo = isUpdate && found.updatedAt - after <= window ? found.updatedAt : nil
    bounds.add(entry: entry, after: after, upTo: upTo, origin: zero, found.cause)
  }

  private func saysLaunches(_ runs: RunColumns, _ device: Int) -> Bool {
    runs.range(device).contains { runs.starts[$0] <= cutOff && runs.kind($0).claim == .applied }
  }

  /// What is known of the last contact without the update.
  private struct LastWithout {
    /// The last one that is known to the millisecond.
    var at: Int64?
    /// The same without deliveries.
    var named: Int64?
    /// Whether there was a later one, in the day before the instant, of which no more is known.
    var isUnseen = false

    mutating func note(_ contact: Int64) { named = max(named ?? contact, contact) }
  }

  /// The last contact in the stay, before an instant, of a device without the update: it named another release, or the delivery.
  private func lastWithout(
    _ runs: RunColumns, _ device: Int, _ stay: Stay, _ journey: JourneyRow?, before instant: Int64
  ) -> LastWithout {
    var last = LastWithout()
    for run in runs.range(device) where runs.starts[run] < instant && says(runs.kind(run), another: stay.channel) {
      let isLonger = runs.ends[run] >= instant
      last.isUnseen = last.isUnseen || isLonger
      let known = isLonger ? runs.starts[run] : runs.ends[run]
      if known >= stay.start { last.note(known) }
    }
    last.at = last.named
    let delivery = journey.map { JourneyRow.at($0.delivery(until: instant - 1)) } ?? .max
    if delivery != .max, delivery >= stay.start { last.at = max(last.at ?? delivery, delivery) }
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
