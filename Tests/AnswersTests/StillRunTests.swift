import Console
import Foundation
import Lifecycle
import Query
import Store
import Testing

@testable import Answers

/// A bad release that its channel got rid of goes on living on devices: answers say on how many.
struct StillRunTests {
  enum End: CaseIterable { case halted, withdrawn, harmful, harmless, longAgo }

  private static let now = "2025-03-04T09:30:00Z"

  /// 400 devices that launch 1.0 and then 2.0, on which every fifth crashes; 100 of them take 2.1, and 60 were not heard of since 2.0.
  private static func phones(_ end: End, _ isMended: Bool) -> String {
    (0..<400).map { number in
      func line(_ stage: String, _ release: String, _ at: String) -> String {
        #"{"device":"d\#(number)","platform":"ios","stage":"\#(stage)","release":"\#(release)","at":"2025-\#(at):00:00Z"}"#
      }
      let day = end == .longAgo ? "01-03" : "03-03"
      let own = [
        line("check", "0.9", "01-01T07"), line("applied", "1.0", "01-01T09"), line("applied", "2.0", "\(day)T09"),
      ]
      let crash = number % 5 == 0 && end != .harmless ? [line("crashed", "2.0", "\(day)T10")] : []
      let heard = number < 340 ? [line("check", "2.0", "03-04T07")] : []
      let hotfix = number < 100 && isMended ? [line("applied", "2.1", "03-04T09")] : []
      return (own + crash + heard + hotfix).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private static func database(_ end: End, hotfix: Bool = true) throws -> Database {
    let database = try Database(phones(end, hotfix))
    let registry = try Registry(path: database.path)
    func publish(_ label: String, _ at: String, halted: Milliseconds? = nil, on channel: String = "production") throws {
      let at = try Timestamp(rfc3339: at)
      let steps = halted.map { [RolloutStep(at: at, percent: 100), RolloutStep(at: at + $0, percent: 0)] } ?? []
      try registry.publish(
        Publication(
          app: "a", release: ReleaseLabel(rawValue: label), channel: channel, publishedAt: at, rollout: steps), now: at)
    }
    try publish("1.0", "2025-01-01T08:00:00Z")
    switch end {
    case .halted: try publish("2.0", "2025-03-03T08:00:00Z", halted: .hours(3))
    case .longAgo: try publish("2.0", "2025-01-03T08:00:00Z", halted: .hours(3))
    case .harmful, .harmless: try publish("2.0", "2025-03-03T08:00:00Z")
    case .withdrawn:
      try publish("2.0", "2025-03-03T08:00:00Z", on: "beta")
      try publish("2.0", "2025-03-03T08:00:00Z")
      let place = PublicationPlace(
        app: "a", release: ReleaseLabel(rawValue: "2.0"), channel: "production", platform: nil)
      _ = try registry.withdraw(place, now: try Timestamp(rfc3339: "2025-03-03T11:00:00Z"))
    }
    if hotfix { try publish("2.1", "2025-03-04T08:00:00Z") }
    return database
  }

  @Test(arguments: End.allCases) func theHotfixSaysHowManyRunTheBadOne(_ end: End) throws {
    let database = try Self.database(end)
    let snapshot = try Snapshot(path: database.path)
    let status = try Status(
      snapshot, app: nil, channels: ["production"], Verdict.Options(), now: try Timestamp(rfc3339: Self.now))
    let text = status.text(width: 600, glyphs: .ascii, colour: false)
    let why =
      switch end {
      case .halted: "; it was halted at 2025-03-03 11:00 UTC; 80 devices crashed"
      case .withdrawn: "; its publication was withdrawn at 2025-03-03 11:00 UTC; 80 devices crashed"
      case .harmful, .harmless, .longAgo: "; 80 devices crashed"
      }
    let isTold = ![.harmless, .longAgo].contains(end)
    let count = "300 of 400 devices that launched 2.0 on production still run it as of 2025-03-04 "
    let sentence = count + "[0-9:]+ UTC, of those heard of in the 28 days before" + why
    #expect((text.range(of: "! a: " + sentence, options: .regularExpression) != nil) == isTold, "\(text)")
    let verdict = try ask(["verdict", "2.1", "--channel", "production", "--now", Self.now], snapshot)
    #expect((verdict.range(of: sentence, options: .regularExpression) != nil) == isTold, "\(verdict)")
  }

  /// What nobody publishes there has no verdict and no row.
  @Test(arguments: [true, false]) func aWithdrawnOneIsNamed(_ isElsewhere: Bool) throws {
    let database = try Self.database(.withdrawn, hotfix: false)
    if !isElsewhere {
      _ = try Registry(path: database.path).withdraw(
        PublicationPlace(app: "a", release: ReleaseLabel(rawValue: "2.0"), channel: "beta", platform: nil),
        now: try Timestamp(rfc3339: "2025-03-03T12:00:00Z"))
    }
    let snapshot = try Snapshot(path: database.path)
    for question in [["verdict", "2.0"], ["releases"], ["adoption", "2.0"]] {
      let answer = try ask(question + ["--channel", "production", "--now", Self.now], snapshot)
      #expect(!answer.contains("nobody registered"), "\(answer)")
      #expect(answer.contains("stands in: if it was out, put it back with") != isElsewhere, "\(answer)")
    }
    for question in [["verdict", "2.0"], ["releases"]] {
      let answer = try ask(question + ["--channel", "production", "--now", Self.now], snapshot)
      #expect(
        answer.contains("the publication of 2.0 on production was withdrawn at 2025-03-03 11:00 UTC"), "\(answer)")
    }
    let status = try Status(
      snapshot, app: nil, channels: [], Verdict.Options(), now: try Timestamp(rfc3339: Self.now))
    let text = status.text(width: 600, glyphs: .ascii, colour: false)
    #expect(text.contains("! a: 400 of 400 devices that launched 2.0 on production still run it"), "\(text)")
    #expect(!text.contains("nobody registered"), "\(text)")
  }

  /// Of a channel from which its only release was taken no verdict is there to say so.
  @Test(arguments: [true, false]) func aWithdrawnOneIsNamedWhereNothingElseIsOut(_ isElsewhere: Bool) throws {
    let phones = (0..<12).map { number in
      #"{"device":"d\#(number)","channel":"beta","stage":"\#(isElsewhere ? "applied" : "check")","release":"2.0","at":"2025-03-03T09:00:00Z"}"#
    }
    let database = try Database(phones.joined(separator: "\n"))
    let (registry, at) = (try Registry(path: database.path), try Timestamp(rfc3339: "2025-03-03T08:00:00Z"))
    for channel in isElsewhere ? ["beta", "production"] : ["beta"] {
      try registry.publish(
        Publication(app: "a", release: ReleaseLabel(rawValue: "2.0"), channel: channel, publishedAt: at), now: at)
    }
    let place = PublicationPlace(app: "a", release: ReleaseLabel(rawValue: "2.0"), channel: "beta", platform: nil)
    #expect(try registry.withdraw(place, now: at + .hours(3)) != nil)
    let snapshot = try Snapshot(path: database.path)
    let said = "the publication of 2.0 on beta was withdrawn at 2025-03-03 11:00 UTC, and 12 devices still run it there"
    func status(_ now: Timestamp, channels: [String] = []) throws -> String {
      try Status(snapshot, app: nil, channels: channels, Verdict.Options(), now: now)
        .text(width: 600, glyphs: .ascii, colour: false)
    }
    for channels in [[], ["beta"]] {
      let text = try status(at + .days(1), channels: channels)
      #expect(text.contains("! a: " + said) && !text.contains("no release is known"), "\(text)")
    }
    let verdict = try ask(["verdict", "--channel", "beta", "--now", "2025-03-04T08:00:00Z"], snapshot)
    #expect(verdict.contains(said) && verdict.contains("withdrawn_release") && !verdict.contains("register one"))
    #expect(try !status(at + .days(40)).contains("withdrawn"), "it is no news any more")
    #expect(
      try !ask(["verdict", "--channel", "beta", "--now", "2025-03-04T08:00:00Z", "--min-cell", "20"], snapshot)
        .contains("12 devices"))
  }

  @Test(arguments: [true, false]) func theBadOneSaysItItself(_ hotfix: Bool) throws {
    let database = try Self.database(.halted, hotfix: hotfix)
    let snapshot = try Snapshot(path: database.path)
    let verdict = try ask(["verdict", "2.0", "--now", Self.now], snapshot)
    #expect(verdict.contains(#""launched":400,"release":"2.0","running":\#(hotfix ? 300 : 400)"#), "\(verdict)")
    let few = try ask(["verdict", "2.0", "--now", Self.now, "--min-cell", "350"], snapshot)
    let isWithheld =
      few.contains(#""launched":400,"release":"2.0","running":null"#) && few.contains("fewer than 350 of 400 devices")
    #expect(isWithheld == hotfix, "\(few)")
  }

  /// What happened since the last contact nobody knows; and who was silent for all of the window may run anything.
  @Test(arguments: [
    (
      "2025-03-04T10:00:00Z",
      "300 of 400 devices that launched it still run it as of 2025-03-04 10:00 UTC, of those heard of in the 28 days before"
    ),
    (
      "2025-03-04T20:00:00Z",
      "300 of 400 devices that launched it still run it as of 2025-03-04 09:00 UTC, when a device was heard of last, of those"
        + " heard of since 2025-02-04 20:00 UTC"
    ),
    (
      "2025-04-20T00:00:00Z",
      "how many of 400 devices that launched it still run it is not known: none was heard of in the 28 days before"
        + " 2025-04-20 00:00 UTC"
    ),
  ])
  func itIsToldAsOfWhenItIsKnown(_ now: String, _ sentence: String) throws {
    let database = try Self.database(.halted)
    let snapshot = try Snapshot(path: database.path)
    let verdict = try ask(["verdict", "2.0", "--now", now], snapshot)
    #expect(verdict.contains(sentence + "; it was halted at"), "\(verdict)")
    #expect(verdict.contains(#""running":null"#) == sentence.contains("not known"), "\(verdict)")
  }
}
