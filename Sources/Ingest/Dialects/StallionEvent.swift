import Lifecycle

/// What Stallion's words for events of published releases mean.
enum StallionEvent {
  struct Meaning {
    var stage: Stage
    var reason: String?
    /// Whether `meta` says why in words; else it names a folder of the device.
    var tellsMore = false
    var isOfNoRelease = false
  }

  static let meanings: [String: [Meaning]] = [
    "DOWNLOAD_STARTED_PROD": [Meaning(stage: .downloadStarted)],
    "DOWNLOAD_RESUME_PROD": [Meaning(stage: .downloadStarted)],
    // It is unpacked, patched and verified by then, and waits for the next start.
    "DOWNLOAD_COMPLETE_PROD": [Meaning(stage: .downloadCompleted), Meaning(stage: .ready)],
    "DOWNLOAD_ERROR_PROD": [Meaning(stage: .failed, reason: "download", tellsMore: true)],
    // The check got no answer.
    "SYNC_ERROR_PROD": [Meaning(stage: .failed, reason: "sync", tellsMore: true, isOfNoRelease: true)],
    "SIGNATURE_VERIFICATION_FAILED": [Meaning(stage: .failed, reason: "signature")],
    "FILE_MOUNTING_ERROR": [Meaning(stage: .failed, reason: "mounting")],
    "CORRUPTED_FILE_ERROR": [Meaning(stage: .failed, reason: "corruption")],
    "INSTALLED_PROD": [Meaning(stage: .applied)],
    "STABILIZED_PROD": [Meaning(stage: .confirmed)],
    "EXCEPTION_PROD": [Meaning(stage: .crashed, reason: "exception", tellsMore: true)],
    "AUTO_ROLLED_BACK_PROD": [Meaning(stage: .rolledBack, reason: "crash", tellsMore: true)],
    "ROLLED_BACK_PROD": [Meaning(stage: .rolledBack, reason: "server", tellsMore: true)],
  ]

  /// Of a stack trace that is what was thrown.
  static func firstLine(_ text: String) -> String? {
    let line = text.prefix { !$0.isNewline }.drop(while: \.isWhitespace)
    return line.isEmpty ? nil : String(line)
  }
}
