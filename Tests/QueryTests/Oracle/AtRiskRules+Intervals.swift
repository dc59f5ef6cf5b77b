import Lifecycle
import Statistics

@testable import Query

extension AtRiskRules {
  /// The device's time at risk by the chosen rule, up to its update or to whatever ended the chance of one.
  func intervals(_ evidence: Evidence, _ found: AtRisk) -> [Interval] {
    let limit = limit(evidence.spell)
    let origin = selection.clock == .own ? found.eligibleAt : start.publishedAt
    var intervals: [Interval] = []
    for stretch in stretches(evidence.spell, from: found.eligibleAt) {
      let from = max(stretch.start, found.eligibleAt)
      if let update = found.update, update.at <= stretch.end || stretch.isLast {
        guard update.at >= found.eligibleAt else { return [] }
        intervals.append(
          Interval(from: min(from, update.at), to: update.at, origin: origin, ending: .event(update.cause)))
        return intervals
      }
      let (end, reason) = stretch.end < limit.at ? (stretch.end, Censoring.silent) : limit
      guard end > from else { continue }
      var interval = Interval(from: from, to: end, origin: origin, ending: .censored(reason))
      if reason == .cutOff {
        interval.waiting = .init(origin: origin.rawValue, silentAt: stretch.end.rawValue)
      }
      intervals.append(interval)
    }
    return intervals
  }

  /// When the chance to update ended for reasons that lie outside the device's silence.
  func limit(_ spell: Spell) -> (at: Timestamp, reason: Censoring) {
    var limit = (at: cutOff, reason: Censoring.cutOff)
    if let end = spell.end, end < limit.at { limit = (end, .switched) }
    if let ended, ended.at < limit.at { limit = ended }
    return limit
  }

  private typealias Stretch = (start: Timestamp, end: Timestamp, isLast: Bool)

  /// When the device counts as reachable: it is never looked at whether it will be seen later.
  private func stretches(_ spell: Spell, from eligibleAt: Timestamp) -> [Stretch] {
    switch selection.censor {
    case .cutOff: return [(spell.start, Timestamp(rawValue: .max), true)]
    case .lastSeen:
      return spell.lastContact > start.publishedAt
        ? [(spell.start, max(spell.lastContact, eligibleAt + .seconds(1)), true)] : []
    case .window: return windows(spell)
    }
  }

  /// From a contact until the silence after it has lasted for the reach window.
  private func windows(_ spell: Spell) -> [Stretch] {
    var stretches: [Stretch] = []
    for contact in spell.contacts {
      if let last = stretches.last, contact.start < last.end {
        stretches[stretches.count - 1].end = max(last.end, contact.end + selection.reachWindow)
      } else {
        stretches.append((contact.start, contact.end + selection.reachWindow, false))
      }
    }
    if !stretches.isEmpty { stretches[stretches.count - 1].isLast = true }
    return stretches
  }
}
