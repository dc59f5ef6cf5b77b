internal import Lifecycle

/// An app's Info.plist, and the file that it is.
struct InfoPlist {
  let path: String
  let values: PropertyList
  /// Identifiers of background tasks that the app's source names.
  let tasksInSource: [(identifier: String, path: String)]

  /// Extensions, frameworks, watch and Mac apps have a list of their own, which needs none of this.
  var isOfPhoneApp: Bool {
    let kind = values["CFBundlePackageType"]?.text ?? "APPL"
    return values["NSExtension"] == nil && values["WKApplication"] == nil && values["WKWatchKitApp"] == nil
      && values["NSPrincipalClass"]?.text != "NSApplication" && (kind == "APPL" || kind.hasPrefix("$("))
  }

  func at(_ key: String) -> String { "\(path): \(key)" }
  var modes: [String] { values["UIBackgroundModes"]?.texts ?? [] }
  var tasks: [String] { values["BGTaskSchedulerPermittedIdentifiers"]?.texts ?? [] }
}

/// What iOS must find in the Info.plist of an app that updates itself in the background.
///
/// Source: Apple, "Configuring background execution modes", "Pushing background updates to your App",
/// "BGTaskSchedulerPermittedIdentifiers".
enum InfoPlistRules {
  static let all: [Rule<InfoPlist>] = [
    Rule("ios-remote-notification", why: "without the mode iOS delivers no silent push in the background") { plist in
      mode("remote-notification", plist, isNeeded: true)
    },
    Rule("ios-fetch", why: "without the mode iOS grants no background refresh (BGAppRefreshTask)") { plist in
      mode("fetch", plist, isNeeded: true)
    },
    Rule("ios-processing", why: "only long tasks (BGProcessingTask) need the mode") { plist in
      mode("processing", plist, isNeeded: false)
    },
    Rule("ios-mode-words", why: "iOS passes over a word that it does not know, without an error") { plist in
      plist.modes.filter { !known.contains($0) }.flatMap { word in
        let near = known.min { editDistance(word, $0) < editDistance(word, $1) } ?? "fetch"
        return Remark.fail(plist.at("UIBackgroundModes"), "\"\(word)\"", fix: "did you mean \(near)?")
      }
    },
    Rule(
      "ios-task-identifiers",
      why: "a task whose identifier is not listed cannot be submitted, and registering it stops the app"
    ) { taskIdentifiers($0) },
    Rule(
      "ios-exits-on-suspend",
      why: "an app that exits when it is left is never resumed, and its wake-ups are cold starts"
    ) { plist in
      plist.values["UIApplicationExitsOnSuspend"] == .flag(true)
        ? Remark.fail(plist.at("UIApplicationExitsOnSuspend"), "true", fix: "leave it out") : []
    },
    Rule("ios-firebase-proxy", why: "with the proxy off Firebase sees no push that the app does not hand on") { plist in
      plist.values["FirebaseAppDelegateProxyEnabled"] == .flag(false)
        ? Remark.note(
          plist.at("FirebaseAppDelegateProxyEnabled"), "false",
          fix: "hand pushes on with Messaging.messaging().appDidReceiveMessage") : []
    },
  ]

  private static let known = [
    "audio", "location", "voip", "fetch", "remote-notification", "newsstand-content", "external-accessory",
    "bluetooth-central", "bluetooth-peripheral", "processing", "nearby-interaction", "push-to-talk",
    "network-authentication",
  ]

  private static func mode(_ word: String, _ plist: InfoPlist, isNeeded: Bool) -> [Remark] {
    let place = plist.at("UIBackgroundModes")
    if plist.modes.contains(word) { return Remark.pass(place, word) }
    let found = plist.modes.isEmpty ? "missing" : plist.modes.joined(separator: ", ")
    return isNeeded
      ? Remark.fail(place, found, fix: "add \(word) (Signing & Capabilities, Background Modes)")
      : Remark.note(place, "no \(word)", fix: "add \(word) if the app schedules a BGProcessingTask")
  }

  private static func taskIdentifiers(_ plist: InfoPlist) -> [Remark] {
    let place = plist.at("BGTaskSchedulerPermittedIdentifiers")
    let missing = plist.tasksInSource.filter { task in !plist.tasks.contains(task.identifier) }
    if !missing.isEmpty, !plist.tasks.contains(where: { $0.contains("$(") }) {
      return missing.flatMap { Remark.fail(place, "no \($0.identifier), which \($0.path) uses", fix: "list it there") }
    }
    if !plist.tasks.isEmpty { return Remark.pass(place, plist.tasks.joined(separator: ", ")) }
    return plist.modes.contains("fetch")
      ? Remark.fail(
        place, "missing", fix: "list the identifier that the app registers, such as com.swiftpatch.bg-refresh")
      : Remark.note(place, "missing", fix: "list the identifier of the refresh task, once the mode fetch is there")
  }

  private static func editDistance(_ one: String, _ other: String) -> Int {
    Lifecycle.editDistance(Array(one.unicodeScalars), Array(other.unicodeScalars))
  }
}
