internal import Answers
internal import Console
internal import Lifecycle
internal import Query

private extension Option {
  static let require = Option(
    "require", .choice(["go-on", "no-stop"]), group: "GATES",
    help:
      "End with 3 where a release is to be stopped, registered or not, and with 4 where no device was heard of for over a day, and longer than is usual, so that nobody knows; with go-on also with 4 where one must wait"
  )
}

extension Command {
  static let status = Command(
    "status", group: "SERVICE", purpose: "Show the verdict on every channel, and what else needs eyes",
    discussion: """
      A line for the newest release of each channel, and of each platform where these got releases apart: verdict first, \
      then why. Below it what else somebody should look at: no device heard of for an hour, a channel that is spelt in two \
      ways, an export that fails, no backup for a week. What is to be stopped stands first, and a last line counts what is \
      more than a screen. Exit status 0, whatever it shows, unless --require says otherwise.
      """,
    options: [.database, .app, .channel] + Option.objective + [.require, .now] + Option.answer,
    examples: [
      .init("How it stands", "uptake status"),
      .init("In a monitor", "uptake status --require no-stop --quiet"),
    ],
    exits: [.gateNotMet, .notEnoughData, .databaseUnusable], seeAlso: ["verdict", "releases", "doctor"]
  ) { invocation in
    let status = try Status(
      invocation.snapshot(), app: invocation.text(.app), channels: invocation.texts(.channel),
      invocation.judging(), now: invocation.instant)
    try invocation.show(status.carrying(invocation.parameters.carried ?? []))
    guard let required = invocation.text(.require) else { return .done }
    let exit = status.decision.exit
    guard required == "no-stop", exit != .gateNotMet else { return exit }
    try invocation.note(status.silence.map { "nobody knows whether a release harms: \($0)" })
    return status.silence.isEmpty ? .done : .notEnoughData
  }
}

extension Invocation {
  /// Lines for people, coloured by verdict; else as every answer.
  fileprivate func show(_ status: Status) throws {
    guard format == .table else { return try show(status.presentation) }
    let width = host.output.isTerminal ? host.output.columns : 200
    try print(status.text(width: width, glyphs: glyphs, colour: usesColour))
  }
}
