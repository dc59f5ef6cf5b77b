public import Console
public import Store

extension StoreError {
  public var code: String {
    switch kind {
    case .missingDirectory: "directory_missing"
    case .missingFile: "database_missing"
    case .emptyFile: "database_empty"
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
    case .copy(let problem): problem.code
    case .tookTooLong: "question_too_long"
    case .remote(let problem): problem.code
    case .noFile: "not_a_file"
    case .statement: "database_error"
    }
  }

  public var exit: ExitCode {
    switch kind {
    case .missingDirectory, .missingFile, .emptyFile, .notADatabase, .notAnUptakeDatabase, .corrupt, .readOnly, .locked,
      .newer, .older, .noRoomForSnapshot:
      .databaseUnusable
    case .refused(let refusal): refusal.isOfTheFile ? .databaseUnusable : .failed
    case .copy(let problem): problem.isUsage ? .usage : problem.isOfTheCopy ? .databaseUnusable : .failed
    case .remote(let problem): problem.exit
    case .noFile: .usage
    case .full, .inputOutput, .tookTooLong, .statement: .failed
    }
  }
}

extension RemoteProblem {
  fileprivate var exit: ExitCode {
    switch kind {
    case .unreachable, .failed: .failed
    case .refused, .unusable: .databaseUnusable
    case .unsupported: .usage
    }
  }
}
