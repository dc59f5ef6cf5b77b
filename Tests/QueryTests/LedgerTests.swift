import Foundation
import Lifecycle
import Store
import Testing

@testable import Query

/// Questions that are asked together cost one scan and say what each says alone.
@Suite struct LedgerTests {
  @Test(arguments: 0..<5) func togetherTheySayWhatEachSaysAlone(_ seed: Int) throws {
    var random = RandomFleet(seed: seed, isDense: seed % 2 == 0)
    let fleet = try random.stored()
    let snapshot = try Snapshot(path: fleet.path)
    for day in [19, 90] as [Int64] {
      var asked = try everyQuestion(snapshot, now: RandomFleet.epoch + .days(day))
      if day == 90 { asked.reverse() }
      let ledger = Ledger()
      try snapshot.count(asked.map(\.counts), into: ledger)
      #expect(ledger.scans == 1)
      for question in asked {
        #expect(try json(question, snapshot, ledger) == json(question, snapshot, nil), "\(type(of: question))")
      }
      #expect(ledger.scans == 1, "what was counted is not counted again")
    }
  }

  /// What one question has read beyond what another needs changes nothing: an emulator that was only offered the release is none of
  /// those that failures leave out.
  @Test func whatAnotherQuestionReadsChangesNothing() throws {
    let fleet = try Fleet()
    try fleet.load(
      """
      {"device":"a","stage":"available","release":"2.0","emulator":true,"at":"2024-03-02T00:00:00Z"}
      {"device":"b","stage":"downloadStarted","release":"2.0","at":"2024-03-02T00:00:00Z"}

      """)
    let chosen = try fleet.chosen("2.0", now: try Timestamp(rfc3339: "2024-03-05T00:00:00Z"))
    let snapshot = try Snapshot(path: fleet.path)
    let failures = Failures.Question(snapshot.vocabulary, chosen)
    let ledger = Ledger()
    try snapshot.count([failures.counts, Funnel.Question(snapshot.vocabulary, chosen).counts], into: ledger)
    #expect(try json(failures, snapshot, ledger) == json(failures, snapshot, nil))
  }

  /// Pushes of one week tell nothing of another's.
  @Test func whatLooksAtOtherIntervalsIsAScanOfItsOwn() throws {
    var random = RandomFleet(seed: 3)
    let fleet = try random.stored()
    let snapshot = try Snapshot(path: fleet.path)
    let all = try FleetScope(snapshot.vocabulary, app: nil, now: RandomFleet.epoch + .days(90))
    var late = all
    late.since = RandomFleet.epoch + .days(30)
    let asked = [all, late, all].map { try? Push.Question(snapshot.vocabulary, $0) }.compactMap(\.self)
    let ledger = Ledger()
    try snapshot.count(asked.map(\.counts), into: ledger)
    #expect(ledger.scans == 2)
    for question in asked { #expect(try json(question, snapshot, ledger) == json(question, snapshot, nil)) }
  }

  @Test func aLedgerIsLookedAtAndNotAddedTo() throws {
    var random = RandomFleet(seed: 4)
    let fleet = try random.stored()
    let snapshot = try Snapshot(path: fleet.path)
    let asked = try everyQuestion(snapshot, now: RandomFleet.epoch + .days(90))
    let earlier = Ledger()
    try snapshot.count([asked[0].counts], into: earlier)
    let later = Ledger(after: earlier)
    try snapshot.count(asked.map(\.counts), into: later)
    #expect(earlier.scans == 1 && later.scans == 1)
    try snapshot.count([asked[0].counts], into: later)
    #expect(later.scans == 1)
  }

  /// A verdict asks for its release and the one before, and of that for its release alone.
  @Test func whatIsStoredOfSeveralReleasesIsNotLookedUpAgainForOne() throws {
    var random = RandomFleet(seed: 5)
    let fleet = try random.stored()
    try Folder(path: fleet.path).foldAll()
    try Summary.refresh(path: fleet.path)
    let snapshot = try Snapshot(path: fleet.path)
    let state = try #require(try snapshot.summaryState(app: snapshot.vocabulary.chosenApp(nil)))
    let records = Timeline(snapshot.vocabulary, app: try snapshot.vocabulary.chosenApp(nil)).releases
    var chosen = try ReleaseScope(snapshot.vocabulary, app: nil, release: records[0].label, now: state.since)
    let wide = RiskCounting(snapshot.vocabulary, chosen, records)
    let ledger = Ledger()
    try snapshot.count([Counts(wide)], into: ledger)
    chosen.selection.channels = [try #require(Timeline(snapshot.vocabulary, app: chosen.selection.app).channels.first)]
    let narrow = try Adoption.Question(snapshot.vocabulary, chosen)
    #expect(narrow.counts.all.compactMap { $0 as? RiskCounting }.allSatisfy { ledger.known($0) != nil })
    #expect(try json(narrow, snapshot, ledger) == json(narrow, snapshot, nil))
    #expect(ledger.scans == 0)
    let bounded = RiskCounting(snapshot.vocabulary, chosen, records, countsBounds: true)
    #expect(ledger.known(bounded) == nil, "which it does not tell")
  }

  private func json<Asked: Question>(
    _ question: Asked, _ snapshot: borrowing Snapshot, _ ledger: Ledger?
  ) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(snapshot.ask(question, ledger)), as: UTF8.self)
  }
}

/// Every question, of every release that there is, by many rules.
func everyQuestion(_ snapshot: borrowing Snapshot, now: Timestamp) throws -> [any Question] {
  let vocabulary = snapshot.vocabulary
  let extent = try FleetScope(vocabulary, app: nil, now: now)
  var asked: [any Question] = [
    try Push.Question(vocabulary, extent), try WakeUps.Question(vocabulary, extent),
    try Channels.Question(vocabulary, extent), try Releases.Question(vocabulary, app: nil, now: now),
  ]
  let records = Timeline(vocabulary, app: extent.app).releases
  for (index, record) in records.enumerated() {
    var chosen = try ReleaseScope(vocabulary, app: nil, release: record.label, now: now)
    asked += [
      try Adoption.Question(vocabulary, chosen), Failures.Question(vocabulary, chosen),
      Funnel.Question(vocabulary, chosen), Reach.Question(vocabulary, chosen), Forecast.Question(vocabulary, chosen),
      try Mechanisms.Question(vocabulary, chosen), Suspects.Question(vocabulary, chosen),
    ]
    if index > 0 { asked.append(Compare.Question(vocabulary, chosen, with: records[index - 1])) }
    for change in RiskTallyTests.changes {
      chosen.selection.by = []
      change(&chosen.selection)
      asked.append(TimeToUpdate.Question(vocabulary, chosen))
    }
    chosen.selection.by = [.channel, .appVersion]
    asked += [Failures.Question(vocabulary, chosen), Reach.Question(vocabulary, chosen)]
  }
  return asked
}
