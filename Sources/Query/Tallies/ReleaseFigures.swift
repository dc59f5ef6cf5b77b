import Lifecycle
import Statistics

/// What the list of releases tells of a release's table on one channel.
struct ReleaseFigures: Equatable {
  static let level = 0.95

  var devices = 0
  var events = 0
  var adopted: Estimate
  /// As of `Adoption.Age`.
  var atMost: Double?
  var atLeast: Double?
  /// A week, or as far as the data go; nil where there are none.
  var adoptedAtSeconds: Int64?
  var isUnstable = true
  var median: Estimate
  var sparkline: [Double?]
  /// Updates known from a check alone, and devices whose first word since the publication was that they had it.
  var implied = 0
  var bornOn = 0
  /// Devices that say they updated before the publication.
  var early = 0
  var isPolled = false

  init(_ cell: RiskTable, level: Double) {
    let curve = KaplanMeier(cell.table, events: .updates)
    let age = cell.table.lastTick.map { cell.table.told(at: min($0, Releases.sparklineSeconds.last ?? $0)) }
    (devices, events, adoptedAtSeconds) = (cell.devices, Int(curve.events), age)
    let standing = curve.standing(at: age ?? 0)
    adopted = standing.adoption(level: level)
    let limits = OneSidedLimits(standing, adopted, level: level)
    (atMost, atLeast) = (limits.atMost, limits.atLeast)
    isUnstable = age.map { curve.isUnstable(at: $0) } ?? true
    median = curve.quantile(0.5, level: level)
    sparkline = Releases.sparklineSeconds.map { curve.adoption(at: $0, level: level).value }
    (implied, bornOn) = (cell.remarks[.impliedByCheck] ?? 0, cell.excluded[.bornOn] ?? 0)
    early = cell.excluded[.skewExcluded] ?? 0
  }

  /// With other counts of who was not seen updating; of the same table.
  func adding(implied more: Int, bornOn others: Int, early before: Int) -> Self {
    var copy = self
    copy.early += before
    copy.implied += more
    copy.bornOn += others
    return copy
  }

  /// Whether nobody knows who else was let have it.
  var isOfOffered: Bool { adopted.reason == .clockFromOffer || median.reason == .clockFromOffer }

  /// Whether it may be known only between which checks many devices updated.
  var isDoubtful: Bool {
    PolledCount.isWorthIt(implied: implied, bornOn: bornOn, of: events, waiting: devices - events)
  }

  /// The same between the checks.
  func betweenChecks(_ curve: PolledCurve, level: Double) -> Self {
    var copy = self
    copy.isPolled = true
    copy.adopted = curve.share(at: adoptedAtSeconds ?? 0, level: level)
    (copy.atMost, copy.atLeast) = (nil, nil)
    copy.median = curve.time(0.5, level: level)
    copy.sparkline = Releases.sparklineSeconds.map { curve.share(at: $0, level: level).value }
    return copy
  }
}

extension LifeTable {
  /// The age at which to say how a release stands: a little earlier where some part of its devices was not followed so long. Where
  /// that would be less than half of it, it would say little of now, and nothing is said.
  func told(at age: Tick) -> Tick {
    followedTo.map { $0 < age && $0 * 2 >= age ? $0 : age } ?? age
  }
}

extension ReleaseFigures {
  /// As numbers for a summary; the order is frozen, files that hold them are in the world.
  var stored: [Int64] {
    [Int64(devices), Int64(events), isUnstable ? 1 : 0, adoptedAtSeconds ?? .max]
      + adopted.stored + median.stored + sparkline.map(\.stored) + [Int64(implied), Int64(bornOn)]
      + [atMost.stored, atLeast.stored, Int64(early)]
  }

  /// nil where they are not as many as there should be.
  init?(_ stored: [Int64]) {
    guard stored.count == 17 + Releases.sparklineSeconds.count else { return nil }
    (devices, events, isUnstable) = (Int(stored[0]), Int(stored[1]), stored[2] == 1)
    adoptedAtSeconds = stored[3] == .max ? nil : stored[3]
    adopted = Estimate(stored[4..<8], .kaplanMeierLogLog)
    median = Estimate(stored[8..<12], .kaplanMeierQuantile)
    sparkline = stored[12...].dropLast(5).map { Double?(stored: $0) }
    (implied, bornOn) = (Int(stored[stored.count - 5]), Int(stored[stored.count - 4]))
    (atMost, atLeast) = (Double?(stored: stored[stored.count - 3]), Double?(stored: stored[stored.count - 2]))
    early = Int(stored[stored.count - 1])
  }
}

extension Estimate {
  /// In the order of frozen numbers.
  private static let reasons: [Unestimable] = [
    .nothingAtRisk, .noEvents, .allEvents, .noVariation, .notReached, .beyondFollowUp, .tooFew, .neverTogether,
    .monotoneLikelihood, .alreadyReached, .clockFromOffer, .enteredLater,
    .partsNotFollowed,
  ]

  fileprivate var stored: [Int64] {
    [value.stored, lo.stored, hi.stored, reason.flatMap(Self.reasons.firstIndex).map(Int64.init) ?? .max]
  }

  fileprivate init(_ stored: ArraySlice<Int64>, _ method: Method) {
    let numbers = stored.prefix(3).map { Double?(stored: $0) }
    let reason = stored.last.flatMap { Self.reasons.indices.contains(Int($0)) ? Self.reasons[Int($0)] : nil }
    self.init(
      numbers[0], lo: numbers[1], hi: numbers[2], level: ReleaseFigures.level, method: method, reason: reason)
  }
}

extension Double? {
  /// Shares and times are not negative, so their bits sort as they do.
  fileprivate var stored: Int64 { map { Int64(bitPattern: $0.bitPattern) } ?? .max }
  fileprivate init(stored: Int64) { self = stored == .max ? nil : Double(bitPattern: UInt64(bitPattern: stored)) }
}
