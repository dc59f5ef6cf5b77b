internal import Console
internal import Lifecycle
internal import Report
internal import Store

/// Looks for what a receiver was not told of yet, nor is waiting to be.
struct NewsChore: Chore {
  static let name = "news"
  var database: String
  var choice: RolloutChoice
  var kinds: Set<RolloutFact.Kind>
  /// The name that the receiver is remembered by.
  var identity: String
  /// What happened longer ago is of no use there.
  var oldest: Milliseconds

  init(_ order: ExportOrder, database: String) {
    (self.database, choice, kinds) = (database, order.choice, order.kinds)
    identity = order.destination.identity(order.target)
    oldest = min(order.choice.horizon, order.target.manners.oldest.map { .seconds($0) } ?? order.choice.horizon)
  }

  func done(_ clock: @Sendable () -> Instant) throws -> [RolloutFact] {
    // Where there is no database none is made.
    let registry = try Registry(existing: database)
    let now = Timestamp(clock)
    return try facts(
      choice.rollouts(path: database, now: now), choice.findings(kinds, path: database, now: now), registry)
  }

  func facts(_ rollouts: [Rollout], _ findings: [FleetFindings], _ registry: Registry) throws -> [RolloutFact] {
    let found = try findings.flatMap { findings in
      let told = try registry.findingsTold(identity, app: findings.app).compactMap { text in
        RolloutFact(json: text).flatMap { fact in fact.finding.map { (finding: $0, at: fact.at) } }
      }
      return findings.facts(told: told)
    }
    return found
      + (try rollouts.flatMap { rollout in
        let (app, release, channel) = (rollout.app, rollout.release, rollout.channel)
        let told = try registry.verdictsTold(identity, app: app, release: release, channel: channel)
        let published = try registry.publicationTold(identity, app: app, release: release, channel: channel)
        return rollout.facts(
          kinds, since: rollout.now - oldest, told: told.map { .init(word: $0.word, times: $0.count) },
          publicationTold: published)
      })
  }
}
