import Lifecycle

/// What really happened in a simulated fleet, with every share under its definition.
public struct Truth: Sendable {
  let world: World
  let ledger: Ledger
  public let events: Int
  public let requests: Int

  /// The document that `--truth` writes: one line per publication and campaign, ended by a newline.
  public var json: String {
    let scenario = world.scenario
    let head: [(String, JSON)] = [
      ("schema", "uptake.simulated-truth/1"), ("scenario", .string(scenario.name)),
      ("seed", .string(String(world.seed))), ("app", .string(scenario.app)),
      ("start", .string(world.start.rfc3339)), ("until", .string(world.until.rfc3339)),
      ("devices", .integer(ledger.devices)), ("emulatorsLeftOut", .integer(ledger.emulators)),
      ("events", .integer(events)), ("requests", .integer(requests)),
      ("definitions", .object(definitions.map { ($0, .string($1)) })),
    ]
    let lines = head.map { "\(quoted($0)):\($1.compact)" }
    let publications = ledger.pages.map { pageJSON($0).compact }.joined(separator: ",\n")
    let pushes = ledger.pushes.indices.map { pushJSON($0).compact }.joined(separator: ",\n")
    return "{\n" + lines.joined(separator: ",\n")
      + ",\n\"publications\":[\n\(publications)\n],\n\"pushes\":[\n\(pushes)\n]\n}\n"
  }
}

private let definitions = [
  (
    "eligible",
    "real devices (no emulators) on the channel and platform that did not run this release or a newer one at the latest of: "
      + "publication, first contact in the channel, the rollout step that reaches their bucket. That instant starts the clock."
  ),
  ("speed", "first apply of exactly this release, before the next publication in the cell"),
  ("patched", "first apply of this release or a newer one, before the device leaves the channel"),
  (
    "mature",
    "eligible devices whose clock started at least that many hours before the cutoff (speed: and before the next publication)"
  ),
  ("alive", "mature devices that were neither uninstalled, abandoned nor moved to another channel by that age"),
  ("ofMature", "updated / mature"),
  ("ofAlive", "updatedAlive / alive"),
  (
    "productLimit",
    "share updated when devices that left are taken out at their true time of leaving; byMechanism adds up to it"
  ),
  ("mechanism", "the trigger of the run that first laid the release ready"),
  ("minutes", "pairs [whole minutes since the clock started, devices]"),
  (
    "heardOf",
    "as speed, but devices that were uninstalled or abandoned stay at risk until the cutoff or the next publication, and "
      + "those gone before the publication count too: what can be known by who does not see them leave"
  ),
  (
    "reachableAtPublication",
    "devices that had been in contact before the publication and still had the app, not yet on this release or newer; updated: this or newer"
  ),
  (
    "firstAttempts",
    "devices whose first download began an hour or more before the cutoff; failed: any failure within that hour, a rollback "
      + "or crash within 24 hours of applying"
  ),
  ("applies", "devices that applied 24 hours or more before the cutoff; rolledBack: within 24 hours"),
  (
    "answerable",
    "pushes at least 24 hours old that arrived, or that no newer push to the device replaced within 24 hours and after "
      + "which the device was active again; lost: those that did not arrive (the first 64 campaigns)"
  ),
  (
    "pushes",
    "every push that the push server sent, by what became of it; latencyMinutes: pairs [whole minutes, deliveries]"
  ),
]

extension Truth {
  fileprivate func pageJSON(_ page: Ledger.Page) -> JSON {
    let offer = world.offers[page.offer]
    return .object([
      ("release", .string(world.releases[offer.release].label)),
      ("channel", .string(world.scenario.channels[page.cell / 2].name)),
      ("platform", .string(page.cell % 2 == 0 ? Platform.ios.name : Platform.android.name)),
      ("publishedAt", .string(offer.publishedAt.rfc3339)),
      ("supersededAt", page.superseded == .never ? nil : .string(page.superseded.rfc3339)),
      ("bornOn", .integer(page.bornOn)),
      ("reachableAtPublication", cohortJSON(page.atPublication)),
      ("firstAttempts", attemptsJSON(page.attempts)),
      (
        "applies",
        .object([("devices", .integer(page.attempts.applied)), ("rolledBack", .integer(page.attempts.rolledBack))])
      ),
      ("speed", timesJSON(page.exactly)),
      ("heardOf", timesJSON(page.heardOf)),
      ("patched", timesJSON(page.orNewer)),
    ])
  }

  private func cohortJSON(_ cohort: Cohort) -> JSON {
    let updated = zip(horizons, cohort.updated).map { hours, count in
      JSON.object([("hours", .integer(Int(hours))), ("updated", count.map { .integer($0) } ?? nil)])
    }
    return .object([("devices", .integer(cohort.devices)), ("at", .array(updated))])
  }

  private func attemptsJSON(_ attempts: Attempts) -> JSON {
    let reasons = attempts.failures.sorted { $0.key < $1.key }.map { ($0.key, JSON.integer($0.value)) }
    return .object([
      ("devices", .integer(attempts.started)), ("failed", .integer(attempts.failed)),
      ("rate", share(attempts.failed, of: attempts.started)), ("byReason", .object(reasons)),
    ])
  }

  private func timesJSON(_ times: TimesToUpdate) -> JSON {
    let limit = ProductLimit(times)
    let quantiles = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95].map { p in
      JSON.object([("p", .number(p)), ("seconds", limit.quantile(p).map { .integer(Int($0) * 60) } ?? nil)])
    }
    return .object([
      ("eligible", .integer(times.eligible)),
      ("at", .array(zip(horizons, times.readings).map { readingJSON($0, $1, limit.at(hours: $0)) })),
      ("quantiles", .array(quantiles)),
      ("updated", .object(byMechanism(times.updated) { minutes($0) })),
      (
        "notUpdated",
        .object(Leaving.allCases.compactMap { why in times.left[why].map { (why.rawValue, minutes($0)) } })
      ),
    ])
  }

  private func readingJSON(
    _ hours: Int32, _ reading: TimesToUpdate.Reading, _ limit: (share: Double, byMechanism: [UInt8: Double])
  ) -> JSON {
    .object([
      ("hours", .integer(Int(hours))), ("mature", .integer(reading.mature)), ("alive", .integer(reading.alive)),
      ("updated", .integer(reading.updated)), ("updatedAlive", .integer(reading.updatedAlive)),
      ("ofMature", share(reading.updated, of: reading.mature)),
      ("ofAlive", share(reading.updatedAlive, of: reading.alive)),
      ("byMechanism", .object(byMechanism(reading.byMechanism) { .integer($0) })),
      ("productLimit", reading.mature == 0 ? nil : .number(limit.share)),
      ("productLimitByMechanism", .object(byMechanism(limit.byMechanism) { .number($0) })),
    ])
  }

  fileprivate func pushJSON(_ index: Int) -> JSON {
    let (campaign, counts) = (world.campaigns[index / 2], ledger.pushes[index])
    return .object([
      ("push", .string(campaign.name)), ("release", .string(world.releases[campaign.release].label)),
      ("channel", .string(world.scenario.channels[Int(campaign.channel)].name)),
      ("platform", .string(index % 2 == 0 ? Platform.ios.name : Platform.android.name)),
      ("sentFrom", .string(campaign.at.rfc3339)), ("sent", .integer(counts.fates.reduce(0, +))),
      ("fates", .object(PushFate.allCases.map { ($0.name, .integer(counts.fates[Int($0.rawValue)])) })),
      ("answerable", .integer(counts.answerable)), ("lost", .integer(counts.lost)),
      ("latencyMinutes", minutes(counts.latency)),
    ])
  }

  private func byMechanism<Value>(_ values: [UInt8: Value], _ json: (Value) -> JSON) -> [(String, JSON)] {
    Trigger.allCases.compactMap { trigger in values[trigger.code].map { (trigger.rawValue, json($0)) } }
  }

  private func minutes(_ counts: [Int32: Int]) -> JSON {
    .array(counts.sorted { $0.key < $1.key }.map { .array([.integer(Int($0.key)), .integer($0.value)]) })
  }

  private func share(_ part: Int, of whole: Int) -> JSON { whole == 0 ? nil : .number(Double(part) / Double(whole)) }
}
