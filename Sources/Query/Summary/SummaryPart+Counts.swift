import Lifecycle
import Store

extension SummaryPart {
  /// The columns of all counts.
  static func parts(_ counts: ReleaseCounts) -> [SummaryPart] { parts(counts.counted()) }

  static func parts(_ counted: [ReleaseCounts.Place: CountedRelease]) -> [SummaryPart] {
    counted.flatMap { place, known in
      func part(_ number: Int64, _ values: [Int64]) -> SummaryPart {
        SummaryPart(release: place.release, channel: place.channel, platform: "", number: number, values: values)
      }
      let launches = known.launches
      let counts = [
        known.offered, known.attempts, known.failed, launches.launched, launches.rolledBack, launches.crashed,
      ]
      return [
        part(Self.counted, counts.map(Int64.init)), part(young, known.young.sorted()), part(contacts, known.contacts),
      ] + (known.steady > 0 ? [part(steady, [Int64(known.steady)])] : [])
    }
  }
}

extension ReleaseCounts {
  /// With what is pending apart.
  ///
  /// - Parameter steadyAfter: who was heard of since counts as reachable as long as the summary holds.
  func counted(steadyAfter: Timestamp? = nil) -> [Place: CountedRelease] {
    let pending = pending ?? PendingCounts()
    let places = Set(offered.keys).union(running.keys).union(launches.keys)
    return Dictionary(
      uniqueKeysWithValues: places.map { place in
        let heard = (pending.contacts[place] ?? []).sorted()
        var counted = CountedRelease()
        (counted.offered, counted.launches) = (offered[place] ?? 0, launches[place] ?? .init())
        let tally = attempts[place] ?? .init()
        (counted.attempts, counted.failed) = (tally.attempts, tally.failed)
        counted.young = pending.young[place] ?? []
        counted.steady = steadyAfter.map { steady in heard.count { $0 > steady.rawValue } } ?? 0
        counted.contacts = Array(heard.dropLast(counted.steady))
        return (place, counted)
      })
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
