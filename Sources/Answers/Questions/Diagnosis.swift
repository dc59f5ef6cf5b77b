internal import Console
internal import Lifecycle
internal import Query

extension Diagnosis: PeriodQuestion {
  static let usage = Usage(
    "diagnose", purpose: "Say what holds updates up, what shows it, and what to look at",
    discussion: """
      Goes through a catalogue of named findings: background refresh that never runs, pushes that wake nobody or come too \
      often, downloads that overrun, a system or store build that is left out, a rollout step that never opened, and more. Each \
      comes with its figures, the command that prints them, likely causes and the check that tells them apart. Shares must lie \
      beyond their limit for certain (99.9 %), so that a healthy fleet is told that it is; of fewer than 50 devices nothing \
      is said. Pushes and wake-ups are those of the last 14 days unless --since says otherwise.
      """,
    arguments: [
      .init(
        "RELEASE", .optional, completion: "releases", help: "This release; the newest of each channel where not given")
    ],
    options: Option.filters + [.only, .since] + Option.precision,
    examples: [
      .init("Why does it not arrive", "uptake diagnose"),
      .init("With this release, on iOS", "uptake diagnose 2.0.0 --platform ios"),
      .init("For a program", "uptake diagnose --format ndjson"),
    ], seeAlso: ["verdict", "push check", "app check", "devices"])

  static func options(_ asked: Parameters) -> Options { Options() }

  static let query: [Member] = .extent(
    Member("confidence", .number, "How sure a share must be beyond its limit"))

  static var namesWithheld: Bool { false }

  static let fields: [Field<Diagnosis>] = [
    Field(
      "finding", \.finding, "What was found, in a word",
      .column(2, "FINDING", row: { .text($0.finding.rawValue) })),
    Field("level", \.level, "How much it matters", .column(1, "LEVEL", row: { .text($0.level.rawValue) })),
    Field("group", \.group, "The part of the fleet that it is about", .column(3, "WHERE", row: { .text($0.place) })),
    Field("devices", \.devices, "Devices that it holds up, as far as they can be counted", .column(4, "DEVICES")),
    Field("sentence", \.sentence, "The finding with its figures"),
    Field("causes", \.causes, "What it likely comes from, the likeliest first"),
    Field(
      "check", \.check.description, "What to look at, to tell the causes apart",
      .column(5, "CHECK", row: { .text($0.check.description) }).least(.max).optional),
    Field(
      "evidence", \.evidence, "The figures behind it",
      each: [
        Field("what", \.what, "What was counted"),
        Field("share", \.share, "The share; null where it is none"),
        Field("count", \.count, "How many; null where that is not counted"),
        Field("of", \.of, "Among how many; null where that is not counted"),
        Field("command", \.command.description, "What prints it, with more"),
      ]),
  ]

  private var place: String {
    group.parts.sorted { $0.key < $1.key }.map(\.value).joined(separator: ", ")
  }

  static func notes(_ reply: Reply<Diagnosis>) -> [String] {
    guard !reply.rows.isEmpty else {
      return reply.answer.warnings.isEmpty ? ["nothing was found that holds updates up"] : []
    }
    let typed = reply.asked.carried ?? []
    return reply.rows.flatMap { row in
      ["\(row.level.rawValue): \(row.sentence)"] + row.causes.map { "  perhaps: \($0)" }
        + ["  check: \(row.check.carrying(typed))"]
        + Set(row.evidence.map { "\($0.command.carrying(typed))" }).sorted().map { "  see: \($0)" }
    }
  }

  /// That nothing was found is an answer, where there was enough to look at.
  static func exit(_ reply: Reply<Diagnosis>) -> ExitCode {
    reply.rows.isEmpty && !reply.answer.warnings.filter { $0.code == "few_devices" }.isEmpty ? .notEnoughData : .done
  }
}
