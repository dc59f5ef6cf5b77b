import Lifecycle
import Store
import Testing

@testable import Query

/// Answers that may rest on an open summary, held against those of a database in which every device is counted.
struct OpenAnswers {
  // What was met, so that no test passes because nothing was looked at.
  private(set) var asked = 0
  /// Answers that rest on the summary.
  private(set) var used = 0
  /// Devices that these looked at, of all.
  private(set) var looked = 0
  private(set) var devices = 0
  /// The same of `releases`, and those that tell of releases that ended.
  private(set) var listed = 0
  private(set) var listedFast = 0
  private(set) var listedEnded = 0
  /// The same of `reach`.
  private(set) var reached = 0
  private(set) var reachedFast = 0
  /// The same of `failures` and `funnel`.
  private(set) var tried = 0
  private(set) var triedFast = 0
  private(set) var staged = 0
  private(set) var stagedFast = 0
  /// The same of the newest release and the one before it.
  var judged = 0
  var judgedFast = 0
  /// Of these, those where some device had both.
  var shared = 0

  /// Of the two newest releases but the last, and of all.
  mutating func compare(_ fleet: LivingFleet, at now: Timestamp) throws {
    for release in [fleet.published - 1, fleet.published - 2] {
      try compare(fleet.summarised, fleet.counted, LivingFleet.label(release), at: now)
      try compareJourneys(fleet.summarised, fleet.counted, LivingFleet.label(release), at: now)
    }
    try compareReleases(fleet.summarised, fleet.counted, at: now)
    try compareVerdicts(fleet.summarised, fleet.counted, at: now)
    for release in [fleet.published - 1, fleet.published - 2, fleet.published - 4] {
      try compareReach(fleet.summarised, fleet.counted, LivingFleet.label(release), at: now)
    }
  }

  mutating func compareReach(_ summarised: Fleet, _ counted: Fleet, _ label: ReleaseLabel, at now: Timestamp) throws {
    let one = try Snapshot(path: summarised.path)
    let other = try Snapshot(path: counted.path)
    guard var chosen = try? ReleaseScope(one.vocabulary, app: nil, release: label, now: now) else { return }
    var same = try ReleaseScope(other.vocabulary, app: nil, release: label, now: now)
    let split = Self.splits[reached % Self.splits.count]
    split(&chosen.selection)
    split(&same.selection)
    if reached % 5 == 4 { (chosen.selection.isProvisional, same.selection.isProvisional) = (true, true) }
    var options = Reach.Options()
    options.history = reached % 3 == 0 ? nil : .days(90)
    let question = Reach.Question(one.vocabulary, chosen, options)
    let ledger = Ledger()
    try one.count([question.counts], into: ledger)
    reached += 1
    reachedFast += ledger.scans == 0 ? 1 : 0
    let expected = try bytes(Reach.answer(other, same, options))
    #expect(try bytes(Reach.answer(one, chosen, options)) == expected, "reach \(label) \(now.rfc3339)")
  }

  mutating func compareJourneys(
    _ summarised: Fleet, _ counted: Fleet, _ label: ReleaseLabel, at now: Timestamp
  ) throws {
    let one = try Snapshot(path: summarised.path)
    let other = try Snapshot(path: counted.path)
    guard var chosen = try? ReleaseScope(one.vocabulary, app: nil, release: label, now: now) else { return }
    var same = try ReleaseScope(other.vocabulary, app: nil, release: label, now: now)
    let split = Self.splits[tried % Self.splits.count]
    split(&chosen.selection)
    split(&same.selection)
    tried += 1
    triedFast += try scans(one, Failures.Question(one.vocabulary, chosen).counts) == 0 ? 1 : 0
    staged += 1
    stagedFast += try scans(one, Funnel.Question(one.vocabulary, chosen).counts) == 0 ? 1 : 0
    let words = "\(label) \(now.rfc3339)"
    #expect(
      try bytes(Failures.answer(one, chosen)) == bytes(Failures.answer(other, same)), "failures \(words)")
    #expect(try bytes(Funnel.answer(one, chosen)) == bytes(Funnel.answer(other, same)), "funnel \(words)")
  }

  private func scans(_ snapshot: borrowing Snapshot, _ counts: Counts) throws -> Int {
    let ledger = Ledger()
    try snapshot.count([counts], into: ledger)
    return ledger.scans
  }

  mutating func compare(_ summarised: Fleet, _ counted: Fleet, _ label: ReleaseLabel, at now: Timestamp) throws {
    let one = try Snapshot(path: summarised.path)
    let other = try Snapshot(path: counted.path)
    guard var chosen = try? ReleaseScope(one.vocabulary, app: nil, release: label, now: now) else { return }
    var same = try ReleaseScope(other.vocabulary, app: nil, release: label, now: now)
    let split = Self.splits[asked % Self.splits.count]
    split(&chosen.selection)
    split(&same.selection)
    asked += 1
    let question = RiskCounting(one.vocabulary, chosen, [chosen.target])
    if let open = try OpenTables(one, question), try open.kept(one)?.told(one) != nil {
      used += 1
      looked += try looked(one, question, open.reading)
      devices += try one.scan(question.need, start: { 0 }) { $0 += $1.devices.devices.count }.reduce(0, +)
    }
    #expect(
      try bytes(Adoption.answer(one, chosen)) == bytes(Adoption.answer(other, same)), "\(label) \(now.rfc3339)")
    #expect(
      try bytes(TimeToUpdate.answer(one, chosen)) == bytes(TimeToUpdate.answer(other, same)),
      "\(label) \(now.rfc3339)")
  }

  /// What is asked in turn.
  private static let splits: [@Sendable (inout Selection) -> Void] = [
    { _ in }, { $0.by = [.channel, .platform] }, { $0.platforms = ["ios"] }, { $0.channels = ["production"] },
  ]

  /// How many devices are counted twice.
  private func looked(_ snapshot: borrowing Snapshot, _ asked: RiskCounting, _ reading: OpenReading) throws -> Int {
    let span = try #require(reading.span)
    return try snapshot.scan(asked.need, span, start: 0) { $0 += $1.changes?.now.devices.devices.count ?? 0 }
      .reduce(0, +)
  }

  mutating func compareReleases(_ summarised: Fleet, _ counted: Fleet, at now: Timestamp) throws {
    let one = try Snapshot(path: summarised.path)
    let other = try Snapshot(path: counted.path)
    let timeline = Timeline(one.vocabulary, app: LivingFleet.app, until: now)
    let selection = Selection(app: LivingFleet.app, release: ReleaseLabel(rawValue: ""), now: now)
    let all = CatalogueCounting(
      RiskCounting(one.vocabulary, selection, timeline, timeline.releases, []), of: timeline.releases)
    listed += 1
    if let open = try OpenCatalogue(one, all), try open.kept().told(one) != nil {
      listedFast += 1
      if !open.ended.isEmpty { listedEnded += 1 }
    }
    var options = Releases.Options()
    if listed % 4 == 0 { options.channels = ["production"] }
    #expect(
      try bytes(Releases.answer(one, app: LivingFleet.app, now: now, options))
        == bytes(Releases.answer(other, app: LivingFleet.app, now: now, options)), "releases \(now.rfc3339)")
  }
}

extension Kept {
  /// By itself.
  func told(_ snapshot: borrowing Snapshot) throws -> Sum? {
    switch self {
    case .known(let sum): return sum
    case .beside(let ask, let sum):
      try snapshot.scan([ask])
      return try sum(snapshot)
    }
  }
}
