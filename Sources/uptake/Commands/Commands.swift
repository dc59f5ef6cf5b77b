internal import Answers
internal import Console
internal import Server

/// Every command, in the order of help. The table is all there is: parsing, help, completion and the man page read it.
///
/// A question is a row of `questions` in the module `Answers`. Any other command is a file here:
///
///     extension Command {
///       static let backup = Command(
///         "backup", group: "OPERATIONS", purpose: "Copy a database that is in use",
///         arguments: [.init("FILE", completion: "files", help: "Where to")], options: [.database] + Option.answer,
///         examples: [.init("Every night", "uptake backup uptake.copy.db --db uptake.db")], exits: [.databaseUnusable]
///       ) { invocation in
///         let path = try invocation.databasePath()          // read and checked by the table above
///         …
///         try invocation.show(Presentation(table: table, document: document, notes: ["next: …"]))
///         return .done
///       }
///     }
///
/// Errors are thrown: a `Failure` with words and hint, or an error that `explain` turns into one. Options that more
/// commands share stand in `Answers/Asking`; own ones in the command's file, `private extension Option`.
/// A command with subcommands has `subcommands: [.releasePublish, …]` instead of `run`, one file each.
let commands: [Command] =
  questions.map(command) + [
    .status, .watch, .serve, .demo, .mcp, .key, .audit, .import, .release,
    .doctor, .backup, .restore, .replicate, .retain, .forget, .upgrade, .ship, .warehouse, .app,
    .experiment,
    .writeReport, .export,
    .simulate,
    .schema, .config, .completion, .help, .version, .man, .reference, .settingsReference, .complete,
    .answerQuestions, .doChore,
  ]

/// A question as a command; some do more than to answer it.
private func command(_ question: QuestionCommand) -> Command {
  switch question.name {
  case QuestionCommand.breadcrumbs.name: .breadcrumbs
  case QuestionCommand.push.name: .push
  default: question.command(hash: hashed) { try $0.reading($1) }
  }
}
