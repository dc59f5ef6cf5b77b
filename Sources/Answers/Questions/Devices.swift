internal import Console
internal import Lifecycle
internal import Query

private extension Option {
  static let at = Option(
    "at", .choice(Devices.Stand.allCases.map(\.rawValue)), value: "STAGE", fallback: "ready", group: "FILTERS",
    help: "Devices whose last stage this is")
  static let older = Option(
    "older", .duration, fallback: "24h", group: "FILTERS",
    help: "Only devices that have been at the stage for at least this long")
  static let seen = Option(
    "seen", .duration, group: "FILTERS", help: "Only devices seen within this time; all by default")
  static let limit = Option("limit", .integer(1...10_000), fallback: "100", group: "FILTERS", help: "Devices per page")
  static let after = Option(
    "after", .text, value: "POSITION", group: "FILTERS",
    help: "Continue after this position, given at the end of the previous page")
}

extension Devices: ReleaseQuestion {
  static let usage = Usage(
    "devices", purpose: "List the single devices that are stuck at a stage of a release",
    discussion: """
      Devices by their keyed hashes, which no client knows: those that stand there for longest first, a page at a time, with \
      the number of all. Devices that moved on to a newer release are not stuck. A failure, a rollback or a crash counts where \
      no later stage followed. Over HTTP it needs a key of scope devices.
      """,
    arguments: [.release],
    options: Option.filters + [.only, .at, .older, .seen, .limit, .after] + [.emulators] + Option.population,
    examples: [
      .init("Ready for two days and never applied", "uptake devices 2.0.0 --at ready --older 48h"),
      .init("Of these, who is still around", "uptake devices 2.0.0 --at ready --older 48h --seen 24h"),
      .init("What one of them went through", "uptake breadcrumbs 00f3a1b2c3d4e5f6 --hashed"),
    ], seeAlso: ["funnel", "breadcrumbs", "failures"])

  static func options(_ asked: Parameters, _ gates: [Gate]) throws -> Options {
    var options = Options()
    options.at = asked.choice(.at) ?? options.at
    options.older = asked.milliseconds(.older) ?? options.older
    options.seen = asked.milliseconds(.seen)
    options.limit = asked.integer(.limit) ?? options.limit
    options.after = try asked.text(.after).map(position)
    return options
  }

  private static func position(_ text: String) throws(Console.Failure) -> DevicePosition {
    guard let position = DevicePosition(text) else {
      throw Console.Failure(
        "bad_value", "\"\(text)\" is no position in the list", place: "--after",
        hints: ["give what the page before ends with, as next in its JSON and in its last line"], exit: .usage)
    }
    return position
  }

  static let query: [Member] = .selection(
    Member("at", .text, "The stage"), Member("olderSeconds", .integer, "For how long at least"),
    Member("seenSeconds", .nullable(.integer), "Heard of within so long; null: all"),
    Member("limit", .integer, "The most devices on a page"),
    Member("after", .nullable(.text), "The place behind which the page begins; null: at the beginning"))

  static var namesWithheld: Bool { false }
  static var saysLevel: Bool { false }

  static let fields: [Field<Devices>] = [
    Field("release", \.release, "The release"), Field("at", \.at, "The stage"),
    Field("devices", \.devices, "All devices that stand there, on this page or not"),
    Field("list", \.list, "Those of this page, those that stand there for longest first", each: deviceFields),
    Field("next", \.next, "What --after takes to show those behind; null at the end"),
  ]

  private static let deviceFields: [Field<Device>] = [
    Field("device", \.device, "The keyed hash of the id, in hexadecimal digits", .column(1, "DEVICE").least(16)),
    Field("since", \.since, "Since when it stands there", .column(2, "SINCE")),
    Field(
      "secondsSince", \.secondsSince, "How long that is",
      .column(3, "FOR", cell: { .duration(seconds: Double($0)) })),
    Field("lastContact", \.lastContact, "When it was last heard of", .column(4, "LAST CONTACT", missing: "")),
    Field("platform", \.platform, "As the client says", .column(5, "PLATFORM", missing: "")),
    Field("appVersion", \.appVersion, "Likewise", .column(6, "APP VERSION", missing: "").optional),
    Field("channel", \.channel, "The channel", .column(7, "CHANNEL").optional),
    Field("trail", \.trail, "The command that prints what it went through"),
  ]

  static func notes(_ reply: Reply<Devices>) -> [String] {
    reply.rows.flatMap { row in
      let older = age(seconds: reply.options.older.rawValue / 1000)
      let listed =
        "\(grouped(row.list.count)) of \(counted(row.devices, "device")) \(row.devices == 1 ? "that stands" : "that stand") at \(row.at.rawValue) of \(row.release)"
        + " for \(older) or longer"
      // The next command is that of the page behind.
      let trail = row.next == nil ? nil : row.list.first.map { "what one of them went through: \($0.trail)" }
      return [listed] + [trail].compactMap(\.self)
    }
  }

  /// The page behind, else the trail of the first.
  static func next(_ reply: Reply<Devices>) -> ShellCommand? {
    guard let row = reply.rows.first else { return nil }
    if let next = row.next { return following(reply, row).option("after", next) }
    return row.list.first.map { ShellCommand("uptake", "breadcrumbs").option("hashed").argument($0.device) }
  }

  /// The same question again.
  private static func following(_ reply: Reply<Devices>, _ row: Devices) -> ShellCommand {
    let options = reply.options
    var line = ShellCommand("uptake", "devices").argument(row.release).option("at", row.at.rawValue)
      .option("older", age(seconds: options.older.rawValue / 1000))
    if let seen = options.seen { line = line.option("seen", age(seconds: seen.rawValue / 1000)) }
    if options.limit != Options().limit { line = line.option("limit", "\(options.limit)") }
    return line
  }
}
