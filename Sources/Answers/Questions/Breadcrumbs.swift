public import Console
public import Lifecycle
public import Query
public import Store

private extension Option {
  static let limit = Option(
    "limit", .integer(1...100_000), fallback: "200", group: "FILTERS", help: "Only the newest so many steps")
}

extension Option {
  /// Not for requests: a key that may read answers may not look for devices.
  static let hashed = Option("hashed", help: "DEVICE is the keyed hash, as uptake devices prints it")
}

extension QuestionCommand {
  public static let breadcrumbs = QuestionCommand(Breadcrumbs.self)
}

extension Breadcrumbs: Presentable {
  static let usage = Usage(
    "breadcrumbs", purpose: "Show one device's events, by its client's id",
    discussion: """
      The id is hashed with the database's own key, as on arrival, and stored nowhere. Older steps whose single events \
      were removed are told from what is left of them. A UUID in capitals of which nothing is known is looked for in \
      lower case, as readers for Capgo and Expo keep it.
      """,
    arguments: [.init("DEVICE", help: "The device, as its client sends it")], options: [.app, .limit, .hashed],
    examples: [.init("What one device went through", "uptake breadcrumbs 8d1f2c90 --app com.example.demo")],
    seeAlso: ["forget", "funnel"])

  static func ask(
    _ asked: Parameters, _ snapshot: borrowing Snapshot, hash: QuestionCommand.DeviceHashing
  ) throws -> Reply<Breadcrumbs> {
    Reply(asked, try answer(asked, snapshot, hash: hash), Options(asked))
  }

  /// The trail of the device that is the first argument; `-` stands for many, which one answer cannot hold.
  public static func answer(
    _ asked: Parameters, _ snapshot: borrowing Snapshot, hash: QuestionCommand.DeviceHashing
  ) throws -> Answer<Breadcrumbs> {
    guard asked.arguments[0] != "-" else {
      throw Console.Failure("no_input", "there is no standard input here", hints: ["name a device"], exit: .usage)
    }
    let extent = try asked.extent(nil, snapshot.vocabulary)
    let asWritten = try answer(snapshot, extent, device: device(asked, snapshot, extent.app, hash), Options(asked))
    let word = asked.arguments[0]
    guard asWritten.data.isEmpty, !isHashed(asked), let lower = DeviceHash.spellings(of: word).dropFirst().first else {
      return asWritten
    }
    let other = try hash(snapshot.identityKeys(), extent.app, lower)
    var found = try answer(snapshot, extent, device: other, Options(asked))
    if found.data.isEmpty { return asWritten }
    found.warnings.insert(.foundInLowerCase(word, lower), at: 0)
    return found
  }

  private static func isHashed(_ asked: Parameters) -> Bool {
    asked.ifListed(.hashed, { asked.flag($0) }) ?? false
  }

  private static func device(
    _ asked: Parameters, _ snapshot: borrowing Snapshot, _ app: String, _ hash: QuestionCommand.DeviceHashing
  ) throws -> DeviceHash {
    let word = asked.arguments[0]
    guard isHashed(asked) else {
      return try hash(snapshot.identityKeys(), app, word)
    }
    guard let number = UInt64(word, radix: 16), word.utf8.count == 16 else {
      throw Console.Failure(
        "bad_value", "\"\(word)\" is no hash of a device", place: "DEVICE",
        hints: ["a hash has 16 hexadecimal digits, as uptake devices prints it"], exit: .usage)
    }
    return DeviceHash(rawValue: number)
  }

  static let query = [
    Member("app", .text, "The application"), Member("device", .text, "The keyed hash of the id"),
    Member("now", .instant, "What was taken as now"), Member("limit", .integer, "The most steps"),
  ]

  static var namesWithheld: Bool { false }

  static let fields: [Field<Breadcrumbs>] = [
    Field("device", \.device, "The keyed hash of the id, in hexadecimal digits"),
    Field("platform", \.platform, "As the client says"), Field("appVersion", \.appVersion, "Likewise"),
    Field("channel", \.channel, "The channel it is on"),
    Field("firstContact", \.firstContact, "When it was first heard of"),
    Field("lastContact", \.lastContact, "When it was last heard of"),
    Field(
      "update", \.update, "The last update; null where there was none",
      orNull: [
        Field("release", \.release, "The release applied last"), Field("at", \.at, "When"),
        Field("secondsAgo", \.secondsAgo, "How long before now"),
        Field("mechanism", \.mechanism, "What delivered it"),
        Field("secondsFromOffer", \.secondsFromOffer, "From the first offer to applying it"),
      ]),
    Field(
      "running", \.running, "What it runs, which may be older than the last update; null where it never said",
      orNull: [
        Field("release", \.release, "The release"),
        Field("at", \.at, "When it was applied; null where no update brought it"),
        Field("secondsAgo", \.secondsAgo, "How long before now"),
        Field("mechanism", \.mechanism, "What delivered it"),
        Field("secondsFromOffer", \.secondsFromOffer, "From the first offer to applying it"),
      ]),
    Field(
      "failure", \.failure, "The last release that failed, was rolled back or crashed; null where none did",
      orNull: [
        Field("release", \.release, "The release"), Field("at", \.at, "When that first happened to it"),
        Field("stage", \.stage, "What happened"),
        Field("reason", \.reason, "As the client says; of rollbacks and crashes while their events are kept"),
      ]),
    Field("summary", \.summary, "Where the device stands, in a sentence"),
    Field("crumbs", \.crumbs, "The steps, newest last", each: crumbFields),
  ]

  /// A line of the table for each.
  private static let crumbFields: [Field<Crumb>] = [
    Field("at", \.at, "When", .column(1, "AT")),
    Field("stage", \.stage, oneOf: Stage.allCases.map(\.rawValue), "The stage", .column(2, "STAGE").least(17)),
    Field(
      "trigger", \.trigger, oneOf: Trigger.allCases.map(\.rawValue), "What started the work",
      .column(4, "TRIGGER", cell: { .text($0 == Trigger.unknown.rawValue ? "" : $0) })),
    Field(
      "release", \.release, "The release it is about, or that the device runs", .column(3, "RELEASE", missing: nil)),
    Field("outcome", \.outcome, "Of a wake-up or a push", .column(5, "OUTCOME", missing: nil)),
    Field("reason", \.reason, "Of a failure", .column(7, "REASON", missing: nil)),
    Field("channel", \.channel, "The channel", .column(9, "CHANNEL", missing: nil).optional),
    Field("network", \.network, "The network", .column(8, "NETWORK", missing: nil).optional),
    Field("seconds", \.seconds, "How long it took", .column(6, "TOOK", missing: nil)),
    Field("isCondensed", \.isCondensed, "The single event was removed; this is what is left of it"),
    Field("text", \.text, "The step in words"),
  ]

  static func heading(_ reply: Reply<Breadcrumbs>) -> [String] {
    reply.rows.map { device in
      let facts = [device.platform, device.channel, device.appVersion.map { "app \($0)" }].compactMap(\.self)
      return ([device.summary] + (facts.isEmpty ? [] : ["(\(facts.joined(separator: ", ")))"])).joined(separator: " ")
    }
  }

  static func notes(_ reply: Reply<Breadcrumbs>) -> [String] {
    reply.rows.flatMap(\.crumbs).contains(where: \.isCondensed)
      ? ["the oldest steps are told from what is kept after single events were removed"] : []
  }
}

extension Warning {
  fileprivate static func foundInLowerCase(_ word: String, _ lower: String) -> Warning {
    Warning(
      "found_in_lower_case",
      "nothing is known of \(quoted(word)); this is \(quoted(lower)), as readers for Capgo and Expo keep ids in lower case"
    )
  }
}

extension Breadcrumbs.Options {
  public init(_ asked: Parameters) {
    self.init()
    limit = asked.integer(.limit) ?? limit
  }
}
