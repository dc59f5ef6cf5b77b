import Lifecycle
import Store

/// First attempts and first launches of all devices on some releases, counted by group.
struct AttemptWalk {
  struct Key: Hashable {
    var group: Group
    /// What started the first attempt; nil where the answer is not split by it.
    var mechanism: Trigger?
  }

  struct Tally: Equatable {
    var attempts = 0
    var tooYoung = 0
    var failed = 0
    /// Of the failed: rolled back or crashed, so launched.
    var broken = 0
    /// Of the attempts: launched so long ago that a failure would be known, or broken.
    var settled = 0
    var reasons: [String: Int] = [:]
    var applies = 0
    var appliesTooYoung = 0
    var rolledBack = 0
  }

  let cutOff: CutOff
  private(set) var dataThrough: Timestamp?
  private(set) var emulators = 0
  /// By key, one tally per release.
  private var tallies: [Key: [Tally]] = [:]
  private let releases: [ReleaseRecord]

  init(_ snapshot: borrowing Snapshot, _ chosen: Chosen, _ releases: [ReleaseRecord], _ options: Failures.Options)
    throws
  {
    cutOff = CutOff(snapshot.vocabulary, app: chosen.selection.app, now: chosen.selection.now)
    self.releases = releases
    let selection = chosen.selection
    let question = OutlineQuestion(snapshot.vocabulary, selection, chosen.timeline, [], Splits(selection))
    let countings = try snapshot.eachOutline(
      app: selection.app, releases: Set(releases.map(\.id)), AttemptCounting.columns(question),
      start: { AttemptCounting(question, releases, options) }, { counting, page, read in try counting.add(page, read) })
    var sum = AttemptCounting(question, releases, options)
    for counting in countings { sum.add(counting) }
    (tallies, emulators) = (sum.tallies, sum.emulators)
    dataThrough = countings.compactMap(\.dataThrough).max()
    if tallies.isEmpty, selection.by.isEmpty { tallies[Key(group: Group())] = [] }
  }

  /// In order of their names.
  var groups: [Key] {
    tallies.keys.sorted { ($0.group, $0.mechanism?.code ?? 0) < ($1.group, $1.mechanism?.code ?? 0) }
  }

  func tally(_ key: Key, _ release: Int) -> Tally {
    let list = tallies[key] ?? []
    return release < list.count ? list[release] : Tally()
  }

  func warnings(_ chosen: Chosen) -> [Warning] {
    var warnings = backfillWarning(cutOff)
    if emulators > 0 { warnings.append(Warning("emulators_left_out", "\(emulators) emulators are left out")) }
    let own = groups.reduce(0) { $0 + tally($1, 0).attempts + tally($1, 0).tooYoung }
    if own == 0 {
      warnings.append(Warning("no_attempts", "no device has tried to get \(chosen.selection.release.rawValue) yet"))
    }
    return warnings
  }
}

extension AttemptWalk.Tally {
  func adding(_ other: Self) -> Self {
    var sum = self
    sum.attempts += other.attempts
    sum.tooYoung += other.tooYoung
    sum.failed += other.failed
    sum.broken += other.broken
    sum.settled += other.settled
    sum.reasons.merge(other.reasons, uniquingKeysWith: +)
    sum.applies += other.applies
    sum.appliesTooYoung += other.appliesTooYoung
    sum.rolledBack += other.rolledBack
    return sum
  }

  mutating func add(
    _ attempt: Attempt, _ cutOff: Timestamp, _ options: Failures.Options, _ vocabulary: Vocabulary
  ) {
    if cutOff - attempt.start.at >= options.attemptAge {
      count(attempt, cutOff, options, vocabulary)
    } else {
      tooYoung += 1
    }
    countLaunch(attempt, cutOff, options)
  }

  private mutating func count(
    _ attempt: Attempt, _ cutOff: Timestamp, _ options: Failures.Options, _ vocabulary: Vocabulary
  ) {
    attempts += 1
    guard let failure = attempt.failure(by: cutOff, options) else {
      if attempt.isSettled(by: cutOff, options) { settled += 1 }
      return
    }
    failed += 1
    let reason: String
    switch failure {
    case .failed: reason = attempt.reason.map(vocabulary.name) ?? Group.unnamed
    case .rolledBack, .crashed:
      reason = failure.rawValue
      (broken, settled) = (broken + 1, settled + 1)
    }
    reasons[reason, default: 0] += 1
  }

  private mutating func countLaunch(_ attempt: Attempt, _ cutOff: Timestamp, _ options: Failures.Options) {
    let launch = attempt.launch
    guard launch.happened, launch.at <= cutOff else { return }
    guard cutOff - launch.at >= options.rollbackAge else {
      appliesTooYoung += 1
      return
    }
    applies += 1
    let back = attempt.rolledBack
    if back.happened, back.at - launch.at <= options.rollbackAge { rolledBack += 1 }
  }
}
