internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension Answer {
  /// The answer as the command line shows it: a table, a plot where there is one, the JSON, and the warnings as notes.
  func presentation(heading: [String] = [], table: Table, plot: Plot? = nil, notes: [String] = []) throws
    -> Presentation
  {
    Presentation(
      heading: heading, table: table, plot: plot, document: try JSON(encoding: self),
      notes: warnings.map { "warning: \($0.message)" } + notes)
  }
}

extension Estimate {
  private var interval: Cell.Interval? { lo == nil && hi == nil ? nil : Cell.Interval(lo, hi) }
  private var whyNot: String { reason?.words ?? "not estimable" }

  func cell(_ make: (Double, Cell.Interval?) -> Cell) -> Cell {
    value.map { make($0, interval) } ?? .missing(because: whyNot)
  }
  var shareCell: Cell { cell { .share($0, $1) } }
  var durationCell: Cell { cell { .duration(seconds: $0, $1) } }
  var pointsCell: Cell { cell { .points($0, $1) } }
}

extension Unestimable {
  /// Why there is no number, in plain words.
  var words: String {
    switch self {
    case .nothingAtRisk: "no device was at risk"
    case .noEvents: "nobody has updated yet"
    case .allEvents: "everybody has updated"
    case .notReached: "not reached within the data"
    case .beyondFollowUp: "later than the data reach"
    case .noVariation: "all devices behave alike"
    case .tooFew: "too little data for the method"
    case .neverTogether: "the groups were never at risk together"
    case .monotoneLikelihood: "one group had all its events before the other"
    case .alreadyReached: "already reached"
    }
  }
}
