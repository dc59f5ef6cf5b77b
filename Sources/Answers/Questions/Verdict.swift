public import Console
internal import Lifecycle
public import Query
internal import Statistics
internal import Store

extension Option {
  public static let harmLimit = Option(
    "harm-limit", .share, fallback: "5%", key: "objective.harm-limit", group: "STATISTICS",
    help:
      "The share of devices that may crash, or be rolled back, within a day of the launch, or crash, or be rolled back, for the first time on any later day; what past releases did sets a limit for the first day beside it, and either stops"
  )
  static let objectiveShare = Option(
    "objective", .share, key: "objective.share", group: "STATISTICS",
    help: "The share of devices that should have updated --within so long; without it there is no objective")
  static let objectiveWithin = Option(
    "within", .duration, fallback: "72h", key: "objective.within", group: "STATISTICS",
    help: "The time in which a device should have updated, from when it could")

  /// What a verdict is given by: the table `[objective]` of the settings.
  public static let objective = [harmLimit, objectiveShare, objectiveWithin]
}

extension Verdict: PeriodQuestion {
  static let usage = Usage(
    "verdict", purpose: "Judge a release: go on, wait or stop, and why",
    discussion: """
      Weighs first attempts that fail, rollbacks and crashes since the launch, devices that fall silent with it, adoption \
      against the release before and against an objective, and how fresh the data are. It may be asked as often as one likes \
      without becoming wrong. Without RELEASE, the newest release of each channel, and of each platform where these got \
      releases apart; while that is halted or short of 100 %, also what the other devices get, where it is to be stopped, and \
      likewise what devices take and nobody registered there. Exit status 0 means go on, 3 stop, 4 \
      wait; with several rows 3 outweighs 4. What others get beside the newest decides nothing here, for widening the newest \
      takes devices off it; status --require no-stop counts it.
      """,
    arguments: [
      .init("RELEASE", .optional, completion: "releases", help: "Only this release, on each of its channels")
    ],
    options: Option.filters + [.only, .failureLimit] + Option.objective + Option.precision,
    examples: [
      .init("Now, on every channel", "uptake verdict"),
      .init("In a pipeline, before the next step", "uptake verdict 2.0.0 --channel production"),
      .init("With an objective", "uptake verdict 2.0.0 --objective 90% --within 72h"),
    ], seeAlso: ["status", "failures", "compare"], next: "failures", decides: true)

  static let query: [Member] = .extent(
    Member("limit", .nullable(.number), "The limit of failed first attempts asked for; null where none was given"),
    Member("harmLimit", .number, "The limit of crashes and of rollbacks"),
    Member("harmAlpha", .number, "How often crashes and rollbacks may stop a release that keeps their limits"),
    Member("objectiveShare", .nullable(.number), "The share that should have updated; null without an objective"),
    Member("objectiveWithinSeconds", .nullable(.integer), "Within so long"))

  static let fields: [Field<Verdict>] = [
    Field("release", \.release, "The release", .name(1, "RELEASE")),
    Field("channel", \.channel, "The channel", .name(2, "CHANNEL")),
    Field(
      "platforms", \.platforms,
      "The platforms that it is about, where others have another release or were halted, or --platform named some; empty for all"
    ),
    Field("decision", \.decision, "What to do", .column(3, "VERDICT")),
    Field(
      "condition", \.condition, "Why, in a word: that of the first reason",
      .column(4, "WHY", key: "why", row: \.conditionCell)),
    Field(
      "isLikelyHarmful", \.isLikelyHarmful,
      "Whether it waits for harm that is likely: the limit of the first reason is exceeded with four chances in five, or devices fell silent and no others are left to compare them with"
    ),
    Field(
      "isTooSmall", \.isTooSmall,
      "Whether fewer devices can have it, as far as is announced, than a verdict takes by the limit in force"),
    Field("state", \.state, "Where it stands"),
    Field(
      "rolloutPercent", \.rolloutPercent,
      rolloutPercentMeaning,
      .column(5, "ROLLOUT", key: "rollout", row: { .rollout($0.rolloutPercent, $0.rolloutByPlatform) })),
    Field("rolloutByPlatform", \.rolloutByPlatform, rolloutByPlatformMeaning, each: RolloutProgress.fields),
    Field("publishedAt", \.publishedAt, "When it was published"),
    Field("isInferred", \.isInferred, "Nobody registered it"),
    Field("devices", \.devices, "Eligible devices", .column(7, "DEVICES").optional),
    Field("events", \.events, "Those that updated"),
    Field(
      "observedShare", \.observedShare, "events of devices: counted, not estimated; null where there are none",
      .column(6, "ADOPTION", row: \.adoptionCell)),
    Field("observedReason", \.observedReason, observedReasonMeaning),
    Field("reasons", \.reasons, "What it rests on, weightiest first", each: reasonFields),
    Field(
      "stillRun", \.stillRun,
      "How many devices run it; null where it is neither halted nor replaced nor to be stopped, and where none ever had it",
      orNull: stillRunFields),
    Field(
      "othersStillRun", \.othersStillRun,
      "Releases that were lately halted or withdrawn on the channel, or that harm and were replaced, and how many devices run them, most first",
      each: stillRunFields),
    Field(
      "lookAgainAt", \.lookAgainAt, "When the answer may be another one; null where there is nothing to wait for",
      .column(8, "LOOK AGAIN", missing: "").optional),
    Field("wouldChange", \.wouldChange, "What would make it another answer"),
  ]

  private static let stillRunFields: [Field<StillRun>] = [
    Field("release", \.release, "The release"),
    Field("fault", \.fault, "Why devices should not run it: harmful where it does harm and nobody halted it"),
    Field("since", \.since, "When it was halted, withdrawn or replaced; null where it is harmful"),
    Field(
      "running", \.running,
      "Devices that run it at that instant, of those heard of since heardSince; null where fewer than minCell do, and where nobody was heard of"
    ),
    Field(
      "launched", \.launched, "Devices that launched it, however long ago; who has it from a store is not among them"),
    Field("at", \.at, "As of then: now, or the newest contact of any device where that is over an hour ago"),
    Field(
      "heardSince", \.heardSince, "Devices that were not heard of since then are not counted: 28 days before now"
    ),
    Field("sentence", \.sentence, "The same for people"),
  ]

  private static let reasonFields: [Field<Reason>] = [
    Field("subject", \.subject, "What was looked at"),
    Field("condition", \.condition, "What is the matter, in a word"),
    Field("decision", \.decision, "What it speaks for"),
    Field("value", \.value, "The share; for speed the difference of shares; null where there is none"),
    Field("events", \.events, "Devices to which it happened"),
    Field("devices", \.devices, "Among so many"),
    Field("limit", \.limit, "What it is held against"),
    Field("limitFrom", \.limitFrom, "Who sets the limit: standard is the one that holds where nothing is said"),
    Field(
      "before", \.before, "The release before at the same age, or at the same exposure",
      orNull: [Field("release", \.release, "Which"), Field("value", \.value, "Its share")]),
    Field(
      "reachedAt", \.reachedAt,
      "The first look that said stop, which no later one takes back; null where none did"),
    Field(
      "platform", \.platform,
      "The platform that it is about, where all together do not show it; empty for devices that name none, null for all"
    ),
    Field(
      "mostlyOn", \.mostlyOn,
      "The platform where it happens more often than on all others together, for certain; empty for devices that name none, null where none stands out"
    ),
    Field("sentence", \.sentence, "The same for people"),
  ]

  static func options(_ asked: Parameters) throws -> Options { try asked.judging() }

  static func notes(_ reply: Reply<Verdict>) -> [String] {
    reply.rows.flatMap { row in
      let name = "\(row.release) on \(row.place)"
      let stillRun = [row.stillRun].compactMap(\.self) + row.othersStillRun
      return row.reasons.enumerated().map { "\(name): \(row.lead($0, $1)): \($1.sentence)" }
        + stillRun.map { "\(name): \($0.sentence)" } + ["\(name): would change it: \(row.wouldChange)"]
    }
  }

  static func next(_ reply: Reply<Verdict>) -> ShellCommand? {
    reply.rows.min { $0.urgency > $1.urgency }.map { row in
      // Suspects are found among first attempts: of what goes wrong later these say nothing.
      guard row.isHarmful, !row.reasons[0].subject.isLate, row.reasons[0].subject != .silence else {
        let isHeldUp =
          row.condition == .slow || row.condition == .undone || row.isHarmful || row.isGivenToNobody
          || row.reasons[0].subject == .silence
        return ShellCommand("uptake", isHeldUp ? "diagnose" : "failures").argument(row.release)
      }
      let suspects = ShellCommand("uptake", "suspects").argument(row.release)
      // Devices of all channels tell more, where it harms on each.
      if reply.rows.allSatisfy({ $0.isHarmful && $0.release == row.release && $0.platforms.isEmpty }) {
        return suspects
      }
      let onChannel = suspects.option("channel", row.channel)
      return row.platforms.isEmpty ? onChannel : onChannel.option("platform", row.platforms.joined(separator: ","))
    }
  }

  /// What is within its limits is no advice to go on where something else is not.
  private func lead(_ place: Int, _ reason: Reason) -> String {
    if place == 0, isLikelyHarmful { return "\(conditionWords), \(reason.decision.words)" }
    return reason.decision == .goOn && decision != .goOn ? "besides" : reason.decision.words
  }

  /// The channel, and the platforms where these are not all.
  var place: String { channel + Self.apart(platforms) }

  var conditionCell: Cell { .term(condition.rawValue, words: conditionWords) }

  var adoptionCell: Cell {
    .adoption(observedShare, isOfOffered: observedReason == .clockFromOffer)
  }

  private var urgency: Int { Decision.allCases.firstIndex(of: decision) ?? 0 }

  /// The release beside the newest decides nothing: a newer one that is widened takes devices off it. What nobody registered does.
  static func exit(_ reply: Reply<Verdict>) -> ExitCode {
    let asked = reply.asked.arguments.isEmpty ? reply.rows.filter { $0.state != .superseded } : reply.rows
    return Verdict.decision(asked).exit
  }
}

extension Verdict.Decision? {
  /// As a pipeline is told; where nothing can be said it waits.
  public var exit: ExitCode {
    switch self {
    case .goOn: .done
    case .stop: .gateNotMet
    case .wait, nil: .notEnoughData
    }
  }
}

extension Parameters {
  /// What releases are judged by, of the options that the call lists.
  public func judging() throws -> Verdict.Options {
    var options = Verdict.Options()
    if lists(.failureLimit) { options.limit = try limit(.failureLimit) }
    if lists(.harmLimit), let limit = try limit(.harmLimit) { options.harmLimit = limit }
    guard lists(.objectiveShare) else { return options }
    options.objective = try limit(.objectiveShare).map {
      Verdict.Objective(share: $0, within: milliseconds(.objectiveWithin) ?? .hours(72))
    }
    return options
  }
}
