import Lifecycle
import Store

extension SummaryPart {
  /// The columns of all counts.
  ///
  /// - Parameter steadyAfter: who was heard of since counts as reachable as long as the summary holds.
  static func parts(_ counts: ReleaseCounts, steadyAfter: Timestamp? = nil) -> [SummaryPart] {
    let pending = counts.pending ?? PendingCounts()
    let places = Set(counts.offered.keys).union(counts.running.keys).union(counts.launches.keys)
    return places.flatMap { place in
      func part(_ number: Int64, _ values: [Int64]) -> SummaryPart {
        SummaryPart(release: place.release, channel: place.channel, platform: "", number: number, values: values)
      }
      let heard = (pending.contacts[place] ?? []).sorted()
      let steady = steadyAfter.map { steady in heard.count { $0 > steady.rawValue } } ?? 0
      let (tally, launches) = (counts.attempts[place] ?? .init(), counts.launches[place] ?? .init())
      return [
        part(
          counted,
          [
            counts.offered[place] ?? 0, tally.attempts, tally.failed, launches.launched, launches.rolledBack,
            launches.crashed,
          ].map(Int64.init)),
        part(young, (pending.young[place] ?? []).sorted()), part(contacts, Array(heard.dropLast(steady))),
      ] + (steady > 0 ? [part(Self.steady, [Int64(steady)])] : [])
    }
  }
}

extension CountedRelease {
  mutating func take(_ part: SummaryPart) {
    switch part.number {
    case SummaryPart.counted:
      let counts = part.values.map(Int.init)
      (offered, attempts, failed) = (counts[0], counts[1], counts[2])
      launches = LaunchSums(launched: counts[3], rolledBack: counts[4], crashed: counts[5])
    case SummaryPart.young: young = part.values
    case SummaryPart.contacts: contacts = part.values
    case SummaryPart.steady: steady = part.values.first.map(Int.init) ?? 0
    case SummaryPart.figures: figures = ReleaseFigures(part.values)
    case SummaryPart.ground: ground = part.values
    case SummaryPart.news: news = part.values
    case SummaryPart.early: early = part.values
    default: break
    }
  }
}
