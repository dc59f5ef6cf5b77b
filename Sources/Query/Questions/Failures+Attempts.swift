import Lifecycle
import Store

/// First attempts and first applies of all devices on some releases, counted by group.
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
      attempts += 1
      if attempt.failed.happened, attempt.failed.at - attempt.start.at <= options.attemptAge {
        failed += 1
        reasons[attempt.reason.map(vocabulary.name) ?? Group.unnamed, default: 0] += 1
      }
    } else {
      tooYoung += 1
    }
    let applied = attempt.applied
    guard applied.happened, applied.at <= cutOff else { return }
    guard cutOff - applied.at >= options.rollbackAge else {
      appliesTooYoung += 1
      return
    }
    applies += 1
    let back = attempt.rolledBack
    if back.happened, back.at >= applied.at, back.at - applied.at <= options.rollbackAge { rolledBack += 1 }
  }
}

extension JourneyView {
  /// The first sign that the device tried to get the release; nil where it never did.
  var attemptStart: FirstTime? {
    [.downloadStarted, .downloadCompleted, .verified, .ready, .applied, .failed].lazy.map(first).filter(\.happened)
      .min()
  }
}
