import Testing

@testable import Preflight

/// What each rule says of an app's files: a row a way to break it.
struct AppCheckTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var files: [String: String]
    /// `rule verdict` of everything that does not hold, and where there are more of a rule, what was found.
    var says: [String]
    var testDescription: String { name }
  }

  private static func said(_ files: [String: String]) -> [String] {
    let files = files.sorted { $0.key < $1.key }.compactMap { AppFile(path: $0.key, bytes: Array($0.value.utf8)) }
    return rulings(on: files).filter { $0.verdict != .pass }.map { "\($0.rule) \($0.verdict): \($0.found)" }
  }

  @Test(arguments: ios + entitlements + android + sources) func says(_ row: Row) {
    #expect(Self.said(row.files) == row.says)
  }

  @Test func everyRuleHasARow() {
    let names =
      InfoPlistRules.all.map(\.name) + EntitlementRules.all.map(\.name) + AndroidRules.all.map(\.name)
      + SourceRules.all.map(\.name) + ["file"]
    let said = Set(
      (Self.ios + Self.entitlements + Self.android + Self.sources).flatMap(\.says).map { $0.prefix { $0 != " " } }
        .map(String.init))
    #expect(said == Set(names))
    #expect(Set(names).count == names.count)
  }

  private static func plist(_ content: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <!-- the app's -->
    <plist version="1.0"><dict><key>CFBundlePackageType</key><string>APPL</string>\(content)</dict></plist>
    """
  }
  private static let modes =
    "<key>UIBackgroundModes</key><array><string>remote-notification</string><string>fetch</string><string>processing</string></array>"
  private static let tasks =
    "<key>BGTaskSchedulerPermittedIdentifiers</key><array><string>com.example.refresh</string></array>"
  private static let entitled = [
    "app.entitlements": plist("<key>aps-environment</key><string>development</string>")
  ]
  private static func ios(_ name: String, _ content: String, more: [String: String] = [:], _ says: [String]) -> Row {
    Row(
      name: name, files: entitled.merging(["Info.plist": plist(content)]) { $1 }.merging(more) { $1 }, says: says)
  }

  private static let ios = [
    ios("right", modes + tasks, []),
    ios(
      "nothing", "",
      [
        "ios-remote-notification fail: missing", "ios-fetch fail: missing", "ios-processing note: no processing",
        "ios-task-identifiers note: missing",
      ]),
    ios(
      "no mode for pushes", "<key>UIBackgroundModes</key><array><string>fetch</string></array>" + tasks,
      ["ios-remote-notification fail: fetch", "ios-processing note: no processing"]),
    ios(
      "a word that is none",
      "<key>UIBackgroundModes</key><array><string>remote-notifications</string><string>fetch</string></array>" + tasks,
      [
        "ios-remote-notification fail: remote-notifications, fetch", "ios-processing note: no processing",
        "ios-mode-words fail: \"remote-notifications\"",
      ]),
    ios("no task identifiers", modes, ["ios-task-identifiers fail: missing"]),
    ios(
      "another identifier in the source", modes + tasks,
      more: ["App.swift": "let r = BGAppRefreshTaskRequest(identifier: \"com.example.other\")"],
      ["ios-task-identifiers fail: no com.example.other, which App.swift uses"]),
    ios(
      "the same in the source", modes + tasks,
      more: [
        "App.m":
          "[[BGTaskScheduler sharedScheduler] registerForTaskWithIdentifier:@\"com.example.refresh\" usingQueue:nil"
      ],
      []),
    ios(
      "exits", modes + tasks + "<key>UIApplicationExitsOnSuspend</key><true/>", ["ios-exits-on-suspend fail: true"]),
    ios(
      "no proxy", modes + tasks + "<key>FirebaseAppDelegateProxyEnabled</key><false/>",
      ["ios-firebase-proxy note: false"]),
    ios(
      "an extension's", "<key>NSExtension</key><dict/>", ["file note: no phone app's list"]),
    Row(
      name: "no entitlements", files: ["Info.plist": plist(modes + tasks)],
      says: ["ios-aps-environment note: not given"]),
    Row(
      name: "binary", files: ["Info.plist": "bplist00\u{1}", "a.entitlements": entitled["app.entitlements"] ?? ""],
      says: ["file fail: a binary property list"]),
    Row(
      name: "cut off", files: ["Info.plist": "<plist><dict>", "a.entitlements": entitled["app.entitlements"] ?? ""],
      says: ["file fail: the XML ends in the middle"]),
    Row(
      name: "entities of its own", files: ["a.entitlements": "<!DOCTYPE a [<!ENTITY b \"c\">]><plist><dict/></plist>"],
      says: ["file fail: a document type is not read here"]),
  ]

  private static let entitlements = [
    Row(name: "none of pushes", files: ["a.entitlements": plist("")], says: ["ios-aps-environment fail: missing"]),
    Row(
      name: "another word", files: ["a.entitlements": plist("<key>aps-environment</key><string>prod</string>")],
      says: ["ios-aps-environment fail: prod"]),
    Row(
      name: "a setting", files: ["a.entitlements": plist("<key>aps-environment</key><string>$(APS)</string>")],
      says: ["ios-aps-environment note: $(APS)"]),
  ]

  private static let internet = "<uses-permission android:name=\"android.permission.INTERNET\"/>"
  private static let service = """
    <service android:name=".Push" android:exported="false"><intent-filter>
    <action android:name="com.google.firebase.MESSAGING_EVENT"/></intent-filter></service>
    """
  private static func android(
    _ name: String, permissions: String = internet, components: String = service,
    application: String = "android:allowBackup=\"false\"", _ says: [String]
  ) -> Row {
    Row(
      name: name,
      files: [
        "AndroidManifest.xml": """
        <?xml version="1.0" encoding="utf-8"?>
        <manifest xmlns:android="http://schemas.android.com/apk/res/android" xmlns:tools="http://schemas.android.com/tools">
          \(permissions)
          <application \(application)>
          \(components)
          </application>
        </manifest>
        """
      ], says: says)
  }

  private static let android = [
    android("right", []),
    android("no INTERNET", permissions: "", ["android-internet warn: missing"]),
    android(
      "INTERNET taken out",
      permissions: "<uses-permission android:name=\"android.permission.INTERNET\" tools:node=\"remove\"/>",
      ["android-internet fail: taken out (tools:node)"]),
    android(
      "no restart",
      permissions: internet
        + "<uses-permission android:name=\"android.permission.RECEIVE_BOOT_COMPLETED\" tools:node=\"remove\"/>",
      ["android-work-permissions fail: taken out (tools:node)"]),
    android(
      "no initializer",
      components: service
        + "<provider android:name=\"androidx.startup.InitializationProvider\"><meta-data android:name=\"androidx.work.WorkManagerInitializer\" tools:node=\"remove\"/></provider>",
      ["android-work-initializer warn: taken out (tools:node)"]),
    android(
      "no service", components: "", ["android-messaging-service warn: none for com.google.firebase.MESSAGING_EVENT"]),
    android(
      "two services", components: service + service.replacing(".Push", with: ".Other"),
      ["android-messaging-service warn: .Push, .Other"]),
    android(
      "a service for everybody", components: service.replacing("\"false\"", with: "\"true\""),
      ["android-messaging-service warn: android:exported=\"true\""]),
    android(
      "exported or not", components: service.replacing(" android:exported=\"false\"", with: ""),
      ["android-exported fail: an intent-filter without android:exported"]),
    android(
      "switched off",
      components: service.replacing("android:exported", with: "android:enabled=\"false\" android:exported"),
      ["android-disabled warn: android:enabled=\"false\""]),
    android(
      "exact alarms",
      permissions: internet + "<uses-permission android:name=\"android.permission.SCHEDULE_EXACT_ALARM\"/>",
      ["android-exact-alarms warn: declared"]),
    android(
      "the battery",
      permissions: internet
        + "<uses-permission android:name=\"android.permission.REQUEST_IGNORE_BATTERY_OPTIMIZATIONS\"/>",
      ["android-battery warn: declared"]),
    android(
      "GCM",
      components: service
        + "<receiver android:name=\".Gcm\" android:exported=\"true\"><intent-filter><action android:name=\"com.google.android.c2dm.intent.RECEIVE\"/></intent-filter></receiver>",
      ["android-legacy-receiver warn: for GCM"]),
    android("backups of everything", application: "", ["android-backup note: not given: true"]),
    Row(
      name: "a library's", files: ["AndroidManifest.xml": "<manifest/>"],
      says: ["file note: a library's manifest, without an application"]),
    Row(
      name: "as an APK holds it", files: ["AndroidManifest.xml": "\u{3}\u{0}\u{8}"],
      says: ["file fail: a manifest in binary, as an APK holds it"]),
  ]

  private static func source(_ text: String, _ name: String = "Sync.kt") -> [String: String] { [name: text] }
  private static let sources = [
    Row(
      name: "every ten minutes",
      files: source("val w = PeriodicWorkRequestBuilder<SyncWorker>(10, TimeUnit.MINUTES).build()"),
      says: ["android-work-period warn: every 10 min"]),
    Row(
      name: "in Java, every hour",
      files: source("new PeriodicWorkRequest.Builder(Sync.class, 1L, TimeUnit.HOURS)", "Sync.java"), says: []),
    Row(
      name: "with a flexible end",
      files: source("PeriodicWorkRequestBuilder<A>(\n  600, TimeUnit.SECONDS, 5, TimeUnit.MINUTES)"),
      says: ["android-work-period warn: every 10 min"]),
    Row(
      name: "a period that is a name", files: source("PeriodicWorkRequestBuilder<A>(period, TimeUnit.MINUTES)"),
      says: []),
  ]

  @Test(arguments: [
    ("ios/Runner/Info.plist", AppFile.Kind.infoPlist), ("App-Info.plist", .infoPlist),
    ("a.entitlements", .entitlements),
    ("app/src/main/AndroidManifest.xml", .androidManifest), ("a/B.kt", .source),
  ]) func knowsFilesByName(_ path: String, _ kind: AppFile.Kind) { #expect(AppFile.Kind(path: path) == kind) }

  @Test(arguments: ["AppTests-Info.plist", "strings.xml", "a.png", "plist"]) func passesOver(_ path: String) {
    #expect(AppFile.Kind(path: path) == nil)
  }
}
