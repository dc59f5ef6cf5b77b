import Lifecycle
import Store

/// A stay in a channel where the device had been before.
///
/// Of each stage a journey keeps the first time in the channel. What lies in an earlier stay says nothing of this one: its
/// contacts do, by which release they name, without a trigger, and to the day where a visit was short.
struct ReturnedStay {
  let stay: Stay
  let release: Int64
  let runs: RunColumns
  let device: Int
  let cutOff: Int64

  /// The journey as if the device had come to the channel for the first time.
  func journey(_ whole: JourneyRow) -> JourneyRow {
    guard isEarlier(whole.applied) || isEarlier(whole.confirmed) || isEarlier(whole.running) else { return whole }
    let (applied, confirmed) = launches(whole)
    return JourneyRow(
      applied: applied, ready: own(whole.ready), verified: own(whole.verified), downloaded: own(whole.downloaded),
      confirmed: confirmed, running: isEarlier(whole.running) ? packed(first(.running).at) : whole.running,
      offer: whole.offer, bucket: whole.bucket, failed: whole.failed)
  }

  /// `applied` and `confirmed` are one claim of contacts: where the first of both lies in earlier stays, it is taken as `applied`.
  private func launches(_ whole: JourneyRow) -> (applied: Int64, confirmed: Int64) {
    let said = first(.applied)
    let isAgain = isEarlier(whole.applied)
    if said.isWhileAway { return (isAgain ? .max : whole.applied, packed(said.at)) }
    let applied = said.at == whole.confirmedAt ? .max : packed(said.at)
    let confirmed = isAgain || said.at == JourneyRow.at(whole.applied) ? .max : packed(said.at)
    return (isAgain ? applied : whole.applied, isEarlier(whole.confirmed) ? confirmed : whole.confirmed)
  }

  private func isEarlier(_ packed: Int64) -> Bool { JourneyRow.at(packed) < stay.start }
  private func own(_ packed: Int64) -> Int64 { isEarlier(packed) ? .max : packed }
  private func packed(_ at: Int64) -> Int64 {
    at == .max ? .max : FirstTime(Timestamp(rawValue: at), .unknown).rawValue
  }
}

extension ReturnedStay {
  private typealias Said = (at: Int64, isWhileAway: Bool)

  /// When a contact of the stay first claimed the release so.
  private func first(_ claim: Claim) -> Said {
    var best: Said = (.max, false)
    for run in runs.range(device) where runs.starts[run] <= cutOff {
      let kind = runs.kind(run)
      guard kind.claim == claim, kind.release == release, kind.channel == stay.channel else { continue }
      let said = first(runs.starts[run], min(runs.ends[run], cutOff))
      if said.at < best.at { best = said }
    }
    return best
  }

  /// What was said before the stay and, less than a day later, in it counts as said all the time, from its start on.
  private func first(_ start: Int64, _ end: Int64) -> Said {
    if stay.holds(start) { return (start, false) }
    return start < stay.start && end >= stay.start ? (stay.start, true) : (.max, false)
  }
}
