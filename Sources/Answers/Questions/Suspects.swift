internal import Console
internal import Lifecycle
internal import Query
internal import Statistics
internal import Store

extension Suspects: ReleaseQuestion {
  static let usage = Usage(
    "suspects", purpose: "Find the devices that a release fails on: by model, system, app version, region and more",
    discussion: """
      Compares the first attempts of devices with each value of everything that devices differ in with those of all others: \
      channel, platform, mechanism, versions, network, region, model, tags, arm of an experiment, as devices had said it when the \
      attempt began. Attempts count from their start on, however young, as they do where a verdict says stop. Shown is what fails more often for certain, most certain first, and what each of these \
      still fails without the devices of the first row: a platform may fail because of one of its models alone. Certain is by \
      Fisher's exact test, and Holm's method over all that was compared, at one look. What only came at hours when others failed \
      as often, as in an outage, is not named.
      """,
    arguments: [.release], options: Option.filters + [.only] + Option.precision,
    examples: [
      .init("Where it fails", "uptake suspects 2.0.0"),
      .init("On one platform", "uptake suspects 2.0.0 --platform android"),
    ], seeAlso: ["verdict", "failures"], next: "failures")

  static let query: [Member] = .selection()

  static let fields: [Field<Suspects>] = [
    Field("by", \.by, "What devices differ in, as --by names it, or arm", .name(1, "BY")),
    Field("value", \.value, "Its value; unknown where devices had not said", .name(2, "VALUE")),
    Field("watched", \.watched, "First attempts of devices with it, however young", .column(3, "ATTEMPTS")),
    Field("watchedFailures", \.watchedFailures, "Those of them that failed so far", .column(4, "FAILED")),
    Field("rate", \.rate, "Their share", .column(5, "RATE")),
    Field("others", \.others, "All other devices", of: attemptFields(.column(6, "OTHERS", key: "othersRate"))),
    Field("difference", \.difference, "These less the others", .column(7, "DIFFERENCE", cell: \.pointsCell).optional),
    Field("adjusted", \.adjusted, "How likely such a difference is by chance, over all that was compared"),
    Field("compared", \.compared, "Values that were compared: those with five first attempts or more"),
    Field(
      "withoutFirst", \.withoutFirst,
      "Those of them that are not of the first row; null for that one, and where they are fewer than --min-cell",
      orNull: attemptFields(.column(8, "WITHOUT FIRST", key: "withoutFirstRate").optional),
      missing: "the first row, or fewer devices than --min-cell"),
    Field(
      "isExplainedByFirst", \.isExplainedByFirst,
      "Whether without the devices of the first row these fail no more often than others, for certain"),
    Field(
      "previous", \.previous,
      "The same devices at the release before; null where there is none, or fewer than --min-cell",
      orNull: [
        Field("release", \.release, "The release before"),
        Field("watched", \.watched, "Its first attempts of devices with the value"),
        Field("watchedFailures", \.watchedFailures, "Those that failed"),
        Field("rate", \.rate, "Their share"),
        Field(
          "difference", \.difference, "These less the others",
          .column(9, "DIFFERENCE BEFORE", key: "previousDifference", cell: \.pointsCell).optional),
      ], missing: "no release before, or fewer devices than --min-cell"),
  ]

  private static func attemptFields(_ heading: Heading<Attempts, Estimate>) -> [Field<Attempts>] {
    [
      Field("watched", \.watched, "Their first attempts"),
      Field("watchedFailures", \.watchedFailures, "Those that failed so far"),
      Field("rate", \.rate, "Their share", heading),
    ]
  }

  static func options(_ asked: Parameters, _ gates: [Gate]) -> Options { Options() }

  static func notes(_ reply: Reply<Suspects>) -> [String] {
    guard let first = reply.rows.first else { return [] }
    let others = reply.rows.dropFirst()
    return [first.sentence] + others.filter { !$0.isExplainedByFirst }.map { $0.apart(from: first) }
      + first.companions(others.filter(\.isExplainedByFirst)) + first.hours + [first.method]
  }

  /// That nothing stands out is an answer.
  static func exit(_ reply: Reply<Suspects>) -> ExitCode {
    reply.rows.isEmpty
      && !reply.answer.warnings.contains { [Warning.nothingStandsOut, Warning.failedAtHours].contains($0.code) }
      ? .notEnoughData : .done
  }

  /// Why they fail; where nobody stands out, at which step. Not what led here: each asks about fewer devices, or later steps.
  static func next(_ reply: Reply<Suspects>) -> ShellCommand? {
    let failures = ShellCommand("uptake", "failures").argument(reply.release)
    guard let first = reply.rows.first else {
      let isOfHours = reply.answer.warnings.contains { $0.code == Warning.failedAtHours }
      return isOfHours
        ? failures.option("by", Grouping.mechanism.rawValue) : ShellCommand("uptake", "funnel").argument(reply.release)
    }
    if first.by == ProfileField.arm.rawValue { return ShellCommand("uptake", "mechanisms").argument(reply.release) }
    switch Grouping(rawValue: first.by) {
    case .channel, .platform: return failures.option(first.by, first.value)
    case .slice: return failures.option("where", "\(first.by)=\(first.value)")
    case .mechanism, nil: return failures.option("by", first.by)
    }
  }
}

extension Suspects {
  private var name: String { "\(by) \(value)" }
  private var failed: String { "\(grouped(watchedFailures)) of \(counted(watched, "first attempt")) failed" }

  fileprivate var sentence: String {
    let rest = "\(grouped(others.watchedFailures)) of \(grouped(others.watched))"
    return "\(name): \(failed), of all others \(rest): \(difference.pointsWords)" + usual
  }

  /// What was so before is no news of this release.
  private var usual: String {
    guard let previous, let least = difference.lo, (previous.difference.lo ?? 0) > 0,
      (previous.difference.hi ?? 0) >= least
    else { return "" }
    return "; with \(previous.release) it was \(previous.difference.pointsWords)"
  }

  fileprivate func apart(from first: Suspects) -> String {
    let rest = withoutFirst.map { ": without \(first.name) \(grouped($0.watchedFailures)) of \(grouped($0.watched))" }
    return "\(sentence); by itself, too\(rest ?? "")"
  }

  /// Which others fail more often for certain only as far as they have devices of this row.
  fileprivate func companions(_ others: [Suspects]) -> [String] {
    guard !others.isEmpty else { return [] }
    let more = others.count > 8 ? ["\(others.count - 8) more"] : []
    return [
      "not for certain without the devices of \(name): "
        + (others.prefix(8).map(\.name) + more).joined(separator: ", ")
    ]
  }

  /// Pushes go out at once, refreshes come all day long: who tried while something was broken tried by what came then.
  fileprivate var hours: [String] {
    Grouping(rawValue: by) == .mechanism
      ? [
        "mechanisms come at other hours: a fault of some hours, as of a server, shows as the mechanism that was usual then;"
          + " look at why they failed, and when"
      ] : []
  }

  fileprivate var method: String {
    "\(counted(compared, "value")) compared with all other devices, by Fisher's exact test and Holm's method; attempts count"
      + " however young"
  }
}
