import Lifecycle
import Testing

@testable import Ingest

/// Update checks of Expo's client in access logs, however the log spells headers.
@Suite struct ExpoLogTests {
  private func events(_ lines: String, app: String? = "com.example.demo") -> Asked {
    let bytes = Array(lines.utf8)
    let decoded = bytes.withUnsafeBytes {
      NativeDecoder(keys: keys).decode($0, as: .expoLog, .file(app: app, now: noon), Place())
    }
    return Asked(reply: .json("{}"), decoded: decoded)
  }

  static let update = "0190c6f4-0000-7000-8000-000000000001"

  @Test(arguments: [
    """
    {"time":"2024-03-04T09:00:00Z","http_eas_client_id":"E1","http_expo_current_update_id":"\(update)",\
    "http_expo_embedded_update_id":"-","http_expo_platform":"ios","http_expo_runtime_version":"1.0","http_expo_channel_name":"beta"}
    """,
    """
    {"ts":1709542800.0,"request":{"method":"GET","headers":{"Eas-Client-Id":["E1"],"Expo-Current-Update-Id":["\(update)"],\
    "Expo-Platform":["ios"],"Expo-Runtime-Version":["1.0"],"Expo-Channel-Name":["beta"]}}}
    """,
  ])
  func aCheckIsASignOfLife(_ line: String) {
    let asked = events(line)
    #expect(asked.events == ["check \(Self.update) unknown at 2024-03-04T09:00:00Z on beta"])
    #expect(
      asked.context == Context(app: "com.example.demo", channel: "beta", platform: "ios", appVersion: "1.0"))
  }

  /// What was read from a file would all have happened when it was read.
  @Test(arguments: ["2024-03-04 09:00:00", "04/Mar/2024:09:00:00 +0000", "2024-03-04T09:00:00", ""])
  func aLineWithoutATimeIsRefused(_ time: String) {
    let asked = events(#"{"time":"\#(time)","http_eas_client_id":"E1","http_expo_platform":"ios"}"#)
    #expect(asked.events == [])
    let refused = asked.decoded.rejections.map { "\($0.code.rawValue): \($0.message)" }
    #expect(
      refused.count == 1 && refused[0].hasPrefix("bad_time: the line says no time that can be read; log RFC 3339"))
  }

  @Test func whatTheStoreShippedIsNoUpdate() {
    let line = """
      {"time":"2024-03-04T09:00:00Z","EAS-Client-ID":"e","Expo-Current-Update-ID":"A1","Expo-Embedded-Update-ID":"a1",\
      "Expo-Runtime-Version":"2.0"}
      """
    #expect(events(line).events == ["check store:2.0 unknown at 2024-03-04T09:00:00Z"])
  }

  @Test func aStickyFailureIsOneEventOfDeviceAndUpdate() {
    func line(_ time: String, _ more: String = "") -> String {
      #"{"time":"\#(time)","EAS-Client-ID":"e","Expo-Recent-Failed-Update-IDs":"\"\#(Self.update)\", \"B2\""\#(more)}"#
    }
    let fatal = #","Expo-Fatal-Error":"TypeError: undefined""#
    let asked = events(line("2024-03-04T09:00:00Z", fatal) + "\n\n" + line("2024-03-04T10:00:00Z"))
    #expect(
      asked.events == [
        "check - unknown at 2024-03-04T09:00:00Z",
        "rolledBack \(Self.update) unknown because launch_failed at 2024-03-04T09:00:00Z",
        "rolledBack b2 unknown because launch_failed at 2024-03-04T09:00:00Z",
        "crashed \(Self.update) unknown because TypeError: undefined at 2024-03-04T09:00:00Z",
        "check - unknown at 2024-03-04T10:00:00Z",
        "rolledBack \(Self.update) unknown because launch_failed at 2024-03-04T10:00:00Z",
        "rolledBack b2 unknown because launch_failed at 2024-03-04T10:00:00Z",
      ])
    let identities = asked.decoded.batch.events.map(\.identity)
    #expect(identities[1] == identities[5] && identities[2] == identities[6] && identities[1] != identities[2])
  }

  /// expo/expo, packages/expo-updates: ios/EXUpdates/ErrorRecovery.swift writes the log for each fatal error of the app, and
  /// `startPipeline` calls the launch failed only before the first screen of an update that never launched well;
  /// android/…/launcher/NoDatabaseLauncher.kt writes it only as it starts the embedded bundle without database and files;
  /// `recentUpdateIdsWithFailedLaunch` lists newest first, and goes on for weeks.
  @Test(arguments: [
    ("ios", "a2", "", "a2"), ("ios", "a1", #"\"a2\""#, "a2"), ("ios", "a2", #"\"a3\", \"a2\""#, "a2"),
    ("ios", "e0", "", "store:1.0"), ("android", "a2", "", "-"), ("android", "a1", #"\"a2\""#, "-"),
  ])
  func anErrorIsOfTheUpdateThatBroke(_ row: (platform: String, current: String, failed: String, broken: String)) {
    let line = """
      {"time":"2024-03-04T09:00:00Z","EAS-Client-ID":"e","Expo-Platform":"\(row.platform)","Expo-Runtime-Version":"1.0",\
      "Expo-Current-Update-ID":"\(row.current)","Expo-Embedded-Update-ID":"e0",\
      "Expo-Recent-Failed-Update-IDs":"\(row.failed)","Expo-Fatal-Error":"boom"}
      """
    #expect(events(line).events.last == "crashed \(row.broken) unknown because boom at 2024-03-04T09:00:00Z")
  }

  @Test func otherLinesAreNoEventsAndBrokenOnesAreSaid() {
    let asked = events(#"{"path":"/favicon.ico"}"# + "\nnonsense\n" + #"{"EAS-Client-ID":"e","ts":1709542800}"#)
    #expect(asked.events == ["check - unknown at 2024-03-04T09:00:00Z"])
    #expect(asked.decoded.rejections.map(\.line) == [2])
  }
}
