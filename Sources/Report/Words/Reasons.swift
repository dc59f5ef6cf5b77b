internal import Query
import Statistics

extension Unestimable {
  /// Why there is no number, in words for a page.
  var words: String {
    switch self {
    case .nothingAtRisk: "nobody was at risk"
    case .noEvents: "has not happened yet"
    case .allEvents: "has happened to all"
    case .noVariation: "nothing varied"
    case .notReached: "not reached yet"
    case .beyondFollowUp: "nobody was followed so long"
    case .tooFew: "too little to go by"
    case .neverTogether: "never at risk at the same time"
    case .monotoneLikelihood: "one group was done before the other began"
    case .alreadyReached: "already reached"
    case .clockFromOffer: "clocks start at the first offer, so there are no limits"
    case .outsideBand: "outside the ages that limits hold at together"
    }
  }
}

extension Warning {
  /// The message as a sentence of a page.
  var sentence: String { message.prefix(1).uppercased() + message.dropFirst() + "." }
}
