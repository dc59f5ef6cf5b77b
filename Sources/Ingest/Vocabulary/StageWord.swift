import Lifecycle

/// A word that clients use for a stage, and the reason that it implies where the client gives none.
struct StageWord {
  var word: String
  var stage: Stage
  var reason: String?

  init(_ word: String, _ stage: Stage, reason: String? = nil) {
    self.word = word
    self.stage = stage
    self.reason = reason
  }

  static let all =
    Stage.allCases.flatMap { stage in spellings(of: stage.rawValue).map { StageWord($0, stage) } } + others

  /// What Swiftpatch's two generations of clients call the stages, and the word most people type for `ready`.
  private static let others = [
    StageWord("installed", .ready),
    StageWord("update-available", .available),
    StageWord("download-progress", .downloadStarted),
    StageWord("download-complete", .downloadCompleted),
    StageWord("update-ready", .ready),
    StageWord("update-applied", .applied),
    StageWord("update-dismissed", .dismissed),
    StageWord("rollback", .rolledBack),
    StageWord("error", .failed),
    StageWord("DOWNLOAD_PROD_STARTED", .downloadStarted),
    StageWord("DOWNLOAD_PROD_COMPLETED", .downloadCompleted),
    StageWord("DOWNLOAD_PROD_FAILED", .failed, reason: "download"),
    StageWord("INSTALLED_PROD", .ready),
    StageWord("ROLLBACK_PROD", .rolledBack),
    StageWord("STABILIZE_PROD", .confirmed),
    StageWord("CORRUPTION_PROD", .failed, reason: "corruption"),
    StageWord("SYNC_ERROR", .failed, reason: "sync"),
    StageWord("VERSION_CHANGED", .applied),
    StageWord("CRASH_DETECTED", .crashed),
    // Stallion's, but for those that Swiftpatch has as well.
    StageWord("DOWNLOAD_STARTED_PROD", .downloadStarted),
    StageWord("DOWNLOAD_RESUME_PROD", .downloadStarted),
    StageWord("DOWNLOAD_PROGRESS_PROD", .downloadStarted),
    StageWord("DOWNLOAD_COMPLETE_PROD", .downloadCompleted),
    StageWord("DOWNLOAD_ERROR_PROD", .failed, reason: "download"),
    StageWord("SYNC_ERROR_PROD", .failed, reason: "sync"),
    StageWord("SIGNATURE_VERIFICATION_FAILED", .failed, reason: "signature"),
    StageWord("FILE_MOUNTING_ERROR", .failed, reason: "mounting"),
    StageWord("CORRUPTED_FILE_ERROR", .failed, reason: "corruption"),
    StageWord("STABILIZED_PROD", .confirmed),
    StageWord("EXCEPTION_PROD", .crashed, reason: "exception"),
    StageWord("AUTO_ROLLED_BACK_PROD", .rolledBack, reason: "crash"),
    StageWord("ROLLED_BACK_PROD", .rolledBack, reason: "server"),
  ]
}
