import Foundation
import Lifecycle
import Testing

@testable import Simulate

struct TruthTests {
  /// Recomputes one page from nothing but the events, by the words of its definition.
  private func updates(
    of release: String, from published: Timestamp, until superseded: Timestamp, percent: (Int, Timestamp) -> Timestamp,
    _ platform: String, _ recording: Recording
  ) -> (eligible: Int, updated: [String: Int]) {
    var (eligible, updated) = (0, [String: Int]())
    for lines in recording.byDevice.values where lines[0].platform == platform {
      guard let contact = lines.first(where: { $0.stage == "check" }) else { continue }
      let bucket = lines.lazy.compactMap { $0.fields["bucket"] as? Int }.first ?? 0
      let start = max(contact.at.seconds, percent(bucket, published).seconds)
      guard start < superseded.seconds else { continue }
      eligible += 1
      guard let applied = lines.first(where: { $0.stage == "applied" && $0.release == release }),
        applied.at.seconds >= start, applied.at.seconds < superseded.seconds
      else { continue }
      let ready = lines.first { $0.stage == "ready" && $0.release == release }
      updated[ready?.trigger ?? "unknown", default: 0] += 1
    }
    return (eligible, updated)
  }

  @Test func agreesWithTheEventsWhenNothingIsLost() throws {
    var scenario = try Scenario.small("critical-fix-with-push", devices: 300)
    scenario.makePerfect()
    scenario.habits.churn = 0
    let recording = try Recording(scenario)
    for platform in Platform.allCases { try expectAgreement(recording, scenario, platform) }
  }

  private func expectAgreement(_ recording: Recording, _ scenario: Scenario, _ platform: Platform) throws {
    let truth = try #require(recording.truth)
    let page = try #require(
      truth.ledger.pages.first { truth.world.offers[$0.offer].release == 1 && $0.cell == Int(platform.rawValue) })
    let published = scenario.start + .days(2) + .hours(9)
    // Clocks in this fleet are off by less than a second or three; nobody updates at such an instant.
    let expected = updates(
      of: "2.1.0", from: published, until: scenario.start + .days(7) + .hours(2),
      percent: { $0 < 20 ? $1 : $1 + .hours(24) }, platform.name, recording)
    #expect(abs(page.exactly.eligible - expected.eligible) <= 1)
    let found = page.exactly.updated.map { (Trigger(code: $0)?.rawValue ?? "", $1.values.reduce(0, +)) }
    #expect(Dictionary(uniqueKeysWithValues: found) == expected.updated)
    #expect(page.exactly.updated.values.flatMap(\.values).reduce(0, +) > 50)
  }

  /// Whoever is eligible has updated or left; the shares of the mechanisms add up; age never takes an update back.
  @Test(arguments: BuiltInScenario.ordinary.map(\.name)) func pagesAddUp(name: String) throws {
    let truth = try #require(try Recording(try Scenario.small(name, devices: 100), reading: false).truth)
    for page in truth.ledger.pages {
      for times in [page.exactly, page.heardOf, page.orNewer] {
        let updated = times.updated.values.flatMap(\.values).reduce(0, +)
        #expect(updated + times.left.values.flatMap(\.values).reduce(0, +) == times.eligible)
        for reading in times.readings {
          #expect(reading.updatedAlive <= reading.updated && reading.updated <= reading.mature)
          #expect(reading.byMechanism.values.reduce(0, +) == reading.updated)
          #expect(reading.mature <= times.eligible && reading.alive <= reading.mature)
        }
        let limit = ProductLimit(times)
        #expect(zip(limit.steps, limit.steps.dropFirst()).allSatisfy { $0.share <= $1.share })
        for step in limit.steps { #expect(abs(step.byMechanism.values.reduce(0, +) - step.share) < 1e-9) }
      }
      #expect(page.attempts.failed <= page.attempts.started && page.attempts.rolledBack <= page.attempts.applied)
    }
  }

  /// Every push that was sent has exactly one fate.
  @Test func pushesAddUp() throws {
    var scenario = try Scenario.small("push-throttling", devices: 300)
    scenario.makePerfect()
    let recording = try Recording(scenario)
    let truth = try #require(recording.truth)
    let fates = truth.ledger.pushes.reduce(0) { $0 + $1.fates.reduce(0, +) }
    #expect(fates == recording.lines.count { $0.stage == "pushSent" })
    let coalesced = truth.ledger.pushes.reduce(0) { $0 + $1.fates[Int(PushFate.coalesced.rawValue)] }
    #expect(coalesced > 50)
    for push in truth.ledger.pushes {
      let arrived = [PushFate.background, .piggyback, .atLaunch, .inUse].reduce(0) { $0 + push.fates[Int($1.rawValue)] }
      #expect(push.lost <= push.answerable && push.answerable - push.lost <= arrived)
    }
  }

  /// Who leaves without a word stays among those heard of, and takes nobody's update away.
  @Test func heardOfAreTheLivingAndThoseWhoLeft() throws {
    var scenario = try Scenario.small("quiet-week", devices: 150)
    scenario.habits.churn = 0.6
    let truth = try #require(try Recording(scenario, reading: false).truth)
    let (living, heardOf) = (
      truth.times(of: "2.1.0", on: "production", .living), truth.times(of: "2.1.0", on: "production", .heardOf)
    )
    #expect(living.devices < heardOf.devices)
    #expect(living.share(byHours: 168).all > heardOf.share(byHours: 168).all)
    for page in truth.ledger.pages { #expect(page.exactly.updated == page.heardOf.updated) }
  }

  @Test func theDocumentIsJSONAndDefinesItsWords() throws {
    let truth = try #require(try Recording(try Scenario.small("demo", devices: 50), reading: false).truth)
    let json = try JSONSerialization.jsonObject(with: Data(truth.json.utf8)) as? [String: Any]
    #expect(json?["schema"] as? String == "uptake.simulated-truth/1")
    let publications = try #require(json?["publications"] as? [[String: Any]])
    #expect(publications.count == 6 * 2 * 2)
    let definitions = try #require(json?["definitions"] as? [String: String])
    for word in ["eligible", "speed", "patched", "mature", "alive", "ofMature", "ofAlive", "productLimit"] {
      #expect(definitions[word] != nil)
    }
  }

  /// A hand-made table: ten devices, two updates in minute 1, one leaves, then one of seven updates.
  @Test func productLimitByHand() {
    var limit = ProductLimit(eligible: 10, updated: [1: [1: 1], 3: [1: 1, 5: 1]], left: [2: 1, 9: 6])
    #expect(limit.quantile(0.2) == 1)
    #expect(limit.quantile(0.5) == nil)
    let (last, expected) = (limit.steps.last?.share ?? 0, 1 - 0.8 * 6.0 / 7.0)
    #expect(abs(last - expected) < 1e-12)
    limit = ProductLimit(eligible: 0, updated: [:], left: [:])
    #expect(limit.steps.isEmpty)
  }
}
