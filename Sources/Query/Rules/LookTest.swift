package import Lifecycle

/// A test at each of the looks that count: since when it says stop, and what it says at the last one.
///
/// The evidence of a sequential test may fall again after it was enough, as more devices come to which nothing has happened yet.
/// Its error is that of ever being enough, so the first such look decides, and later ones take nothing back. Between two events
/// evidence only falls: the looks that know of a new event, and the last, are all that need to be taken.
package struct LookTest {
  /// nil where no look found enough.
  let reached: Reached?
  /// At the last look.
  let evidence: Double
  /// How often it would have happened by the last look at the chances that were given.
  let permitted: Double
  let holds: Bool

  struct Part {
    var looks: HarmLooks
    var chances: [Double]
  }

  /// The first look that found enough.
  package struct Reached {
    package var at: Timestamp
    var known: Known
  }

  /// What is known at a look.
  struct Known {
    var events = 0
    /// Devices of the first part.
    var devices = 0
    var permitted = 0.0
  }

  init(_ parts: [Part], _ counted: CountedLooks, threshold: Double, evidence: (Known) -> Double) {
    var steps = [Double](repeating: 0, count: counted.last + 1)
    var events = [Int](repeating: 0, count: counted.last + 1)
    for part in parts {
      part.looks.expect(part.chances, into: &steps)
      for (look, count) in part.looks.happened where look <= counted.last { events[look] += count }
    }
    let began = parts.first?.looks.began ?? []
    var (known, reached, newest) = (Known(), Reached?.none, 0.0)
    for look in 0...counted.last {
      known.events += events[look]
      known.devices += look < began.count ? began[look] : 0
      known.permitted += steps[look]
      guard look == counted.last || events[look] > 0 && look >= counted.first && reached == nil else { continue }
      newest = evidence(known)
      if newest >= threshold, reached == nil { reached = .init(at: counted.grid.instant(of: look), known: known) }
    }
    (self.evidence, permitted, holds) = (newest, known.permitted, newest >= threshold)
    self.reached = reached
  }
}
