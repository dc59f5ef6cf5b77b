import Foundation
import Testing

/// The checks of payloads and of apps' files, as a pipeline calls them; the rules themselves have tests of their own.
struct PreflightTests {
  private static let headers = "apns-push-type: background, apns-priority: 5, apns-topic: com.example.demo"

  private func folder(_ files: [String: String]) throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    for (path, text) in files {
      let file = folder.appending(path: path)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return folder
  }

  @Test func passesAGoodPayloadFromStandardInput() throws {
    let run = try Binary.start(
      Binary.path, ["push", "check", "-", "--headers", Self.headers, "--json"],
      input: #"{"aps": {"content-available": 1}}"#)
    #expect(run.status == 0 && run.errors.contains("1 note, 7 pass"), "\(run)")
    let answer = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    #expect(answer?["schema"] as? String == "uptake.push-check/1")
    #expect((answer?["data"] as? [[String: Any]])?.first?["verdict"] as? String == "note")
  }

  @Test func failsABadOneAndSaysWhy() throws {
    let run = try Binary.start(
      Binary.path, ["push", "check", "-", "--format", "table"], input: #"{"aps": {"alert": "New"}}"#)
    #expect(run.status == 3)
    #expect(run.output.contains("apns-only-content-available") && run.output.contains("leave alert out"))
  }

  @Test(arguments: [
    (["push", "check", "/nowhere.json"], 2, "there is no file /nowhere.json"),
    (["push", "check"], 2, "push check needs PAYLOAD"),
    (["push", "check", "/proc/version"], 3, "the body is not JSON"),
    (["push", "check", "-", "--headers", "nonsense"], 2, "\"nonsense\" is not a header"),
    (["app", "check", "/nowhere"], 2, "there is no file /nowhere"),
    (["app", "check", "/proc/version"], 2, "is no Info.plist"),
    (["app", "check", "/proc/self/attr"], 2, "there is no Info.plist, no entitlements and no AndroidManifest.xml in"),
  ]) func refuses(_ words: [String], _ status: Int32, _ message: String) throws {
    let run = try Binary.start(Binary.path, words, input: "{}")
    #expect(run.status == status && run.output == "" && run.errors.contains(message), "\(run)")
  }

  /// A release may be called as the check is.
  @Test func asksForAReleaseOfThatName() throws {
    #expect(try Binary.run("push", "--", "check", "--db", "/nowhere.db").status == 2)
    #expect(try Binary.run("push", "--db", "/nowhere.db", "--", "check").status == 5)
  }

  @Test func looksThroughAProject() throws {
    let plist = #"<plist><dict><key>UIBackgroundModes</key><array><string>fetch</string></array></dict></plist>"#
    let folder = try folder([
      "ios/App/Info.plist": plist, "ios/AppTests/Tests-Info.plist": plist,
      "node_modules/other/Info.plist": "none",
      "android/app/src/main/AndroidManifest.xml": "<manifest><application/></manifest>",
      "android/app/src/debug/AndroidManifest.xml": "none",
      "android/app/src/main/kotlin/Sync.kt": "PeriodicWorkRequestBuilder<Sync>(5, TimeUnit.MINUTES)",
    ])
    defer { try? FileManager.default.removeItem(at: folder) }
    let run = try Binary.run("app", "check", folder.path, "--format", "tsv", "--no-header")
    let failed = run.output.split(separator: "\n").filter { $0.contains("\tfail\t") }.map { $0.prefix { $0 != "\t" } }
    #expect(run.status == 3)
    #expect(failed == ["ios-remote-notification", "ios-task-identifiers"])
    #expect(run.output.contains("Sync.kt: PeriodicWorkRequest\tevery 5 min"))
    #expect(!run.output.contains("node_modules") && !run.output.contains("debug"))
  }
}
