internal import Answers
internal import Console
internal import Lifecycle
internal import Query
internal import Store

private extension Option {
  static let at = Option("at", .instant, help: "When it was halted; now where not given")
}

extension Command {
  static let releaseHalt = Command(
    "halt", purpose: "Register that no other device gets a release any more",
    discussion: """
      Its rollout goes to 0% as a last step; when it was published stays, and so do the steps that it took. From then on nobody \
      counts as waiting for it, and it sets no limit for the releases after it. What is published for one platform alone is \
      halted with it; --platform halts that one alone, also where the release came to all. Halt it where you publish, too: \
      this registers it, and does nothing to devices.
      """,
    arguments: [.init("RELEASE", completion: "releases", help: "The release, as it was registered")],
    options: [.database, .app, .onChannels, .onPlatform, .at, .now] + Option.answer,
    examples: [.init("Now", "uptake release halt 2.0.0 --app com.example.demo")],
    exits: [.databaseUnusable], seeAlso: ["release widen", "release publish", "verdict"]
  ) { invocation in
    let instant = Timestamp(rawValue: (invocation.instant(.at) ?? invocation.now).rawValue)
    let (known, halted, vocabulary) = try invocation.halt(at: instant)
    let changes = zip(known, halted).flatMap(invocation.changeNotes)
    let opening = zip(known, halted).map { invocation.opening($1, as: $0.publication) }
    try invocation.show(
      publicationsPresentation(
        halted, notes: changes + invocation.openElsewhere(halted, vocabulary, at: instant) + opening))
    return .done
  }
}

extension Invocation {
  /// Reads anew where somebody else changed it at the same moment: a halt goes before whatever that was.
  fileprivate func halt(
    at instant: Timestamp, tries: Int = 20
  ) throws -> (known: [KnownPublication], halted: [Publication], Vocabulary) {
    let vocabulary = try snapshot().vocabulary
    let known = try registered(vocabulary, withApart: true).halting(at: instant)
    let halted = try known.map { try self.halted($0.publication, at: instant) }
    guard tries > 1 else {
      try register(halted, over: known)
      return (known, halted, vocabulary)
    }
    let clash = try clash(registering: halted, over: known)
    return clash == nil ? (known, halted, vocabulary) : try halt(at: instant, tries: tries - 1)
  }

  fileprivate func halted(_ known: Publication, at instant: Timestamp) throws(Failure) -> Publication {
    guard instant > known.publishedAt else {
      throw Failure(
        "not_published_yet",
        "\(known.release.rawValue) comes to \(known.channel) only at \(known.publishedAt.words)",
        hints: ["take it back: \(pasted(known.command(to: "withdraw")))", "or name a later time with --at"],
        exit: .usage)
    }
    return known.halted(at: instant)
  }

  /// To those that had it before the halt; where nobody had it yet, to those that were to be the first.
  fileprivate func opening(_ halted: Publication, as known: Publication) -> String {
    let percent = (halted.rollout.last { $0.percent > 0 } ?? known.rollout.first { $0.percent > 0 })?.percent ?? 100
    return "to open it again at \(percentWords(percent))%: \(pasted(halted.widening(to: percent)))"
  }

  /// Where devices still get the release: who halts one channel may mean all.
  fileprivate func openElsewhere(_ halted: [Publication], _ vocabulary: Vocabulary, at instant: Timestamp) -> [String] {
    guard let first = halted.first, let record = vocabulary.record(of: first) else { return [] }
    let timeline = Timeline(vocabulary, app: first.app)
    return open(record, besides: halted, at: instant).filter { other in
      let next = timeline.supersededAt(record.id, channel: other.channel, platform: other.platform)
      return next.map { $0 > instant } ?? true
    }.map { other in
      guard other.publishedAt < max(instant, Timestamp(rawValue: self.instant.rawValue)) else {
        return "\(other.release.rawValue) comes to \(other.placeWords) at \(other.publishedAt.words) all the same:"
          + " \(pasted(other.command(to: "withdraw")))"
      }
      let percent = other.step(at: instant).map { " at \(percentWords($0.percent))%" } ?? ""
      let isOdd = record.hasParts(of: other.channel) && record.publications.contains { $0.isSamePlace(as: other) }
      return
        "\(other.release.rawValue) stays open on \(other.placeWords)\(percent): \(pasted(other.command(to: isOdd ? "withdraw" : "halt")))"
    }
  }

  /// Of the platform that was named, as far as it gets them.
  private func open(
    _ record: ReleaseRecord, besides halted: [Publication], at instant: Timestamp
  ) -> [Publication] {
    let open = record.publications.filter { other in
      other.isOpen(from: instant) && !halted.contains { $0.isSamePlace(as: other) }
    }
    guard let platform = text(.onPlatform) else { return open }
    return open.compactMap { other in
      var own = other
      own.platform = platform
      let isHalted = halted.contains { $0.channel == other.channel }
      let hasOwn = record.publications.contains { $0.isSamePlace(as: own) }
      return other.platform == platform ? other : other.platform == nil && !isHalted && !hasOwn ? own : nil
    }
  }
}

extension [KnownPublication] {
  /// Those that a halt is about: of each channel what was published by then, and of that what is open. One that comes later, or was
  /// halted before, is no reason to leave the others open.
  fileprivate func halting(at instant: Timestamp) -> [KnownPublication] {
    preferring { $0.publishedAt < instant }.preferring { $0.isOpen(from: instant) }
  }

  /// Of each channel those of which it holds; all where it holds of none.
  private func preferring(_ holds: (Publication) -> Bool) -> [KnownPublication] {
    let channels = Set(map(\.publication).filter(holds).map(\.channel))
    return filter { holds($0.publication) || !channels.contains($0.publication.channel) }
  }
}

extension Publication {
  /// Some devices may have it then, or from a later step on.
  fileprivate func isOpen(from instant: Timestamp) -> Bool {
    (step(at: instant)?.percent ?? 0) > 0 || steps.contains { $0.at > instant && $0.percent > 0 }
  }
}
