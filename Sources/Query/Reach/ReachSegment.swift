import Lifecycle
import Store

/// What is counted of one version of the app, at every instant.
struct ReachCell {
  /// As `ReachMoments` numbers them.
  private(set) var tallies: [ReachCounts]
  /// Devices by the number of what they run, 0 where they never said.
  private var running: [[Int]]

  init(tallies: Int) {
    self.tallies = Array(repeating: ReachCounts(), count: tallies)
    running = Array(repeating: [], count: tallies)
  }

  mutating func add(_ tally: Int, _ release: Int, _ standing: ReachStanding, _ eligibility: ReachEligibility) {
    tallies[tally].add(standing, eligibility)
    if running[tally].count <= release {
      running[tally] += [Int](repeating: 0, count: release + 1 - running[tally].count)
    }
    running[tally][release] += 1
  }

  mutating func add(_ other: ReachCell) {
    for number in tallies.indices {
      tallies[number].add(other.tallies[number], [:])
      let (own, theirs) = (running[number].count, other.running[number].count)
      if theirs > own { running[number] += repeatElement(0, count: theirs - own) }
      for (release, devices) in other.running[number].enumerated() { running[number][release] += devices }
    }
  }

  func byRelease(_ tally: Int) -> [Int64: Int] {
    var found: [Int64: Int] = [:]
    for (release, devices) in running[tally].enumerated() where devices > 0 { found[Int64(release)] = devices }
    return found
  }
}

/// A channel and platform, with what is counted there.
final class ReachSegment {
  let group: Group
  let isIncluded: Bool
  let rules: ReachRules
  /// By the number of the version.
  private(set) var cells: [ReachCell?]
  private let standings: [ReachStanding]
  private let tallies: Int

  init(_ group: Group, _ question: ReachQuestion) {
    self.group = group
    isIncluded = question.chosen.selection.includes(group)
    rules = ReachRules(question.chosen.target.id, question.chosen.timeline, group)
    cells = Array(repeating: nil, count: question.profiles.versions.count)
    tallies = question.moments.tallies
    let last = question.chosen.timeline.releases.map(\.id).max() ?? 0
    standings = (0...last).map { [rules] in rules.standing($0) }
  }

  func add(_ other: ReachSegment) {
    for (version, cell) in other.cells.enumerated() {
      guard let cell else { continue }
      if cells[version] == nil { cells[version] = cell } else { cells[version]?.add(cell) }
    }
  }

  func standing(_ release: Int64) -> ReachStanding {
    release < standings.count ? standings[Int(release)] : rules.standing(release)
  }

  func add(
    _ looks: [ReachMoments.Look], contact: Int64, version: Int, _ release: Int64, _ standing: ReachStanding,
    _ eligibility: ReachEligibility
  ) {
    if cells[version] == nil { cells[version] = ReachCell(tallies: tallies) }
    for look in looks where contact > look.after {
      cells[version]?.add(look.tally, Int(release), standing, eligibility)
    }
  }
}
