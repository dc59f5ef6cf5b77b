import Lifecycle
import Store

/// First attempts and first launches of all devices on some releases, by group.
struct Attempts {
  struct Key: Hashable {
    var group: Group
    /// What started the first attempt; nil where the answer is not split by it.
    var mechanism: Trigger?
  }

  let cutOff: CutOff
  let dataThrough: Timestamp?
  let emulators: Int
  /// By key, one per release.
  private let counts: [Key: [AttemptCounts]]
  private let harms: [Key: [AttemptHarm]]
  private let grid: LookGrid?
  /// One per release, by the platform, which is empty where devices name none; only where they are kept.
  let platforms: [String: [AttemptCounts]]

  init(_ tally: AttemptTally) {
    (cutOff, dataThrough, emulators) = (tally.question.cutOff, tally.newest.at, tally.emulators)
    let (question, isEmpty) = (tally.question, tally.counts.isEmpty && tally.question.selection.by.isEmpty)
    (counts, platforms) = question.summed(isEmpty ? [Key(group: Group()): []] : tally.counts)
    (harms, grid) = (question.summed(tally.harms).all, question.grid)
  }

  /// What was counted before.
  struct Found {
    var counts: [Key: [AttemptCounts]] = [:]
    var harms: [Key: [AttemptHarm]] = [:]
    var emulators: Int
    var dataThrough: Timestamp?

    init(emulators: Int, dataThrough: Timestamp?) { (self.emulators, self.dataThrough) = (emulators, dataThrough) }

    mutating func add(
      _ more: AttemptCounts, _ harm: AttemptHarm, _ key: Key, _ release: Int, of releases: Int, times: Int = 1
    ) {
      counts[key, default: Array(repeating: .init(), count: releases)][release].add(more, times: times)
      harms[key, default: Array(repeating: .init(), count: releases)][release].add(harm, times: times)
    }
  }

  init(_ question: AttemptCounting, _ found: Found) {
    (cutOff, dataThrough, emulators) = (question.cutOff, found.dataThrough, found.emulators)
    let left = found.counts.filter { $1.contains { $0 != AttemptCounts() } }
    let isEmpty = left.isEmpty && question.selection.by.isEmpty
    (counts, platforms) = question.summed(isEmpty ? [Key(group: Group()): []] : left)
    (harms, grid) = (question.summed(found.harms).all, question.grid)
  }

  /// In order of their names.
  var groups: [Key] {
    counts.keys.sorted { ($0.group, $0.mechanism?.code ?? 0) < ($1.group, $1.mechanism?.code ?? 0) }
  }

  func counts(_ key: Key, _ release: Int) -> AttemptCounts {
    let list = counts[key] ?? []
    return release < list.count ? list[release] : AttemptCounts()
  }

  func harm(_ key: Key, _ release: Int) -> AttemptHarm {
    let list = harms[key] ?? []
    return release < list.count ? list[release] : AttemptHarm()
  }

  /// - Parameter since: earlier looks do not count.
  func looks(since: Timestamp?, until end: Timestamp?) -> CountedLooks? {
    grid.flatMap { CountedLooks($0, since: since, until: min(end ?? cutOff.at, cutOff.at)) }
  }

  func warnings(_ chosen: ReleaseScope) -> [Warning] {
    let own = groups.reduce(0) { $0 + counts($1, 0).attempts + counts($1, 0).tooYoung }
    return attemptWarnings(cutOff, chosen, emulators: emulators, attempts: own)
  }
}

/// What to know of an answer about first attempts.
func attemptWarnings(_ cutOff: CutOff, _ chosen: ReleaseScope, emulators: Int, attempts: Int) -> [Warning] {
  var warnings = cutOffWarnings(cutOff)
  if emulators > 0 {
    let verb = emulators == 1 ? "is" : "are"
    warnings.append(Warning("emulators_left_out", "\(counted(emulators, "emulator")) \(verb) left out"))
  }
  if attempts == 0, !chosen.isTooNew(cutOff) {
    warnings.append(
      Warning("no_attempts", "no device has tried to get \(chosen.selection.release.rawValue) yet\(cutOff.untilWords)"))
  }
  return warnings
}

extension AttemptCounting: Counting {
  var start: AttemptTally { AttemptTally(self) }
  func sum(_ tally: AttemptTally) -> Attempts { Attempts(tally) }
}

extension AttemptCounting {
  /// All platforms together, and each by itself where they are kept.
  fileprivate func summed<Counts: Mergeable>(
    _ cells: [Attempts.Key: [Counts]]
  ) -> (all: [Attempts.Key: [Counts]], platforms: [String: [Counts]]) {
    guard keepsPlatforms, let first = cells.values.first else { return (cells, [:]) }
    let sum = cells.values.dropFirst().reduce(into: first) { sum, more in
      for release in sum.indices { sum[release].add(more[release], times: 1) }
    }
    let named = cells.map { ($0.group.platform == Group.unnamed ? "" : $0.group.platform ?? "", $1) }
    return ([Attempts.Key(group: Group()): sum], Dictionary(uniqueKeysWithValues: named))
  }
}
