public import Console
public import Lifecycle
public import Query
public import Store

private extension Option {
  static let limit = Option(
    "limit", .integer(1...100_000), fallback: "200", group: "FILTERS", help: "Only the newest so many steps")
}

extension Question {
  public static let breadcrumbs = Question(
    "breadcrumbs", schema: .breadcrumbs, purpose: "Show the trail of one device, by the id that its client knows",
    discussion: """
      The id is hashed with the database's own key, as on arrival, and stored nowhere. Older steps whose single events \
      were removed are told from what is left of them.
      """,
    arguments: [.init("DEVICE", help: "The device, as its client sends it")], options: [.app, .limit],
    examples: [.init("What one device went through", "uptake breadcrumbs 8d1f2c90 --app com.example.demo")],
    exits: [.notEnoughData, .databaseUnusable], seeAlso: ["forget", "funnel"],
    ofDevice: { asked, snapshot, hash in
      let answer = try Breadcrumbs.answer(asked, snapshot, hash: hash)
      return Shown(
        answer.presentation(heading: heading(answer), table: table(answer), notes: notes(answer)),
        isKnown: !answer.data.isEmpty)
    })
}

extension Breadcrumbs {
  /// The trail of the device that is the first argument; `-` stands for many, which one answer cannot hold.
  public static func answer(
    _ asked: Parameters, _ snapshot: borrowing Snapshot, hash: Question.DeviceHashing
  ) throws -> Answer<Breadcrumbs> {
    guard asked.arguments[0] != "-" else {
      throw Console.Failure("no_input", "there is no standard input here", hints: ["name a device"], exit: .usage)
    }
    let extent = try asked.extent(nil, snapshot.vocabulary)
    let device = try hash(snapshot.identityKeys(), extent.app, asked.arguments[0])
    return try answer(snapshot, extent, device: device, .init(asked))
  }
}

extension Breadcrumbs.Options {
  public init(_ asked: Parameters) {
    self.init()
    limit = asked.integer(.limit) ?? limit
  }
}

private func heading(_ answer: Answer<Breadcrumbs>) -> [String] {
  answer.data.map { device in
    let facts = [device.platform, device.channel, device.appVersion.map { "app \($0)" }].compactMap(\.self)
    return ([device.summary] + (facts.isEmpty ? [] : ["(\(facts.joined(separator: ", ")))"])).joined(separator: " ")
  }
}

private func table(_ answer: Answer<Breadcrumbs>) -> Table {
  let columns: [Table.Column] = [
    .init("AT", key: "at"), .init("STAGE", key: "stage"), .init("RELEASE", key: "release"),
    .init("TRIGGER", key: "trigger"), .init("OUTCOME", key: "outcome"), .init("TOOK", key: "seconds"),
    .init("REASON", key: "reason"), .init("NETWORK", key: "network", isOptional: true),
    .init("CHANNEL", key: "channel", isOptional: true),
  ]
  return Table(
    columns,
    rows: answer.data.flatMap(\.crumbs).map { crumb in
      [
        .instant(Instant(rawValue: crumb.at.rawValue)), .text(crumb.stage), .text(crumb.release ?? ""),
        .text(crumb.trigger == Trigger.unknown.rawValue ? "" : crumb.trigger), .text(crumb.outcome ?? ""),
        crumb.seconds.map { .duration(seconds: $0) } ?? .text(""), .text(crumb.reason ?? ""),
        .text(crumb.network ?? ""), .text(crumb.channel ?? ""),
      ]
    })
}

private func notes(_ answer: Answer<Breadcrumbs>) -> [String] {
  answer.data.flatMap(\.crumbs).contains(where: \.isCondensed)
    ? ["the oldest steps are told from what is kept after single events were removed"] : []
}
