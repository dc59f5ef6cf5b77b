internal import Answers
internal import Console
internal import Lifecycle
internal import Query
internal import Store

private extension Option {
  static let at = Option("at", .instant, help: "When it was widened; now where not given")
}

extension Command {
  static let releaseWiden = Command(
    "widen", purpose: "Register that more devices get a release from now on",
    discussion: """
      Its rollout gets one more step; when it was published stays, and so do the steps that it took: devices count from the \
      step that let them have it. Planned steps stay where they go further. A release that was halted opens again. Widen it \
      where you publish, too: this registers it, and does nothing to devices. Where its verdict is stop, that is said, and \
      no further step is proposed.
      """,
    arguments: [
      .init("RELEASE", completion: "releases", help: "The release, as it was registered"),
      .init("PERCENT", help: "The share of devices that may have it from then on, such as 50"),
    ],
    options: [.database, .app, .onChannels, .onPlatform, .at, .harmLimit, .now] + Option.answer,
    examples: [.init("To half of the devices, now", "uptake release widen 2.0.0 50 --app com.example.demo")],
    exits: [.databaseUnusable], seeAlso: ["release halt", "release publish", "verdict"]
  ) { invocation in
    let vocabulary = try invocation.snapshot().vocabulary
    let percent = try invocation.percent()
    let instant = Timestamp(rawValue: (invocation.instant(.at) ?? invocation.now).rawValue)
    let known = try invocation.registered(vocabulary)
    let widened = try known.map { try invocation.widened($0.publication, to: percent, at: instant) }
    try invocation.register(widened, over: known)
    let changes = zip(known, widened).flatMap(invocation.changeNotes)
    let stops = widened.map(invocation.stopWords)
    let isStopped = stops.contains { $0 != nil }
    let left = widened.flatMap { invocation.leftBehind($0, vocabulary, at: instant, isStopped: isStopped) }
    let reopened = known.flatMap { invocation.reopened($0.publication, at: instant) }
    let commands = zip(known, widened).flatMap { invocation.commands($0, $1, isStopped: isStopped) }
    let notes = changes + left + reopened + stops.compactMap(\.self) + commands
    try invocation.show(publicationsPresentation(widened, notes: notes))
    return .done
  }
}

extension Invocation {
  /// `50`, or `50%`.
  fileprivate func percent() throws(Failure) -> Double {
    let text = arguments[1]
    guard let percent = Double(text.hasSuffix("%") ? text.dropLast() : text[...]), (0...100).contains(percent) else {
      throw Failure(
        "bad_value", "\(quoted(text)) is no share of devices", place: "PERCENT",
        hints: ["give a number up to 100, such as 50"], exit: .usage)
    }
    return percent
  }

  fileprivate func widened(
    _ known: Publication, to percent: Double, at instant: Timestamp
  ) throws(Failure) -> Publication {
    guard instant >= known.publishedAt else {
      throw Failure(
        "not_published_yet",
        "\(known.release.rawValue) comes to \(known.channel) only at \(known.publishedAt.words)",
        hints: ["publish it again with other steps: \(pasted(known.command))", "or name a later time with --at"],
        exit: .usage)
    }
    guard percent > known.step(at: instant)?.percent ?? 0 else { throw noWidening(known, percent, at: instant) }
    var copy = known
    copy.rollout =
      known.steps.filter { $0.at < instant } + [RolloutStep(at: instant, percent: percent)]
      + known.steps.filter { $0.at > instant && $0.percent > percent }
    return copy
  }

  private func noWidening(_ known: Publication, _ percent: Double, at instant: Timestamp) -> Failure {
    let (step, name) = (known.step(at: instant), known.release.rawValue)
    let reached = step?.percent ?? 0
    let since = step.map { " since \($0.at.words)" } ?? ""
    let more = "to let more devices have it: \(pasted(known.widening(to: known.nextPercent(after: max(reached, 5)))))"
    return Failure(
      "no_widening",
      "\(name) is at \(percentWords(reached))% on \(known.placeWords)\(since): \(percentWords(percent))% is no widening",
      hints: (reached < 100 ? [more] : [])
        + (reached > 0 ? ["to let no other device have it: \(pasted(known.command(to: "halt")))"] : [])
        + ["to correct steps that are registered wrongly, register others in their place: \(pasted(known.command))"],
      exit: .usage)
  }

  /// Platforms on the same channel that have a publication of their own, and do not go along.
  fileprivate func leftBehind(
    _ widened: Publication, _ vocabulary: Vocabulary, at instant: Timestamp, isStopped: Bool
  ) -> [String] {
    guard widened.platform == nil, let percent = widened.step(at: instant)?.percent else { return [] }
    let others = vocabulary.record(of: widened)?.publications.filter { other in
      other.channel == widened.channel && other.platform != nil && other.step(at: instant)?.percent ?? 0 < percent
    }
    return (others ?? []).map { other in
      "\(other.placeWords) has a publication of its own, and stays at \(percentWords(other.step(at: instant)?.percent ?? 0))%"
        + (isStopped ? "" : ": \(pasted(other.widening(to: percent)))")
    }
  }

  /// Verdicts look at all devices of a label, whichever build they got.
  fileprivate func reopened(_ known: Publication, at instant: Timestamp) -> [String] {
    let before = known.steps.filter { $0.at < instant }
    guard before.last?.percent == 0, before.contains(where: { $0.percent > 0 }) else { return [] }
    return [
      "\(known.release.rawValue) opens again: what devices did with it before counts on, so a mended build needs a label of its own"
    ]
  }

  /// What goes on, where no step is planned that does and nothing speaks against it, and what takes it back.
  fileprivate func commands(_ known: KnownPublication, _ widened: Publication, isStopped: Bool) -> [String] {
    let percent = widened.rollout.last?.percent ?? 100
    let isPlanned = known.publication.steps.contains { $0.percent == percent }
    let further = pasted(widened.widening(to: widened.nextPercent(after: percent)))
    return (percent < 100 && !isPlanned && !isStopped ? ["to go on, when it is time: \(further)"] : [])
      + (known.isApart ? [] : ["to take it back: \(pasted(known.publication.command))"])
  }
}

extension Publication {
  /// The next share that is planned, else twice the one before.
  fileprivate func nextPercent(after percent: Double) -> Double {
    steps.first { $0.percent > percent }?.percent ?? min(100, percent * 2)
  }
}
