internal import Query
import Statistics

extension Unestimable {
  /// Why there is no number, in words for a page.
  var words: String {
    switch self {
    case .nothingAtRisk: "nobody was at risk"
    case .noEvents: "has not happened yet"
    case .allEvents: "has happened to all at risk"
    case .enteredLater: "others came in after few were left"
    case .partsNotFollowed: "not every channel and platform was followed so long"
    case .noVariation: "nothing varied"
    case .notReached: "not reached yet"
    case .beyondFollowUp: "nobody was followed so long"
    case .tooFew: "too little to go by"
    case .neverTogether: "never at risk at the same time"
    case .monotoneLikelihood: "one group was done before the other began"
    case .alreadyReached: "already reached"
    case .clockFromOffer: "only those offered it are counted"
    case .timedByChecks: "checks only"
    case .outsideBand: "outside the ages that limits hold at together"
    case .noReceipts: "no device reports arrivals"
    case .fewerThanMinCell: "withheld"
    }
  }
}

extension Warning {
  /// The message as a sentence of a page.
  var sentence: String { message.capitalizedFirst + "." }
}

extension Standing {
  /// In place of numbers about fewer devices than may be shown: where most were left out, why they were.
  func tooFew(_ least: Int) -> HTML {
    if facts.isTooNew { return "It was published after the cutoff \(time(facts.cutOff)): nobody is counted yet." }
    return """
      Fewer than \(least) devices are known to have waited for it, so nothing is shown of them. \
      <code>uptake report --min-cell 0</code> shows them all the same, as <code>uptake status</code> does.\(unseen)
      """
  }

  /// A sentence more where most devices were first heard of with the release, or empty.
  var unseen: HTML { speed.warnings.first { $0.code == "not_seen_before" }.map { " \($0.sentence)" } ?? "" }
}
