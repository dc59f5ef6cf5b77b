internal import Ingest

/// What Android must find in the manifest of an app that updates itself in the background.
///
/// Source: Android Developers, "Schedule tasks with WorkManager", "Schedule alarms", "Safer component exporting"; Firebase,
/// "Set up a Firebase Cloud Messaging client app on Android".
enum AndroidRules {
  static let all: [Rule<AndroidManifest>] = [
    Rule("android-internet", why: "an app without the permission reaches no server") { manifest in
      permission("INTERNET", manifest, missing: "declare it, unless a library's manifest does")
    },
    Rule(
      "android-work-permissions",
      why:
        "WorkManager's own manifest brings them; an app that takes one out has no periodic work after a restart, or none"
        + " that waits for the network"
    ) { manifest in
      let removed = ["RECEIVE_BOOT_COMPLETED", "ACCESS_NETWORK_STATE", "WAKE_LOCK"].filter {
        manifest.permission($0).map(manifest.isRemoved) ?? false
      }
      return removed.isEmpty
        ? Remark.pass(manifest.at("uses-permission"), "none taken out")
        : removed.flatMap {
          Remark.fail(manifest.at("uses-permission \($0)"), "taken out (tools:node)", fix: "leave the line out")
        }
    },
    Rule(
      "android-work-initializer",
      why:
        "without its initializer WorkManager starts only in an app that configures it itself (Configuration.Provider); else"
        + " work that was scheduled does not run when the app is dead"
    ) { workInitializer($0) },
    Rule(
      "android-messaging-service",
      why:
        "data messages are given to a service of the app for com.google.firebase.MESSAGING_EVENT; without one they are lost"
    ) { messagingService($0) },
    Rule("android-exported", why: "Android 12 and newer refuse to install an app whose component does not say it") {
      manifest in
      manifest.components("activity", "activity-alias", "service", "receiver").filter {
        !$0.children("intent-filter").isEmpty && manifest.value("exported", $0) == nil && !manifest.isRemoved($0)
      }.flatMap {
        Remark.fail(
          manifest.at("\($0.name) \(manifest.name($0))"), "an intent-filter without android:exported",
          fix: "add android:exported=\"false\", or \"true\" for what other apps start")
      }
    },
    Rule("android-disabled", why: "the system calls no component that is switched off") { manifest in
      manifest.components("service", "receiver").filter { manifest.value("enabled", $0) == "false" }.flatMap {
        Remark.warn(
          manifest.at("\($0.name) \(manifest.name($0))"), "android:enabled=\"false\"",
          fix: "leave it out, unless the app switches the component on")
      }
    },
    Rule(
      "android-exact-alarms",
      why:
        "looking for updates needs no exact time: the permission is denied by default since Android 14, and Google Play"
        + " grants USE_EXACT_ALARM to alarm clocks and calendars only"
    ) { manifest in
      unwanted(["SCHEDULE_EXACT_ALARM", "USE_EXACT_ALARM"], manifest, fix: "schedule periodic work with WorkManager")
    },
    Rule(
      "android-battery",
      why: "Google Play permits the question to a few kinds of apps only; periodic work runs without it"
    ) { manifest in
      unwanted(["REQUEST_IGNORE_BATTERY_OPTIMIZATIONS"], manifest, fix: "leave it out")
    },
    Rule("android-legacy-receiver", why: "receivers of GCM, which came before FCM, get nothing any more") { manifest in
      manifest.components("receiver").filter {
        manifest.actions($0).contains("com.google.android.c2dm.intent.RECEIVE") && !manifest.isRemoved($0)
          && !manifest.name($0).hasPrefix("com.google.firebase.")
      }.flatMap {
        Remark.warn(manifest.at("receiver \(manifest.name($0))"), "for GCM", fix: "use a FirebaseMessagingService")
      }
    },
    Rule(
      "android-backup",
      why: "a backup that holds the installation's id comes to another phone, and two devices count as one"
    ) { manifest in
      guard let application = manifest.application else { return [] }
      let rules = ["dataExtractionRules", "fullBackupContent"].contains { manifest.value($0, application) != nil }
      return manifest.value("allowBackup", application) == "false" || rules
        ? Remark.pass(manifest.at("application"), "backups are ruled")
        : Remark.note(
          manifest.at("application android:allowBackup"),
          manifest.value("allowBackup", application) ?? "not given: true",
          fix: "keep the id out of backups with android:dataExtractionRules")
    },
  ]

  private static func permission(_ name: String, _ manifest: AndroidManifest, missing: String) -> [Remark] {
    let place = manifest.at("uses-permission \(name)")
    guard let found = manifest.permission(name) else { return Remark.warn(place, "missing", fix: missing) }
    return manifest.isRemoved(found)
      ? Remark.fail(place, "taken out (tools:node)", fix: "leave the line out") : Remark.pass(place, "declared")
  }

  private static func unwanted(_ names: [String], _ manifest: AndroidManifest, fix: String) -> [Remark] {
    names.filter { manifest.permission($0).map { !manifest.isRemoved($0) } ?? false }.flatMap {
      Remark.warn(manifest.at("uses-permission \($0)"), "declared", fix: fix)
    }
  }

  private static func workInitializer(_ manifest: AndroidManifest) -> [Remark] {
    let providers = manifest.components("provider").filter {
      manifest.name($0) == "androidx.startup.InitializationProvider"
    }
    let initializers = providers.flatMap { $0.children("meta-data") }.filter {
      manifest.name($0) == "androidx.work.WorkManagerInitializer"
    }
    return (providers + initializers).contains(where: manifest.isRemoved)
      ? Remark.warn(
        manifest.at("provider androidx.startup.InitializationProvider"), "taken out (tools:node)",
        fix: "let the Application implement Configuration.Provider, or leave the line out")
      : Remark.pass(manifest.at("provider androidx.startup.InitializationProvider"), "not taken out")
  }

  private static func messagingService(_ manifest: AndroidManifest) -> [Remark] {
    let services = manifest.components("service").filter {
      manifest.actions($0).contains("com.google.firebase.MESSAGING_EVENT") && !manifest.isRemoved($0)
    }
    let place = manifest.at("service")
    guard let first = services.first else {
      return Remark.warn(
        place, "none for com.google.firebase.MESSAGING_EVENT",
        fix: "declare a FirebaseMessagingService, unless a library's manifest does: look into the merged manifest")
    }
    if services.count > 1 {
      return Remark.warn(
        place, services.map(manifest.name).joined(separator: ", "),
        fix: "keep one: the system calls only one of them")
    }
    return manifest.value("exported", first) == "true"
      ? Remark.warn(
        manifest.at("service \(manifest.name(first))"), "android:exported=\"true\"",
        fix: "set it to false: else any app can send it messages") : Remark.pass(place, manifest.name(first))
  }
}
