import Lifecycle

/// What @sentry/react-native says of Expo's updates by itself: breadcrumbs of one category, and a context on every event.
///
/// A breadcrumb of a download does not name what is downloaded: it is what a breadcrumb before it found.
struct SentryExpo {
  static let category = "expo.updates"
  private let context: JSONValue
  private let tags: JSONValue

  init(contexts: JSONValue, tags: JSONValue) {
    context = contexts["ota_updates"] ?? .null
    self.tags = tags
  }

  var channel: String? { context["channel"]?.word ?? tags["expo.updates.channel"]?.word }

  /// What runs: nil where Expo's updates are switched off, and where nobody says.
  func running(appVersion: String?) -> String? {
    let version = context["runtime_version"]?.word ?? appVersion
    if context["is_embedded_launch"]?.bool == true { return Draft.storeBuild(version) }
    return (context["update_id"] ?? tags["expo.updates.update_id"])?.word?.lowercased()
  }
}

/// One breadcrumb of Expo's updates.
struct ExpoCrumb {
  private let message: Message
  private let data: JSONValue

  private enum Message: String {
    case checking = "Checking for update"
    case available = "Update available"
    case downloading = "Downloading update"
    case downloaded = "Update downloaded"
    case checkFailed = "Update check failed"
    case downloadFailed = "Update download failed"
    case rollback = "Rollback directive received"
    case restarting = "Restarting for update"
  }

  init?(_ crumb: JSONValue) {
    guard crumb["category"]?.text == SentryExpo.category, let text = crumb["message"]?.text,
      let message = Message(rawValue: text)
    else { return nil }
    (self.message, data) = (message, crumb["data"] ?? .null)
  }

  /// Which update was found or fetched.
  var update: String? { data["updateId"]?.word?.lowercased() }

  /// - Parameter found: the update that was found last before it.
  func drafts(_ base: Draft, running: String?, found: String?) -> [Draft] {
    func draft(_ stage: Stage, _ release: String?, _ reason: String? = nil) -> Draft {
      var draft = base
      (draft.stage, draft.release, draft.reason) = (stage, release, reason)
      return draft
    }
    let error = data["error"]?.word
    switch message {
    case .checking, .restarting: return [draft(.check, running)]
    case .available: return [draft(.available, update)]
    case .downloading: return [draft(.downloadStarted, update ?? found)]
    case .downloaded: return [draft(.downloadCompleted, update ?? found), draft(.ready, update ?? found)]
    case .checkFailed: return [draft(.failed, nil, error ?? "check_failed")]
    case .downloadFailed: return [draft(.failed, found, error ?? "download_failed")]
    case .rollback:
      // The server takes back what runs; of the build from the store there is nothing to take back.
      guard let running, !running.hasPrefix(ReleaseLabel.storePrefix) else { return [draft(.check, running)] }
      return [draft(.rolledBack, running, "rollback_directive")]
    }
  }
}
