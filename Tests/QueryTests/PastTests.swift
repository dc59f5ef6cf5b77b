import Foundation
import Lifecycle
import Store
import Testing

@testable import Query

/// Asked for an earlier instant, an answer is that of then: what happened later changes nothing.
@Suite struct PastTests {
  @Test(arguments: 0..<4) func saysWhatWasKnownThen(_ seed: Int) throws {
    for day in [9, 19, 33] as [Int64] {
      let now = RandomFleet.epoch + .days(day)
      // Contacts less than a day apart are kept as one stretch, which says nothing of the last one before an instant in it.
      let (later, then) = (
        try stored(seed) { $0 <= now || $0 > now + .hours(25) }, try stored(seed) { $0 <= now }
      )
      let (whole, known) = (try answers(later, now), try answers(then, now))
      guard whole.count == known.count else { continue }
      for (question, answer) in known { #expect(whole[question] == answer, "\(question) on day \(day)") }
    }
  }

  private func stored(_ seed: Int, _ isKept: (Timestamp) -> Bool) throws -> Fleet {
    var random = RandomFleet(seed: seed, isDense: seed % 2 == 0, isSteady: true)
    return try random.stored(isKept)
  }

  /// By question; of contacts that are left out for being later, nobody could know then.
  private func answers(_ fleet: Fleet, _ now: Timestamp) throws -> [String: [String]] {
    let snapshot = try Snapshot(path: fleet.path)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let later = try Regex(#""future":\d+,?"#)
    var answers: [String: [String]] = [:]
    for (index, asked) in try everyQuestion(snapshot, now: now).enumerated() {
      answers["\(index) \(String(reflecting: type(of: asked)))"] = try rows(asked, snapshot, encoder).map {
        $0.replacing(later, with: "").replacing(",}", with: "}")
      }
    }
    return answers
  }

  private func rows<Asked: Question>(
    _ question: Asked, _ snapshot: borrowing Snapshot, _ encoder: JSONEncoder
  ) throws -> [String] {
    let ledger = Ledger()
    try snapshot.count([question.counts], into: ledger)
    return try question.findings(ledger).rows.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
  }
}
