internal import Console
internal import Ingest
internal import Lifecycle
internal import Query
internal import Report
internal import Store

private extension Option {
  static let limit = Option(
    "limit", .integer(1...100_000), fallback: "200", group: "FILTERS", help: "Only the newest so many steps")
  static let deviceField = Option(
    "device-field", .text, value: "PATH",
    help: "Where crash events on standard input name their device, such as user.id")
  /// The usual forms, and those of crash reporters.
  static let crashFormat: Option = {
    var option = Option.format
    option.kind = .choice(Format.allCases.map(\.rawValue) + CrashFormat.allCases.map(\.rawValue))
    return option
  }()
}

extension Command {
  static let breadcrumbs = Command(
    "breadcrumbs", group: "QUESTIONS", purpose: "Show the trail of one device, by the id that its client knows",
    discussion: """
      The id is hashed with the database's own key, as on arrival, and stored nowhere. Older steps whose single events \
      were removed are told from what is left of them.

      --format sentry, bugsnag and crashlytics give the part of a crash event that tells of updates. With - for the \
      device, each line of standard input is a device or a crash event, and comes out with what is known of its device.
      """,
    arguments: [.init("DEVICE", help: "The device, as its client sends it")],
    options: [.database, .app, .limit, .deviceField, .now, .crashFormat]
      + Option.answer.filter { $0.name != Option.format.name },
    examples: [
      .init("What one device went through", "uptake breadcrumbs 8d1f2c90 --app com.example.demo"),
      .init("Its last ten steps, for a crash report", "uptake breadcrumbs 8d1f2c90 --limit 10 --format sentry"),
      .init("What the devices of crash events went through", "uptake breadcrumbs - --format sentry < crashes.ndjson"),
    ],
    exits: [.notEnoughData, .databaseUnusable], seeAlso: ["forget", "funnel"]
  ) { invocation in
    let format = invocation.text(.crashFormat).flatMap(CrashFormat.init(rawValue:))
    if invocation.arguments[0] == "-" { return try invocation.enrich(format) }
    let snapshot = try invocation.snapshot()
    let extent = try invocation.extent(nil, snapshot.vocabulary)
    var options = Breadcrumbs.Options()
    if let limit = invocation.integer(.limit) { options.limit = limit }
    let device = try snapshot.identityKeys().device(app: extent.app, id: invocation.arguments[0])
    let answer = try Breadcrumbs.answer(snapshot, extent, device: device, options)
    if let format {
      try invocation.print(
        (answer.data.first?.fragment(format) ?? [:]).text(invocation.host.output.isTerminal ? .pretty : .compact) + "\n"
      )
      try invocation.note(answer.warnings.map(\.message))
    } else {
      try invocation.show(answer.presentation(heading: heading(answer), table: table(answer), notes: notes(answer)))
    }
    return answer.data.isEmpty ? .notEnoughData : .done
  }
}

extension Invocation {
  /// A line of standard input becomes a line of output, at once: the input may have no end.
  fileprivate func enrich(_ format: CrashFormat?) throws -> ExitCode {
    guard let readLine = host.readLine else {
      throw Failure("no_input", "there is no standard input here", hints: ["name a device"], exit: .usage)
    }
    let snapshot = try self.snapshot()
    let extent = try self.extent(nil, snapshot.vocabulary)
    var options = Breadcrumbs.Options()
    if let limit = integer(.limit) { options.limit = limit }
    let trails = CrashTrails(
      snapshot: snapshot, extent: extent, options: options, format: format, place: text(.deviceField))
    while let line = readLine() {
      if let line = try trails.line(line) { try host.output.write(line + "\n") }
    }
    return .done
  }
}

private func heading(_ answer: Query.Answer<Breadcrumbs>) -> [String] {
  answer.data.map { device in
    let facts = [device.platform, device.channel, device.appVersion.map { "app \($0)" }].compactMap(\.self)
    return ([device.summary] + (facts.isEmpty ? [] : ["(\(facts.joined(separator: ", ")))"])).joined(separator: " ")
  }
}

private func table(_ answer: Query.Answer<Breadcrumbs>) -> Table {
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

private func notes(_ answer: Query.Answer<Breadcrumbs>) -> [String] {
  answer.data.flatMap(\.crumbs).contains(where: \.isCondensed)
    ? ["the oldest steps are told from what is kept after single events were removed"] : []
}
