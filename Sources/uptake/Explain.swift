internal import Console
internal import HTTP
internal import Query
internal import Simulate
internal import Store

/// Turns the errors of other modules into failures with words, hint and exit code.
func explain(_ error: any Error) -> Failure? {
  switch error {
  case let error as StoreError:
    Failure(error.code, error.description, hints: [error.hint.words], exit: error.exit)
  case let refusal as Refusal:
    Failure(refusal.code, refusal.message, hints: [refusal.hint.words], exit: refusal.exit)
  case let error as ListenError:
    Failure("cannot_listen", "cannot listen on \(error.address)", why: error.why, hints: [error.hint])
  case let error as ScenarioProblem:
    Failure("bad_scenario", error.what, place: error.place, hints: [error.hint], exit: .usage)
  default: nil
  }
}

extension Remedy {
  /// As a line for people, every name and command fit to be pasted into a shell.
  var words: String {
    parts.map { part in
      switch part {
      case .words(let words): words
      case .name(let name): shellWord(name)
      case .command(let command): "\(ShellCommand(remedy: command))"
      }
    }.joined()
  }
}

extension ShellCommand {
  fileprivate init(remedy command: Remedy.Command) {
    let called = command.arguments.reduce(ShellCommand(["uptake"] + command.words)) { $0.argument($1) }
    self = command.options.reduce(called) { $0.option($1.name, $1.value) }
  }
}

extension StoreError {
  var code: String {
    switch kind {
    case .missingDirectory: "directory_missing"
    case .missingFile: "database_missing"
    case .notADatabase, .notAnUptakeDatabase: "not_a_database"
    case .corrupt: "database_corrupt"
    case .readOnly: "database_read_only"
    case .locked: "database_locked"
    case .full: "disk_full"
    case .inputOutput: "io_error"
    case .newer: "database_newer"
    case .older: "database_older"
    case .noRoomForSnapshot: "no_room_for_snapshot"
    case .refused(let refusal): refusal.code
    case .tookTooLong: "question_too_long"
    case .statement: "database_error"
    }
  }

  var exit: ExitCode {
    switch kind {
    case .missingDirectory, .missingFile, .notADatabase, .notAnUptakeDatabase, .corrupt, .readOnly, .locked, .newer,
      .older, .noRoomForSnapshot:
      .databaseUnusable
    case .refused(let refusal): refusal.isOfTheFile ? .databaseUnusable : .failed
    case .full, .inputOutput, .tookTooLong, .statement: .failed
    }
  }
}

extension Refusal {
  var exit: ExitCode {
    switch self {
    case .nothingStored: .notEnoughData
    case .unknownApp, .whichApp, .unknownRelease, .unknownChannel, .unknownPlatform, .sameRelease: .usage
    }
  }
}
