internal import Console

/// Every command, in the order of help. The table is all there is: parsing, help, completion and the man page read it.
///
/// To add one, write `Commands/Reach.swift` and add `.reach` here:
///
///     extension Command {
///       static let reach = Command(
///         "reach", group: "QUESTIONS", purpose: "Show the share of devices that run a release now",
///         arguments: [.init("RELEASE", completion: "releases", help: "The release, as its label")],
///         options: [.database] + Option.filters + Option.rules + Option.precision + [.now] + Option.answer,
///         examples: [.init("The newest release of production", "uptake reach 2025.3.1 --channel production")],
///         exits: [.notEnoughData, .databaseUnusable]
///       ) { invocation in
///         let channels = invocation.texts(.channel)            // read and checked by the table above
///         …
///         try invocation.show(Presentation(table: table, document: document, notes: ["next: …"]))
///         return .done
///       }
///     }
///
/// Errors are thrown: a `Failure` with words and hint, or an error that `explain` turns into one. Options that more
/// commands share stand in `Options.swift`; own ones in the command's file, `private extension Option`.
/// A command with subcommands has `subcommands: [.releasePublish, …]` instead of `run`, one file each.
let commands: [Command] = [
  .releases, .adoption, .reach, .timeToUpdate, .compare, .mechanisms, .failures, .forecast, .funnel, .push, .wakeUps,
  .breadcrumbs,
  .serve, .key, .import, .release,
  .doctor, .backup, .restore, .retain, .forget, .upgrade,
  .writeReport, .export,
  .simulate,
  .schema, .config, .completion, .help, .version, .man, .reference, .complete,
]
