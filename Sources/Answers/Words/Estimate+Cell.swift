internal import Console
internal import Query
internal import Statistics

extension Estimate {
  private var interval: Cell.Interval? { lo == nil && hi == nil ? nil : Cell.Interval(lo, hi) }
  private var whyNot: String { reason?.words ?? "not estimable" }

  private func quantity(_ make: (Double, Cell.Interval?) -> Cell) -> Cell {
    value.map { make($0, interval) } ?? .missing(because: whyNot)
  }
  /// Nothing without limits is no estimate: never a bare 0 %. All is what was seen, where it has happened to all.
  var shareCell: Cell {
    if let value, value == 0 || value == 1 && reason != .allEvents, lo == nil, hi == nil {
      return .missing(because: whyNot)
    }
    return quantity { .share($0, $1) }
  }
  /// Where nothing has happened yet, what it is at most; never a bare 0 %.
  /// Where it has happened to all, what it is at least.
  func shareCell(atMost: Double?, atLeast: Double? = nil) -> Cell {
    if value == 0, hi == nil, let atMost { return .share(0, Cell.Interval(nil, atMost)) }
    if value == 1, lo == nil, reason == .allEvents, let atLeast { return .share(1, Cell.Interval(atLeast, nil)) }
    return shareCell
  }
  var durationCell: Cell { quantity { .duration(seconds: $0, $1) } }
  /// Where one side is of those alone that were offered the release, or is looked at more often, a difference compares what is unlike.
  var pointsCell: Cell {
    reason == .clockFromOffer || reason == .timedByChecks ? .missing(because: whyNot) : quantity { .points($0, $1) }
  }
}

extension Rate {
  /// `45.9% of 9,800`, or why not.
  var words: String { "\(share.value.map { Console.share($0) } ?? "—") of \(grouped(of))" }
}

/// `90`, `99.9`.
func percent(_ share: Double) -> String {
  decimal(share * 100, (share * 1000).rounded().truncatingRemainder(dividingBy: 10) == 0 ? 0 : 1)
}

extension Unestimable {
  /// Why there is no number, in plain words.
  var words: String {
    switch self {
    case .nothingAtRisk: "no device was at risk"
    case .noEvents: "it has happened to none"
    case .allEvents: "it has happened to all that were at risk"
    case .notReached: "not reached within the data"
    case .beyondFollowUp: "later than the data reach"
    case .enteredLater: "devices came in after few, or none, were left"
    case .partsNotFollowed: "not every channel and platform was followed so long"
    case .noVariation: "all devices behave alike"
    case .tooFew: "too little data for the method"
    case .neverTogether: "the groups were never at risk together"
    case .monotoneLikelihood: "one group had all its events before the other"
    case .alreadyReached: "already reached"
    case .clockFromOffer: "nobody knows who was let have it: clocks start at the first offer"
    case .timedByChecks: "updates are seen at checks, and who is woken more often checks more often"
    case .outsideBand: "outside the ages that limits hold at together"
    case .noReceipts: "no device reports that a push arrived"
    case .fewerThanMinCell: "fewer devices than --min-cell"
    }
  }
}

extension Int64 {
  /// Seconds that passed, not an age that somebody chose.
  var durationCell: Cell { .duration(seconds: Double(self)) }
}

extension Cell {
  /// Counted; not known where it is of those alone that were offered the release.
  static func adoption(_ observed: Double?, isOfOffered: Bool) -> Cell {
    if isOfOffered { return .missing(because: "nobody knows who was let have it") }
    return observed.map { .share($0) } ?? .missing(because: "no device was eligible")
  }

  /// The value and its interval as one text: `45.9% (44.9–46.9)`.
  var sentence: String {
    let words = words(.unicode)
    return words.interval.isEmpty ? words.value : words.value + " " + words.interval
  }
}
