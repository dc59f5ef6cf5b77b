import Lifecycle

/// The instants that a question looks at, in order, and what is counted at each.
struct ReachMoments {
  struct Look {
    /// The number of a tally: those of now by window, then the series, then the past.
    var tally: Int
    /// Devices in contact after this count.
    var after: Int64
  }

  let instants: [Int64]
  /// For each instant.
  let looks: [[Look]]
  let tallies: Int

  init(_ question: ReachQuestion) {
    var looks: [Int64: [Look]] = [:]
    var tally = 0
    func look(_ at: Timestamp, _ window: Milliseconds) {
      looks[at.rawValue, default: []].append(Look(tally: tally, after: (at - window).rawValue))
      tally += 1
    }
    for window in question.windows { look(question.cutOff, window) }
    for instant in question.instants + question.past { look(instant, question.windows[0]) }
    let sorted = looks.sorted { $0.key < $1.key }
    (instants, self.looks, tallies) = (sorted.map(\.key), sorted.map(\.value), tally)
  }
}
