internal import Answers
internal import Console
internal import Query
internal import Server
internal import Report
internal import Store

private extension Option {
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
  /// The question, and beside it the forms of crash reporters, for many devices too.
  static let breadcrumbs: Command = {
    var command = QuestionCommand.breadcrumbs.command(hash: hashed)
    command.discussion += """


      --format sentry, bugsnag and crashlytics give the part of a crash event that tells of updates. With - for the \
      device, each line of standard input is a device or a crash event, and comes out with what is known of its device.
      """
    command.options =
      [.database] + QuestionCommand.breadcrumbs.options + [.deviceField, .now, .crashFormat]
      + Option.answer.filter { $0.name != Option.format.name }
    command.examples += [
      .init("Its last ten steps, for a crash report", "uptake breadcrumbs 8d1f2c90 --limit 10 --format sentry"),
      .init("What the devices of crash events went through", "uptake breadcrumbs - --format sentry < crashes.ndjson"),
    ]
    let show = command.run
    command.run = { invocation in
      let format = invocation.text(.crashFormat).flatMap(CrashFormat.init(rawValue:))
      if invocation.arguments[0] == "-" { return try invocation.enrich(format) }
      return if let format { try invocation.showTrail(format) } else { try show?(invocation) ?? .usage }
    }
    return command
  }()
}

extension Invocation {
  /// The trail as a part of a crash event.
  fileprivate func showTrail(_ format: CrashFormat) throws -> ExitCode {
    let answer = try Breadcrumbs.answer(parameters, snapshot(), hash: hashed)
    let fragment = answer.data.first?.fragment(format) ?? [:]
    try print(fragment.text(host.output.isTerminal ? .pretty : .compact) + "\n")
    try note(answer.warnings.map(\.message))
    return answer.data.isEmpty ? .notEnoughData : .done
  }

  /// A line of standard input becomes a line of output, at once: the input may have no end.
  fileprivate func enrich(_ format: CrashFormat?) throws -> ExitCode {
    guard let readLine = host.readLine else {
      throw Failure("no_input", "there is no standard input here", hints: ["name a device"], exit: .usage)
    }
    let snapshot = try self.snapshot()
    let extent = try parameters.extent(nil, snapshot.vocabulary)
    let trails = CrashTrails(
      snapshot: snapshot, extent: extent, options: .init(parameters), format: format, place: text(.deviceField))
    while let line = readLine() {
      if let line = try trails.line(line) { try host.output.write(line + "\n") }
    }
    return .done
  }
}
