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
  /// People read it, and not a program.
  var isChat: Bool

  init(_ order: ExportOrder, database: String) {
    (self.database, choice, kinds) = (database, order.choice, order.kinds)
    identity = order.destination.identity(order.target)
    oldest = min(order.choice.horizon, order.target.manners.oldest.map { .seconds($0) } ?? order.choice.horizon)
    isChat = order.target.isWebhook
  }

  func done(_ clock: @Sendable () -> Instant) throws -> [RolloutFact] {
    // Where there is no database none is made.
    let registry = try Registry(existing: database)
    let now = Timestamp(clock)
    return try facts(
      choice.rollouts(path: database, now: now), choice.findings(kinds, path: database, now: now), registry)
      + withdrawn(Snapshot(path: database).vocabulary, registry, now: now)
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
        try rollout.facts(kinds, since: rollout.now - oldest, told: told(of: rollout, registry), isChat: isChat)
      })
  }

  private func told(of rollout: Rollout, _ registry: Registry) throws -> RolloutTold {
    let (app, release, channel) = (rollout.app, rollout.release, rollout.channel)
    func time(_ kind: RolloutFact.Kind) throws -> Timestamp? {
      try registry.timeTold(identity, app: app, release: release, channel: channel, kind: kind.rawValue)
    }
    var told = RolloutTold()
    (told.publishedAt, told.supersededAt) = (try time(.published), try time(.superseded))
    guard let last = try registry.verdictsTold(identity, app: app, release: release, channel: channel) else {
      return told
    }
    (told.verdict, told.verdicts) = (last.word, last.count)
    if let fact = RolloutFact(json: last.fact) {
      told.story = fact.story
      told.isWithdrawn = try !registry.told(identity, among: [fact.withdrawnID]).isEmpty
    }
    return told
  }

  /// Of what a chat was told lately as published: what is registered there no more.
  func withdrawn(_ vocabulary: Vocabulary, _ registry: Registry, now: Timestamp) throws -> [RolloutFact] {
    guard isChat, kinds.contains(.halted) else { return [] }
    return try registry.lastVerdictsTold(identity).compactMap(RolloutFact.init(json:)).filter { fact in
      fact.isOfPublication && fact.at >= now - oldest && choice.covers(fact)
        && !vocabulary.releases.contains { record in
          record.app == fact.app && record.label.rawValue == fact.release
            && record.publications.contains { $0.channel == fact.channel }
        }
    }.map { $0.withdrawn(at: now) }
  }
}
