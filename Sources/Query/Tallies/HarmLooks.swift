package import Lifecycle

/// When a release is looked at: every five minutes since its publication. Whoever asks between two looks gets the one before,
/// so that an answer does not depend on the second it was asked in.
package struct LookGrid: Equatable, Sendable {
  static let step = Milliseconds.minutes(5)
  /// What came later than a year after the publication counts as at this look.
  private static let last = 366 * 288
  /// Of look 0.
  private let first: Int64
  private let last: Int

  package init(from publishedAt: Timestamp) { self.init(from: publishedAt, last: Self.last) }

  private init(from publishedAt: Timestamp, last: Int) {
    let step = Self.step.rawValue
    first = publishedAt.rawValue - ((publishedAt.rawValue % step) + step) % step
    self.last = last
  }

  /// One that goes on for decades: what it counts can be counted by any that begins no earlier, but for one that begins as much later.
  static func endless(from publishedAt: Timestamp) -> LookGrid { LookGrid(from: publishedAt, last: last * 40) }

  /// The first look that sees what happened at an instant.
  @inline(__always)
  func look(at instant: Timestamp) -> Int {
    let step = Self.step.rawValue
    return Int(min(max(instant.rawValue - first + step - 1, 0) / step, Int64(last)))
  }

  /// The last look up to an instant; nil before the first one.
  package func last(until instant: Timestamp) -> Int? {
    instant.rawValue < first ? nil : Int(min((instant.rawValue - first) / Self.step.rawValue, Int64(last)))
  }

  /// The look of this grid that is the same as one of an endless grid, or the nearest.
  fileprivate func look(_ look: Int, of other: LookGrid) -> Int {
    min(max(look - Int((first - other.first) / Self.step.rawValue), 0), last)
  }

  package func instant(of look: Int) -> Timestamp { Timestamp(rawValue: first + Int64(look) * Self.step.rawValue) }
}

/// The looks that count for a decision.
package struct CountedLooks: Equatable, Sendable {
  package let grid: LookGrid
  /// Earlier ones were answered by somebody who opened the rollout again.
  let first: Int
  let last: Int

  /// nil where there was no look yet.
  package init?(_ grid: LookGrid, since: Timestamp? = nil, until: Timestamp) {
    guard let last = grid.last(until: until) else { return nil }
    (self.grid, self.last) = (grid, last)
    first = min(since.map(grid.look) ?? 0, last)
  }
}

/// When devices began to be watched for something bad and when it happened: what there was to see at every look.
///
/// Whole numbers that add up in any order. Costs a number a look, and two for each device to which something happened.
package struct HarmLooks: Mergeable, Equatable {
  /// How a device's watch ended before its time; what nobody saw end goes on.
  package enum Ending {
    /// At this age, and known from then on, or later where `knownAt` says so.
    case happened(Milliseconds, knownAt: Timestamp? = nil)
    /// Cannot happen to it any more.
    case left(Milliseconds)
  }

  /// Devices by the first look that sees them.
  private(set) var began: [Int] = []
  /// By the first look that knows of it.
  private(set) var happened: [Int: Int] = [:]
  /// Devices whose watch ended, by their first look and the span.
  private(set) var ended: [Int: Int] = [:]

  package init() {}

  package mutating func add(_ other: Self, times: Int) {
    if began.count < other.began.count { began += Array(repeating: 0, count: other.began.count - began.count) }
    for look in other.began.indices { began[look] += times * other.began[look] }
    if times < 0 { began.removeLast(began.reversed().prefix { $0 == 0 }.count) }
    happened.add(other.happened, times: times)
    ended.add(other.ended, times: times)
  }

  package mutating func add(_ grid: LookGrid, from start: Timestamp, _ ending: Ending?) {
    let look = grid.look(at: start)
    begin(look, 1)
    switch ending {
    case .happened(let age, let knownAt):
      ended[look * Harm.spans.count + Harm.span(age), default: 0] += 1
      happened[grid.look(at: max(start + age, knownAt ?? start)), default: 0] += 1
    case .left(let age): ended[look * Harm.spans.count + Harm.span(age), default: 0] += 1
    case nil: break
    }
  }
}

extension HarmLooks {
  /// How often it would have happened by each look at such chances, added to what others expect.
  ///
  /// A span counts whole once a device is in it, as in `Harm`; the first five minutes count as soon as a device is seen.
  func expect(_ chances: [Double], into steps: inout [Double]) {
    var left = began
    var endings = [[(look: Int, count: Int)]](repeating: [], count: Harm.spans.count)
    for (key, count) in ended { endings[key % Harm.spans.count].append((key / Harm.spans.count, count)) }
    for (span, chance) in chances.enumerated() {
      let later = Int(Harm.spans[span] * 60_000 / LookGrid.step.rawValue)
      if chance > 0 {
        for look in left.indices.prefix(max(steps.count - later, 0)) {
          steps[look + later] += chance * Double(left[look])
        }
      }
      for ending in endings[span] { left[ending.look] -= ending.count }
    }
  }
}

// MARK: in a summary

extension HarmLooks {
  /// As they are seen by the looks of a grid.
  ///
  /// - Parameter endless: the grid that they were counted by, which begins no later.
  func seen(by grid: LookGrid, countedBy endless: LookGrid) -> HarmLooks {
    var seen = HarmLooks()
    for (look, count) in began.enumerated() where count > 0 {
      seen.begin(grid.look(look, of: endless), count)
    }
    for (look, count) in happened { seen.happened[grid.look(look, of: endless), default: 0] += count }
    for (key, count) in ended {
      let (look, span) = key.quotientAndRemainder(dividingBy: Harm.spans.count)
      seen.ended[grid.look(look, of: endless) * Harm.spans.count + span, default: 0] += count
    }
    return seen
  }

  private mutating func begin(_ look: Int, _ count: Int) {
    if began.count <= look { began += Array(repeating: 0, count: look + 1 - began.count) }
    began[look] += count
  }

  /// As columns of a summary; the order is frozen, files that hold them are in the world.
  var stored: [[Int64]] { [began.map { $0 == 0 ? .max : Int64($0) }, happened.stored, ended.stored] }

  /// - Parameter stored: as many as `stored` gives.
  init(stored: [[Int64]]) {
    began = stored[0].map { $0 == .max ? 0 : Int($0) }
    (happened, ended) = (Dictionary(stored: stored[1]), Dictionary(stored: stored[2]))
  }
}

extension [Int: Int] {
  /// Key and count in turn, in order of keys.
  fileprivate var stored: [Int64] { sorted { $0.key < $1.key }.flatMap { [Int64($0.key), Int64($0.value)] } }

  fileprivate init(stored: [Int64]) {
    self.init(
      stride(from: 0, to: stored.count - 1, by: 2).map { (Int(stored[$0]), Int(stored[$0 + 1])) },
      uniquingKeysWith: +)
  }
}
