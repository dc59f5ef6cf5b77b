internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension Compare {
  /// `4.4.0 is behind 4.3.1 at 24h: -7.3 pp (-10.7 to -3.8), 1,622 and 1,587 devices`.
  func sentence(_ age: Age) -> String {
    let when = "at \(Console.age(seconds: age.seconds))"
    guard let value = age.difference.value else {
      let why = age.difference.reason?.words ?? "no data"
      return "\(first.release) cannot be compared with \(second.release) \(when): \(why)"
    }
    let little = age.isLittle ? "a little " : ""
    let relation =
      switch age.relevance {
      case .relevant: value > 0 ? "is ahead of" : "is behind"
      case .equivalent: "is level with"
      case .undecided:
        (age.difference.lo ?? 0) > 0
          ? "is \(little)ahead of" : (age.difference.hi ?? 0) < 0 ? "is \(little)behind" : "cannot be told from"
      }
    let why = age.isOfFew ? " as few were followed so long, and stand for many that were not" : ""
    let devices = "\(grouped(first.counts.devices)) and \(counted(second.counts.devices, "device"))"
    return "\(first.release) \(relation) \(second.release) \(when): \(age.difference.pointsWords)\(why), \(devices)"
  }

  /// `in all undecided: the mean wait within 24h differs by −2.3h (−3.6 to −1.0), which may be less than the margin of 1.0h`; nil where
  /// adoption at the oldest age says the same.
  func verdictSentence(_ options: Options) -> String? {
    deciding.map { mean in
      let margin = duration(seconds: Double(options.timeMargin.rawValue) / 1000)
      let reason =
        switch mean.relevance {
        case .relevant: "more than the margin of \(margin)"
        case .equivalent: "less than the margin of \(margin)"
        case .undecided: "which may be less than the margin of \(margin), or more"
        }
      let horizon = Console.age(seconds: mean.horizonSeconds)
      return "in all \(verdict.words): the mean wait within \(horizon), which decides, differs by"
        + " \(mean.difference.waitDifferenceWords), \(reason)"
    }
  }

  /// What stands behind the figures, and what else differs.
  var notes: [String] {
    [first, second].map(\.words) + polledNotes + meansNotes + pairedNote + failuresNote + weekdayNote
  }

  private var pairedNote: [String] {
    ages.contains { $0.difference.method == .pairedMover }
      ? [
        "limits of differences of adoption count which devices are in both releases; adoption --baseline takes them for different ones,"
          + " and its limits of the same difference are mostly wider"
      ] : []
  }

  private var polledNotes: [String] {
    [first, second].compactMap { side in side.polled.map { "\(side.release): \($0.note)" } }
  }

  private var meansNotes: [String] {
    restrictedMeans.filter { $0.difference.value != nil }.map { mean in
      "mean wait within \(age(seconds: mean.horizonSeconds)): \(mean.seconds.durationWords) and"
        + " \(mean.baseline.durationWords)"
    }
  }

  private var failuresNote: [String] {
    guard failureDifference.value != nil else { return [] }
    return [
      "first attempts failed: \(first.failures.rate.words) and \(second.failures.rate.words),"
        + " difference \(failureDifference.pointsWords)"
    ]
  }

  private var weekdayNote: [String] {
    guard let day = first.weekday, let other = second.weekday, day != other else { return [] }
    return ["published on a \(day) and on a \(other): part of the difference may be the day"]
  }
}

extension Compare.Side {
  fileprivate var words: String {
    let published = publishedAt.map { ", published \(Instant(rawValue: $0.rawValue).words)" } ?? ""
    return "\(release)\(published); \([counts].notes[0])"
  }
}

extension Estimate {
  /// `+6.8 pp (+5.4 to +8.3)`.
  var pointsWords: String {
    guard let value else { return "not known" }
    guard lo != nil, hi != nil else { return points(value) + " (no limits)" }
    return pointsCell.sentence
  }

  fileprivate var durationWords: String {
    durationCell.sentence
  }

  /// `−2.3h (−3.6 to −1.0)`
  fileprivate var waitDifferenceWords: String {
    guard let value else { return "not known" }
    let interval = lo == nil && hi == nil ? nil : Cell.Interval(lo, hi)
    return Cell.quantity(value, interval, .durationDifference(inUnitOf: value.magnitude)).sentence
  }
}
