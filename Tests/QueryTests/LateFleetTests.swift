import Lifecycle
import Query
import Store
import Testing

/// A release that came after the cutoff, in a fleet of which some events arrive hours late.
@Suite struct LateFleetTests {
  /// Data end three hours before a question.
  ///
  /// - Parameter more: events.
  private func fleet(_ more: [String] = []) throws -> Fleet {
    let fleet = try Fleet()
    let lines = (0..<20).map { device in
      #"{"device":"d\#(device)","stage":"check","release":"v1","at":"2024-03-04T07:00:00Z","#
        + #""received":"2024-03-04T\#(device < 4 ? "10" : "07"):00:00Z"}"#
    }
    try fleet.load((lines + more).joined(separator: "\n"))
    for (release, hour) in [("v1", 1), ("v2", 11)] {
      try fleet.publish([
        Publication(
          app: "com.example.demo", release: ReleaseLabel(rawValue: release), channel: "production",
          publishedAt: Timestamp(rfc3339: "2024-03-04T00:00:00Z") + .hours(Int64(hour)))
      ])
    }
    return fleet
  }

  /// It is out, and the one before was replaced, whatever is known of the devices: as the verdict says.
  @Test func whatIsPublishedIsTakenFromThePresent() throws {
    let fleet = try fleet()
    let snapshot = try Snapshot(path: fleet.path)
    let now = try Timestamp(rfc3339: "2024-03-04T12:00:00Z")
    let releases = try Releases.answer(snapshot, app: nil, now: now)
    #expect(CutOff(snapshot.vocabulary, app: "com.example.demo", now: now).lag > .hours(3))
    #expect(releases.data.map(\.release) == ["v2", "v1"])
    #expect(releases.data.map(\.state) == [.complete, .superseded])
    #expect(releases.data.map(\.rolloutPercent) == [100, 100])
    #expect(releases.data.map(\.ageSeconds) == [3600, 11 * 3600])
    #expect(releases.data.map { $0.supersededAt != nil } == [false, true])
    let extent = try FleetScope(snapshot.vocabulary, app: nil, now: now)
    let verdict = try snapshot.ask(Verdict.Question(snapshot.vocabulary, extent))
    #expect(verdict.data.map(\.state) == [.complete])
  }

  /// An answer of nothing says why.
  @Test func whatCannotBeCountedYetIsSaid() throws {
    let fleet = try fleet()
    let snapshot = try Snapshot(path: fleet.path)
    let now = try Timestamp(rfc3339: "2024-03-04T12:00:00Z")
    func codes(_ release: String, isProvisional: Bool = false) throws -> [[String]] {
      var chosen = try fleet.chosen(release, now: now)
      chosen.selection.isProvisional = isProvisional
      let adoption = try Adoption.answer(snapshot, chosen).warnings
      let (failures, funnel) = (
        Failures.Question(snapshot.vocabulary, chosen), Funnel.Question(snapshot.vocabulary, chosen)
      )
      return try [adoption, snapshot.ask(failures).warnings, snapshot.ask(funnel).warnings].map { $0.map(\.code) }
    }
    #expect(try codes("v2").allSatisfy { $0.contains("published_after_data") })
    #expect(try codes("v1").allSatisfy { !$0.contains("published_after_data") })
    #expect(try codes("v2", isProvisional: true)[0].contains("published_after_data") == false)
  }

  /// Where small groups are withheld, a release that nobody has is shown: it gives nobody away.
  @Test func aReleaseThatNobodyHasYetIsListed() throws {
    let fleet = try fleet()
    var options = Releases.Options()
    options.minCell = 5
    let now = try Timestamp(rfc3339: "2024-03-04T12:00:00Z")
    let answer = try Releases.answer(try Snapshot(path: fleet.path), app: nil, now: now, options)
    #expect(answer.data.map(\.release) == ["v2", "v1"] && answer.withheld.isEmpty)
    let warning = try #require(answer.warnings.first { $0.code == "published_after_data" })
    #expect(warning.message.hasPrefix("published after the cutoff (2024-03-04 08:5"))
  }

  private func codesOfAdoption(_ snapshot: borrowing Snapshot, _ chosen: ReleaseScope) throws -> [String] {
    try Adoption.answer(snapshot, chosen).warnings.map(\.code)
  }

  /// Where it is still to come to another channel, too.
  @Test func itIsSaidOfEachChannel() throws {
    let fleet = try fleet()
    let now = try Timestamp(rfc3339: "2024-03-04T12:00:00Z")
    let label = ReleaseLabel(rawValue: "v2")
    try fleet.publish([
      Publication(app: "com.example.demo", release: label, channel: "beta", publishedAt: now + .hours(1))
    ])
    let snapshot = try Snapshot(path: fleet.path)
    let failures = Failures.Question(snapshot.vocabulary, try fleet.chosen("v2", now: now))
    let warnings = try snapshot.ask(failures).warnings
    let said = try #require(warnings.first { $0.code == "published_after_data" }).message
    #expect(said.contains("v2 on production at 2024-03-04 11:00 UTC") && !said.contains("beta"))
    let later = try #require(warnings.first { $0.code == "not_published_yet" }).message
    #expect(later.contains("later than 2024-03-04 12:00 UTC: v2 on beta at 2024-03-04 13:00 UTC;"))
    #expect(try codesOfAdoption(snapshot, fleet.chosen("v1", now: now)).contains("not_published_yet") == false)
    #expect(!warnings.contains { $0.code == "no_attempts" })
  }

  /// Of two platforms the one that it came to late is named; asked of the other alone, there is nothing to say.
  @Test func itIsSaidOfEachPlatform() throws {
    let fleet = try fleet()
    let now = try Timestamp(rfc3339: "2024-03-04T12:00:00Z")
    let label = ReleaseLabel(rawValue: "v3")
    for (platform, hours) in [("ios", 4), ("android", 1)] {
      try fleet.publish([
        Publication(
          app: "com.example.demo", release: label, channel: "production", platform: platform,
          publishedAt: now - .hours(Int64(hours)))
      ])
    }
    let snapshot = try Snapshot(path: fleet.path)
    func said(_ platforms: [String]) throws -> String? {
      var chosen = try fleet.chosen("v3", now: now)
      chosen.selection.platforms = platforms
      let warnings = try snapshot.ask(Failures.Question(snapshot.vocabulary, chosen)).warnings
      return warnings.first { $0.code == "published_after_data" }?.message
    }
    for platforms in [[], ["android"], ["android", "ios"]] {
      let message = try #require(try said(platforms))
      #expect(message.contains("v3 on production") && message.contains("at 2024-03-04 11:00 UTC"))
      #expect(message.contains("of android") == (platforms != ["android"]) && !message.contains("ios"))
    }
    #expect(try said(["ios"]) == nil)
  }

  /// Three devices of a channel are withheld whatever was published there; the second release of a comparison is told of, too.
  @Test func aSmallChannelStaysWithheld() throws {
    let beta = (0..<3).map {
      #"{"device":"b\#($0)","channel":"beta","stage":"check","release":"v1","at":"2024-03-04T07:00:00Z","#
        + #""received":"2024-03-04T07:00:00Z"}"#
    }
    let fleet = try fleet(beta)
    let now = try Timestamp(rfc3339: "2024-03-04T12:00:00Z")
    let label = ReleaseLabel(rawValue: "v2")
    try fleet.publish([
      Publication(app: "com.example.demo", release: label, channel: "beta", publishedAt: now - .hours(1))
    ])
    var options = Releases.Options()
    options.minCell = 5
    let answer = try Releases.answer(try Snapshot(path: fleet.path), app: "com.example.demo", now: now, options)
    #expect(answer.data.allSatisfy { $0.channel == "production" })
    #expect(answer.withheld.contains { $0.release == "v2" })
    let snapshot = try Snapshot(path: fleet.path)
    let compare = Compare.Question(
      snapshot.vocabulary, try fleet.chosen("v1", now: now),
      with: try #require(Timeline(snapshot.vocabulary, app: "com.example.demo").record(label)))
    #expect(try snapshot.ask(compare).warnings.contains { $0.code == "published_after_data" })
  }

  /// Three launches among twenty devices are no secret of three, and one crash is not to be overlooked.
  @Test func theFirstLaunchesAreJudged() throws {
    let launches = ["d0", "d1", "d2"].map {
      #"{"device":"\#($0)","stage":"applied","release":"v2","at":"2024-03-04T11:30:00Z","received":"2024-03-04T11:30:00Z"}"#
    }
    let crash =
      #"{"device":"d0","stage":"crashed","release":"v2","at":"2024-03-04T11:31:00Z","received":"2024-03-04T11:31:00Z"}"#
    let fleet = try fleet(launches + [crash])
    let snapshot = try Snapshot(path: fleet.path)
    let now = try Timestamp(rfc3339: "2024-03-04T12:00:00Z")
    var extent = try FleetScope(snapshot.vocabulary, app: nil, now: now)
    extent.minCell = 5
    let verdict = try #require(snapshot.ask(Verdict.Question(snapshot.vocabulary, extent)).data.first)
    #expect(verdict.reasons.map(\.subject).prefix(3) == [.crashes, .firstAttempts, .rollbacks])
    #expect(verdict.reasons[0].events == 1 && verdict.reasons[0].devices == 3)
    // Of so few events nobody knows how late they come: up to now, as of crashes.
    #expect(verdict.reasons[1].sentence.hasPrefix("1 of 3 first attempts failed so far, none an hour old: 33.3%"))
    #expect(try #require(verdict.lookAgainAt) <= now + .hours(1))
    var options = Releases.Options()
    options.minCell = 5
    let releases = try Releases.answer(snapshot, app: nil, now: now, options)
    #expect(releases.data.first?.release == "v2" && releases.data.first?.crashed == 1)
  }

  /// What is counted up to the cutoff is of the first step, whatever stands beside it. Buckets 0 to 15 are in it; the others could have
  /// it for two hours.
  @Test func whatWasWidenedSinceIsSaid() throws {
    let checks = (0..<20).map {
      #"{"device":"b\#($0)","stage":"check","release":"v1","bucket":\#($0 * 5),"at":"2024-03-04T05:00:00Z","#
        + #""received":"2024-03-04T05:00:00Z"}"#
    }
    let (fleet, now) = (try fleet(checks), try Timestamp(rfc3339: "2024-03-04T12:00:00Z"))
    func widen(_ hours: Int64) throws {
      let steps = [RolloutStep(at: now - .hours(10), percent: 20), RolloutStep(at: now - .hours(hours), percent: 100)]
      try fleet.publish([
        Publication(
          app: "com.example.demo", release: ReleaseLabel(rawValue: "v2"), channel: "production",
          publishedAt: now - .hours(10), rollout: steps)
      ])
    }
    try widen(2)
    let snapshot = try Snapshot(path: fleet.path)
    var chosen = try fleet.chosen("v2", now: now)
    let step = "v2 on production to 100% at 2024-03-04 10:00 UTC; "
    func said(_ warnings: [Warning]) -> String { warnings.first { $0.code == "widened_after_data" }?.message ?? "" }
    let adoption = try said(Adoption.answer(snapshot, chosen).warnings)
    #expect(adoption.hasPrefix("widened after the cutoff (2024-03-04 08:5") && adoption.contains(step), "\(adoption)")
    let failures = Failures.Question(snapshot.vocabulary, chosen)
    #expect(try said(snapshot.ask(failures).warnings).contains(step + "what is counted is of the devices"))
    #expect(try said(Releases.answer(snapshot, app: nil, now: now).warnings).contains(step))
    let extent = try FleetScope(snapshot.vocabulary, app: nil, now: now)
    let verdict = try said(Verdict.answer(snapshot, extent).warnings)
    #expect(verdict.contains(step + "its adoption"), "\(verdict)")
    chosen.selection.isProvisional = true
    #expect(try said(Adoption.answer(snapshot, chosen).warnings) == "")
    try widen(5)
    let known = try Snapshot(path: fleet.path)
    #expect(try said(Adoption.answer(known, fleet.chosen("v2", now: now)).warnings) == "")
  }
}
