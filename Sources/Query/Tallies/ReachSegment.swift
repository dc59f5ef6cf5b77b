import Lifecycle
import Store

/// A channel and platform of a question about reach.
struct ReachSegment {
  let group: Group
  let isIncluded: Bool
  let rules: ReachRules
  /// The tally's cells of its slices.
  var met: MetNumbers
  let publishedAt, completeAt: Int64

  init(_ group: Group, _ question: ReachCounting, slices: Int) {
    (self.group, met) = (group, MetNumbers(count: slices))
    isIncluded = question.chosen.selection.includes(group)
    let rules = ReachRules(question.chosen.target.id, question.chosen.timeline, group)
    self.rules = rules
    (publishedAt, completeAt) = (rules.publishedAt, rules.completeAt)
  }
}

/// What a reachable device is counted as at an instant.
struct ReachState: Equatable {
  /// Its index in the tally.
  var cell: Int
  /// 0 where it never said.
  var release: Int
  var standing: ReachStanding
  var eligibility: ReachEligibility

  static let kinds = 12
  @inline(__always)
  var kind: Int { Self.kind(standing, eligibility) }

  @inline(__always)
  static func kind(_ standing: ReachStanding, _ eligibility: ReachEligibility) -> Int {
    Int(standing.rawValue) * 3 + Int(eligibility.rawValue)
  }
}

/// What is counted of one version of the app, at every instant.
///
/// A device is mostly the same for many instants: it is added where that begins and taken away where it ends, and the sum
/// up to an instant is the count there.
struct ReachCell: Mergeable {
  private let moments: Int
  /// By release and then by moment; one moment more than there are.
  private var releases: [Int32]
  /// By kind of state and then by moment.
  private var kinds: [Int32]
  /// At the cutoff, for each reach window after the first, by kind of state.
  private var narrow: [[Int32]]

  init(_ question: ReachCounting) {
    moments = question.moments.instants.count + 1
    releases = Array(repeating: 0, count: (question.releases + 1) * moments)
    kinds = Array(repeating: 0, count: ReachState.kinds * moments)
    narrow = question.windows.dropFirst().map { _ in Array(repeating: 0, count: ReachState.kinds) }
  }

  /// - Parameter span: the moments at which the device is in the state.
  @inline(__always)
  mutating func add(_ state: ReachState, _ span: Range<Int>) {
    let (release, kind) = (state.release * moments, state.kind * moments)
    releases[release + span.lowerBound] += 1
    releases[release + span.upperBound] -= 1
    kinds[kind + span.lowerBound] += 1
    kinds[kind + span.upperBound] -= 1
  }

  mutating func add(_ state: ReachState, narrow window: Int) { narrow[window][state.kind] += 1 }

  mutating func add(_ other: ReachCell, times: Int) {
    for index in releases.indices { releases[index] += Int32(times) * other.releases[index] }
    for index in kinds.indices { kinds[index] += Int32(times) * other.kinds[index] }
    for window in narrow.indices {
      for kind in narrow[window].indices { narrow[window][kind] += Int32(times) * other.narrow[window][kind] }
    }
  }

  /// No device was ever in it: as if it had never been made.
  var isEmpty: Bool { kinds.allSatisfy { $0 == 0 } && narrow.allSatisfy { $0.allSatisfy { $0 == 0 } } }

  /// - Parameter moment: up to which it is summed.
  func counts(at moment: Int) -> ReachCounts {
    func sum(_ list: [Int32], _ row: Int) -> Int {
      list[(row * moments)...(row * moments + moment)].reduce(0) { $0 + Int($1) }
    }
    var running: [Int64: Int] = [:]
    for release in 0..<(releases.count / moments) {
      let devices = sum(releases, release)
      if devices > 0 { running[Int64(release)] = devices }
    }
    return ReachCounts(byKind: (0..<ReachState.kinds).map { sum(kinds, $0) }, running)
  }

  /// - Parameter window: counted from the one after the first.
  func counts(narrow window: Int) -> ReachCounts { ReachCounts(byKind: narrow[window].map(Int.init), [:]) }
}
