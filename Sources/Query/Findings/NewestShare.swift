import Lifecycle

/// A share of pushes that lies beyond a limit for certain now.
struct NewestShare {
  enum Side {
    /// The longest time of which it holds: a share near nothing stays one.
    case below
    /// The shortest: a longer one mixes it with what was before.
    case above
  }

  let share: JudgedShare
  /// Of pushes that were sent from then on; nil where it is all of the period.
  let since: Timestamp?

  private init(share: JudgedShare, since: Timestamp?) { (self.share, self.since) = (share, since) }

  /// A share below a limit is certain, too, where it is for certain below half of that of the whole period: fewer tell a fall.
  /// nil where it is not certain, and where a shorter time with enough pushes looks otherwise: then it is over.
  ///
  /// - Parameters:
  ///   - spans: of `NewestPushes.spans`; they end at an instant.
  ///   - whole: of the whole period.
  init?(
    _ spans: [RateSums], whole: RateSums, until end: Timestamp, _ side: Side, _ limit: Double,
    _ evidence: DiagnosisEvidence
  ) {
    var found: (share: JudgedShare, since: Timestamp?)?
    let least = max(limit, JudgedShare(whole, level: evidence.level).lo / 2)
    for (since, sums) in Self.times(spans, until: end, evidence) + [(nil, whole)] {
      let share = JudgedShare(sums, level: evidence.level)
      guard share.of >= Diagnosis.fewest, share.devices >= Diagnosis.fewest else { continue }
      guard share.looks(side, limit) else { break }
      if side == .below ? share.isBelow(least) : share.isAbove(limit) { found = (share, since) }
      if side == .above, found != nil { break }
    }
    guard let found else { return nil }
    (share, since) = found
  }

  /// Of pushes that the gateway refuses, to this moment: those after the cutoff alone, and else together with the ones before.
  ///
  /// - Parameter both: these together; nil where none were sent after the cutoff.
  init?(refused losses: PushLosses, late: RateSums, both: RefusedPushes?, _ evidence: DiagnosisEvidence) {
    let (limit, end) = (0.1, evidence.counting.cutOff)
    let newest = JudgedShare(late, level: evidence.level)
    if newest.of >= Diagnosis.fewest, newest.devices >= Diagnosis.fewest {
      guard newest.looks(.above, limit) else { return nil }
      if newest.isAbove(limit) {
        self.init(share: newest, since: end)
        return
      }
    }
    self.init(
      both?.newest ?? losses.newest.refused, whole: both?.all ?? losses.refused, until: end, .above, limit, evidence)
  }

  /// Those that lie within the period.
  private static func times(
    _ spans: [RateSums], until end: Timestamp, _ evidence: DiagnosisEvidence
  ) -> [(since: Timestamp?, sums: RateSums)] {
    let period = evidence.counting.extent.since ?? Timestamp(rawValue: .min)
    return zip(NewestPushes.spans, spans).map { (since: end - $0, sums: $1) }.filter { $0.since ?? period >= period }
  }
}

extension JudgedShare {
  /// Of none it looks like nothing.
  func looks(_ side: NewestShare.Side, _ limit: Double) -> Bool {
    guard of > 0 else { return false }
    let value = Double(count) / Double(of)
    return side == .below ? value < limit : value > limit
  }
}
