internal import Answers
internal import Console
internal import Lifecycle
internal import Store

/// A publication as it was asked for, with what it leaves to the one that is registered there.
struct AskedPublication {
  var publication: Publication
  var namesTime: Bool
  var namesRollout: Bool
  /// As `--rollout` says them, after a time that may be the registered one.
  var steps: String?
}

extension Invocation {
  /// In the place of what was read there, unless somebody changed that meanwhile.
  func register(_ publication: Publication, over known: Publication?, _ registry: Registry) throws -> Publication {
    switch try registry.publish(publication, if: .unchanged(since: known), now: instant) {
    case .done(let registered): return registered
    case .refused(let registered): throw Failure(changedMeanwhile: publication, to: registered)
    }
  }

  /// The database is written by who closes it last: else what was registered would stand beside the file until its next writer.
  ///
  /// - Parameter before: what was known before, where something was: slips are told beside it.
  func register(
    _ asked: [AskedPublication], _ registry: Registry, _ before: consuming Snapshot?
  ) throws -> [Publication] {
    var registered: [Publication] = []
    for publication in asked { registered.append(try register(publication, registry, before)) }
    return registered
  }

  private func register(
    _ asked: AskedPublication, _ registry: Registry, _ before: borrowing Snapshot?
  ) throws -> Publication {
    let known = try registry.publication(at: PublicationPlace(asked.publication))
    let publication = try keeping(known, asked)
    if let known { try noteKept(of: known, asked, publication) }
    for slip in try before?.slips(in: publication, now: instant) ?? [] { try note(slip) }
    let registered = try register(publication, over: known, registry)
    if let known, registered.goesFurther(than: known, at: instant), let stop = stopWords(of: registered) {
      try noteOnce("note: \(stop)")
    }
    return registered
  }

  private func keeping(_ known: Publication?, _ asked: AskedPublication) throws -> Publication {
    var publication = asked.publication.keeping(time: !asked.namesTime, halt: !asked.namesRollout, of: known)
    if let steps = asked.steps {
      publication.rollout = try rolloutSteps(steps, from: publication.publishedAt, now: instant)
    }
    return try checked(publication)
  }

  private func noteKept(of known: Publication, _ asked: AskedPublication, _ publication: Publication) throws {
    if !asked.namesTime { try noteOnce("note: \(known.timeKeptWords)") }
    if !asked.namesRollout, !publication.rollout.isEmpty { try note(PublicationSlip.haltKept(of: publication)) }
  }
}

extension Publication {
  /// Than what devices have been let have, by steps that were not registered.
  fileprivate func goesFurther(than known: Publication, at instant: Timestamp) -> Bool {
    steps != known.steps && steps.contains { $0.percent > known.step(at: instant)?.percent ?? 0 }
  }

  fileprivate var timeKeptWords: String {
    "\(release.rawValue) keeps the time that it is registered with on \(placeWords), \(publishedAt.words); to move it there: --at TIME"
  }
}

extension Failure {
  /// Between the reading of a publication and the writing of it.
  ///
  /// - Parameter changes: that were to be registered together.
  init(changedMeanwhile publication: Publication, to registered: Publication?, among changes: Int = 1) {
    let words = registered.map { "it is published at \($0.publishedAt.words) there now, \($0.rolloutWords)" }
    self.init(
      "changed_meanwhile",
      "somebody else changed \(publication.release.rawValue) on \(publication.placeWords) at the same moment: "
        + (changes > 1 ? "none of \(changes) changes was registered" : "nothing was registered there"),
      why: words ?? "it is not registered there any more", hints: ["where it is still right, run the command again"])
  }
}
