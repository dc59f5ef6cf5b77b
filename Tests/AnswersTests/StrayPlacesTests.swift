import Console
import Lifecycle
import Query
import Store
import Testing

@testable import Answers

/// A release that came further than it is registered: to another platform, or to another channel.
struct StrayPlacesTests {
  private static let now = "2025-03-04T12:00:00Z"
  typealias Place = (release: String, channel: String, platform: String?, at: String)

  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var devices = 40
    /// Where and for what 2.0 is registered.
    var channel = "production"
    var platform: String?
    /// Where devices were before they took it.
    var before = "production"
    /// Another registered release.
    var other: Place?
    /// Of `status`, beside the line of its own; nil where there is none.
    var says: String?
    var command = ""
    var testDescription: String { name }
  }

  private static let rows = [
    Row(
      name: "registered for iOS, taken by Android", platform: "ios",
      says:
        "40 devices on production (android) took 2.0 since 2025-03-04 08:00 UTC, which is registered there for ios alone:"
        + " for them 1.0 counts as the newest",
      command: "--channel production --platform android"),
    Row(
      name: "and a newer one came for iOS", platform: "ios",
      other: ("2.1", "production", "ios", "2025-03-04T10:00:00Z"),
      says:
        "40 devices on production (android) took 2.0 since 2025-03-04 08:00 UTC, which is registered there for ios alone:"
        + " for them 1.0 counts as the newest",
      command: "--channel production --platform android"),
    Row(
      name: "registered nowhere, and iOS got another one since", channel: "",
      other: ("2.1", "production", "ios", "2025-03-04T10:00:00Z"),
      says: "40 devices on production (android) took 2.0 since 2025-03-04 08:00 UTC, which nobody registered there:"
        + " 1.0 counts as the newest",
      command: "--channel production --platform android"),
    Row(
      name: "registered on beta, taken by production", channel: "beta",
      says:
        "40 devices on production took 2.0 since 2025-03-04 08:00 UTC, which is registered on beta alone, where they never"
        + " were: 1.0 counts as the newest", command: "--channel production"),
    Row(name: "brought from beta", channel: "beta", before: "beta"),
    Row(name: "a few on beta", devices: 4, channel: "beta"),
    Row(name: "a few on Android", devices: 4, platform: "ios"),
    Row(name: "registered for all"),
  ]

  @Test(arguments: rows) func isJudgedWhereItCame(_ row: Row) throws {
    let database = try Self.database(row)
    let snapshot = try Snapshot(path: database.path)
    let now = try Timestamp(rfc3339: Self.now)
    let status = try Status(snapshot, app: nil, channels: [], Verdict.Options(), now: now)
    let text = status.text(width: 600, glyphs: .ascii, colour: false)
    let place = row.command.contains("android") ? "production (android)" : "production"
    let says = row.says.map {
      "! a: \($0): uptake release publish 2.0 --app a \(row.command) --at 2025-03-04T08:00:00Z\n"
    }
    #expect(
      says.map { text.contains("x \(place) 2.0 ") && text.contains($0) } ?? !text.contains("took 2.0"), "\(text)")
    #expect(row.says == nil || status.decision == .stop, "\(text)")
    for question in ["verdict", "diagnose"] {
      let said = try ask([question, "--now", Self.now], snapshot)
      #expect(row.says.map { said.contains($0) } ?? !said.contains("took 2.0"), "\(said)")
    }
    let shown = try answer(["verdict", "--now", Self.now], snapshot)
    #expect(row.says == nil || shown.exit == .gateNotMet)
    guard row.channel != "beta" else { return }
    let ios = try ask(["verdict", "--platform", "ios", "--now", Self.now], snapshot)
    #expect(!ios.contains("took 2.0"), "\(ios)")
  }

  /// What is registered as it says is judged there without a word.
  @Test(arguments: rows.filter { $0.says != nil }) func theCommandEndsIt(_ row: Row) throws {
    let database = try Self.database(row)
    let android = row.command.contains("android") ? "android" : nil
    try Self.publish(("2.0", "production", android, "2025-03-04T08:00:00Z"), database)
    let status = try Status(
      Snapshot(path: database.path), app: nil, channels: [], Verdict.Options(), now: Timestamp(rfc3339: Self.now))
    let text = status.text(width: 600, glyphs: .ascii, colour: false)
    #expect(!text.contains("took 2.0") && status.decision == .stop, "\(text)")
  }

  /// As many on iOS, whose devices are well.
  private static func database(_ row: Row) throws -> Database {
    let phones = (0..<row.devices).flatMap { number in
      ["android", "ios"].flatMap { platform in
        phone("\(platform)\(number)", platform, row.before, crashes: platform == "android" && number % 2 == 0)
      }
    }
    let isBeta = row.channel == "beta"
    let newer = row.other.map { other in
      #"{"device":"ios0","platform":"ios","at":"2025-03-04T10:30:00Z","stage":"available","release":"\#(other.release)"}"#
    }
    let database = try Database(
      ((isBeta ? phones.filter { !$0.contains("ios") } : phones) + [newer].compactMap(\.self)).joined(separator: "\n"))
    for channel in isBeta ? ["production", "beta"] : ["production"] {
      try publish(("1.0", channel, nil, "2025-03-01T08:00:00Z"), database)
    }
    if !row.channel.isEmpty { try publish(("2.0", row.channel, row.platform, "2025-03-04T07:00:00Z"), database) }
    if let other = row.other { try publish(other, database) }
    return database
  }

  private static func phone(_ name: String, _ platform: String, _ before: String, crashes: Bool) -> [String] {
    let stages =
      [
        ("2T08:00", "applied", "1.0", before), ("4T08:00", "downloadStarted", "2.0", "production"),
        ("4T09:00", "applied", "2.0", "production"),
      ] + (crashes ? [("4T09:30", "crashed", "2.0", "production")] : [])
    return stages.map { at, stage, release, channel in
      #"{"device":"\#(name)","platform":"\#(platform)","channel":"\#(channel)","at":"2025-03-0\#(at):00Z","#
        + #""stage":"\#(stage)","release":"\#(release)"}"#
    }
  }

  private static func publish(_ place: Place, _ database: Database) throws {
    let at = try Timestamp(rfc3339: place.at)
    try Registry(path: database.path).publish(
      Publication(
        app: "a", release: ReleaseLabel(rawValue: place.release), channel: place.channel, platform: place.platform,
        publishedAt: at), now: at)
  }

  /// Two platforms whose releases have names of their own: each is held against its own.
  @Test(arguments: [("2-ios", "1-ios"), ("2-android", "1-android")])
  func adoptionIsHeldAgainstItsOwnPlatform(_ release: String, _ before: String) throws {
    let phones = ["android", "ios"].flatMap { platform in
      (0..<40).flatMap { number in
        [("1T08", "check", "0"), ("2T08", "applied", "1-\(platform)"), ("4T08", "applied", "2-\(platform)")].map {
          #"{"device":"\#(platform)\#(number)","platform":"\#(platform)","at":"2025-03-0\#($0):00:00Z","#
            + #""stage":"\#($1)","release":"\#($2)"}"#
        }
      }
    }
    let database = try Database(phones.joined(separator: "\n"))
    for (platform, minute) in [("ios", 0), ("android", 1)] {
      try Self.publish(("1-\(platform)", "production", platform, "2025-03-02T07:0\(minute):00Z"), database)
      try Self.publish(("2-\(platform)", "production", platform, "2025-03-04T07:0\(minute):00Z"), database)
    }
    let text = try ask(["adoption", release, "--now", Self.now], Snapshot(path: database.path))
    let other = before == "1-ios" ? "1-android" : "1-ios"
    #expect(text.contains(#""release":"\#(before)""#) && !text.contains(other), "\(text)")
    #expect(!text.contains("populations_differ"), "\(text)")
  }
}
