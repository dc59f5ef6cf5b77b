import Console
import Lifecycle
import Store
import Testing

@testable import Query

/// Each finding of the catalogue, where it is and right beside that: figures by hand, and what is said of them.
@Suite struct FindingTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var change: @Sendable (inout DiagnosisEvidence) -> Void
    /// `level finding`, in the order of the answer.
    var says: [String]
    var testDescription: String { name }
  }

  private static let now = instant("2024-04-01T00:00:00Z")
  private static let ios = 2

  /// Two channels, both platforms, a release in two steps: 20 %, and all a day later.
  private static func evidence() throws -> DiagnosisEvidence {
    let fleet = try Fleet()
    try fleet.publish([
      Publication(
        app: "com.example.demo", release: ReleaseLabel(rawValue: "2.0.0"), channel: "production",
        publishedAt: now - .days(20),
        rollout: [
          RolloutStep(at: now - .days(20), percent: 20), RolloutStep(at: now - .days(19), percent: 100),
        ])
    ])
    let devices = [
      ("a", "ios", "18.5", "production"), ("b", "android", "14", "beta"), ("c", "ios", "17.0", "production"),
    ]
    try fleet.load(
      devices.map { device, platform, system, channel in
        line(
          device, "check", at: 0,
          "\"release\":\"1.0.0\",\"channel\":\"\(channel)\",\"osVersion\":\"\(system)\",\"appVersion\":\"\(system)\"",
          platform: platform)
      }.joined(separator: "\n"))
    let snapshot = try Snapshot(path: fleet.path)
    let extent = try FleetScope(snapshot.vocabulary, app: nil, now: now)
    let (counting, losses) = (FleetCounting(snapshot.vocabulary, extent), PushLossCounting(snapshot.vocabulary, extent))
    var tally = FleetTally(counting)
    tally.newest.note(counting.cutOff)
    return DiagnosisEvidence(
      fleet: tally, losses: PushLossTally(losses), recent: RecentEvents(), impossible: ImpossibleDevices(),
      wakeUps: [], verdicts: [], funnels: [],
      counting: counting,
      level: 0.95)
  }

  @Test func aCheckEndsWithItsCommand() {
    let check = Diagnosis.Check(words: "list them: ", command: ShellCommand("uptake", "devices").option("app", "a"))
    #expect("\(check)" == "list them: uptake devices --app a")
    #expect(
      "\(check.carrying([(name: "db", value: "a b"), (name: "app", value: "b")]))"
        == "list them: uptake devices --app a --db 'a b'")
    #expect("\(Diagnosis.Check(words: "look").carrying([(name: "db", value: "a")]))" == "look")
  }

  @Test(arguments: rows) func says(_ row: Row) throws {
    var evidence = try Self.evidence()
    row.change(&evidence)
    let found = FindingRule.all.flatMap { $0.find(evidence) }
    #expect(found.map { "\($0.level.rawValue) \($0.finding.rawValue)" } == row.says, "\(found.map(\.sentence))")
    for one in found {
      #expect(!one.causes.isEmpty && !one.check.description.isEmpty && !one.evidence.isEmpty && !one.sentence.isEmpty)
      #expect(one.evidence.allSatisfy { $0.command.description.hasPrefix("uptake ") }, "\(one.evidence)")
    }
  }

  /// 60 phones that refresh daily for a month, and hourly before: over all time half of the waits are an hour.
  @Test(arguments: [nil, 10]) func theCommandOfAFindingPrintsItsFigure(_ days: Int64?) throws {
    let fleet = try Fleet()
    let minutes = (0..<60).map { Double($0 * 60) } + (3..<28).map { Double($0 * 1440) }
    for device in 0..<60 {
      try fleet.load(
        minutes.map {
          line("a\(device)", "wakeStarted", at: $0, "\"trigger\":\"bgRefresh\"", platform: "it's")
        }.joined(separator: "\n"), fold: device == 59)
    }
    let snapshot = try Snapshot(path: fleet.path)
    var extent = try FleetScope(snapshot.vocabulary, app: nil, now: Self.now)
    (extent.since, extent.channels) = (days.map { Self.now - .days($0) }, ["production"])
    let found = try Diagnosis.answer(snapshot, extent).data.first { $0.finding == .refreshRare }
    let evidence = try #require(found?.evidence.first)
    let since = days == nil ? "14d" : "2024-03-22T00:00:00Z"
    #expect("\(evidence.command)" == "uptake wakeups --channel production --since \(since) --platform 'it'\\''s'")
    let all = try fleet.wakeUps(Self.now, by: [.trigger, .platform])
    let recent = try fleet.wakeUps(Self.now, by: [.trigger, .platform]) { $0.since = Self.now - .days(days ?? 14) }
    #expect(evidence.count == recent.data.first?.refreshIntervals.count)
    #expect(evidence.count != all.data.first?.refreshIntervals.count)
  }

  /// Where no device reports that a push arrived, nobody knows whether pushes wake the app: the answer says so, and finds nothing.
  @Test func saysThatArrivalsAreNotReported() throws {
    var evidence = try Self.evidence()
    let untold = Self.pushes { _ in Self.push { $0.unexplained = 1 } }
    untold(&evidence)
    #expect(evidence.warnings.map(\.code).contains("no_receipts"))
    let told = Self.pushes { $0 > 0 ? Self.push { $0.unexplained = 1 } : Self.woke() }
    told(&evidence)
    #expect(!evidence.warnings.map(\.code).contains("no_receipts"))
    let partly = Self.untold(pushed: 30)
    partly(&evidence)
    let warning = try #require(evidence.warnings.first { $0.code == "no_receipts" })
    #expect(warning.message.hasPrefix("no device of ios reports that a push arrived"))
  }

  @Test func theCatalogueIsInOrder() { #expect(FindingRule.all.map(\.name) == Diagnosis.Name.allCases) }

  /// A rule without a row that finds it would be one that nobody has seen at work. What releases do is in `VerdictTests`, how
  /// wake-ups end in `WakeUpTests`, what nobody registered in `StrayPublicationTests`: of these a fleet of the study stands for the rule.
  @Test func everyFindingHasARow() {
    let found = Set(Self.rows.flatMap(\.says).compactMap { $0.split(separator: " ").last.map(String.init) })
    let elsewhere: Set = ["publicationWrong", "releaseHarms", "downloadsOverrun", "readyNotApplied", "refreshRare"]
    #expect(found.union(elsewhere) == Set(Diagnosis.Name.allCases.map(\.rawValue)))
  }

  /// Close together a push gains half an hour, eight hours apart five: there it is best, and a day apart no better.
  @Test func saysHowFarApartPushesGainMost() throws {
    var losses = PushLosses()
    for device in 0..<200 {
      var history = PushHistory()
      (history.mature, history.arrived) = (10, 5)
      (history.crowded, history.alone) = ((device % 2 + 1, 6), (device % 10 == 0 ? 2 : 3, 3))
      let most = 1440
      history.gained[0] = (6 * (25 + device % 10), 6 * most)
      history.gained[6] = (2 * (295 + device % 10), 2 * most)
      history.gained[7] = (2 * (295 + device % 10), 2 * most)
      losses.add(history)
    }
    var evidence = try Self.evidence()
    evidence.losses.platforms[Self.ios] = losses
    let found = try #require(FindingRule.pushesTooOften.find(evidence).first)
    // 25 to 34 minutes, and 295 to 304: the means are 29.5 and 299.5.
    #expect(found.sentence.contains("with 8h or more"), "\(found.sentence)")
    #expect(found.sentence.contains("one wakes the app 5.0h (5.0h–5.0h) sooner"), "\(found.sentence)")
    #expect(found.sentence.contains("with less than 15m 30m"), "\(found.sentence)")
    #expect(found.sentence.contains("send one every 8h at most"), "\(found.sentence)")
  }

  // MARK: figures

  private static func key(
    _ evidence: DiagnosisEvidence, platform: Int = ios, system: Int = 0, build: Int = 0, bucket: UInt8? = nil
  ) -> FleetKey {
    let production = evidence.counting.names.vocabulary.channelNumber("production")
    return FleetKey(
      channel: production, platform: platform, osVersion: system, sdkVersion: 0, appVersion: build, bucket: bucket)
  }

  private static func applied(unheard: Int = 0, undone: Int = 0) -> @Sendable (inout DiagnosisEvidence) -> Void {
    { $0.fleet.cells[key($0)] = FleetCounts(applied: 200, unheard: unheard, undone: undone) }
  }

  private static func refreshed(_ refreshed: Int, of settled: Int) -> @Sendable (inout DiagnosisEvidence) -> Void {
    {
      $0.fleet.cells[key($0)] = FleetCounts(
        active: settled, settled: settled, refreshed: refreshed, reporting: settled, known: settled)
    }
  }

  private static func pushes(_ device: @escaping @Sendable (Int) -> PushHistory)
    -> @Sendable (inout DiagnosisEvidence) -> Void
  {
    { evidence in
      var losses = PushLosses()
      for number in 0..<400 { losses.add(device(number)) }
      evidence.losses.platforms[ios] = losses
    }
  }

  /// One push to a device, and what became of it.
  private static func push(_ set: (inout PushHistory) -> Void) -> PushHistory {
    var history = PushHistory()
    history.mature = 1
    set(&history)
    return history
  }
  /// One push to a device some hours ago.
  private static func sent(hoursAgo: Int64, refused isRejected: Bool, woke: Bool? = nil) -> (inout PushHistory) -> Void
  {
    { history in
      let push = SentPush(
        id: 0, sent: now - .hours(hoursAgo), release: 0, channel: 0, platform: 0, isRejected: isRejected,
        arrival: woke == true ? .background : nil)
      history.add(sent: push, until: now)
      guard woke != nil else { return }
      let state = woke == true ? PushState.delivered : .lost
      history.add(push, state, sent: [push.sent], ranAfterwards: true, gained: nil, until: now - .hours(24))
    }
  }

  private static func lately(refused isRefused: Bool) -> PushHistory {
    var history = PushHistory()
    sent(hoursAgo: 3, refused: isRefused)(&history)
    return history
  }

  /// A push on each of the last twelve whole days, lost for certain days ago.
  private static func daily(lost: ClosedRange<Int64>) -> @Sendable (inout DiagnosisEvidence) -> Void {
    pushes { _ in
      var history = PushHistory()
      for day in 1...12 as ClosedRange<Int64> {
        sent(hoursAgo: day * 24 + 1, refused: false, woke: !lost.contains(day))(&history)
      }
      return history
    }
  }
  /// A push on each of the last twelve whole days to some devices, lost for certain days ago, and every other one before.
  private static func fewDaily(lost: ClosedRange<Int64>, of devices: Int) -> @Sendable (inout DiagnosisEvidence) -> Void
  {
    { evidence in
      var losses = PushLosses()
      for number in 0..<devices {
        var history = PushHistory()
        for day in 1...12 as ClosedRange<Int64> {
          let isLost = lost.contains(day) || (Int(day) + number) % 2 == 0
          sent(hoursAgo: day * 24 + 1, refused: false, woke: !isLost)(&history)
        }
        losses.add(history)
      }
      evidence.losses.platforms[ios] = losses
    }
  }
  private static func woke(after minutes: Int64 = 1) -> PushHistory {
    push { ($0.arrived, $0.woke, $0.wakeUps, $0.delays) = (1, 1, 1, [.minutes(minutes)]) }
  }

  /// Pushes to iOS of which none is said to have arrived, beside one to Android that is.
  ///
  /// - Parameter pushed: devices there that a silent push brought the newest release.
  private static func untold(pushed: Int) -> @Sendable (inout DiagnosisEvidence) -> Void {
    { evidence in
      let lost = pushes { _ in push { $0.unexplained = 1 } }
      lost(&evidence)
      var android = PushLosses()
      android.add(woke())
      evidence.losses.platforms[ios - 1] = android
      evidence.fleet.cells[key(evidence)] = FleetCounts(pushed: pushed)
    }
  }

  private static func versions(
    _ own: (touched: Int, updated: Int), isBuild: Bool, of all: Int = 300
  ) -> @Sendable (inout DiagnosisEvidence) -> Void {
    { evidence in
      let places = isBuild ? [(0, 1), (0, 2)] : [(1, 0), (2, 0)]
      for (place, counts) in zip(places, [own, (touched: all, updated: all * 4 / 5)]) {
        evidence.fleet.cells[key(evidence, system: place.0, build: place.1)] = FleetCounts(
          active: all, eligible: all, touched: counts.touched, updated: counts.updated, known: all)
      }
    }
  }

  private static func steps(_ above: Int, of all: Int) -> @Sendable (inout DiagnosisEvidence) -> Void {
    { evidence in
      evidence.fleet.cells[key(evidence, bucket: 5)] = FleetCounts(
        eligible: 200, touched: 198, updated: 150, known: 200)
      evidence.fleet.cells[key(evidence, bucket: 60)] = FleetCounts(
        eligible: all, touched: above, updated: above, known: all)
    }
  }

  private static func contacts(lately: Int, before: Int) -> @Sendable (inout DiagnosisEvidence) -> Void {
    { evidence in
      let at = (evidence.counting.cutOff - .days(2)).rawValue
      evidence.fleet.channels[key(evidence).channel] = ChannelContacts(newest: at, before: before, lately: lately)
    }
  }

  /// To `beta`, on which no release is registered.
  private static func moved(_ devices: Int, of all: Int) -> @Sendable (inout DiagnosisEvidence) -> Void {
    { evidence in
      let production = key(evidence)
      let beta = evidence.counting.names.vocabulary.channelNumber("beta")
      evidence.fleet.moves[ChannelTally.Move(from: production.channel, to: beta)] = devices
      evidence.fleet.cells[production] = FleetCounts(active: all - devices, known: all)
    }
  }

  private static func heard(_ lately: Int, of usual: Int, aWeekBefore: Int = 0) -> FleetCounts {
    FleetCounts(lately: lately, aDayBefore: usual, aWeekBefore: aWeekBefore)
  }

  /// iOS and Android.
  private static func platforms(_ ios: FleetCounts, _ android: FleetCounts)
    -> @Sendable (inout DiagnosisEvidence) -> Void
  {
    { evidence in
      evidence.fleet.cells[key(evidence)] = ios
      evidence.fleet.cells[key(evidence, platform: Self.ios - 1)] = android
    }
  }

  private static func repeats(_ repeats: Int, of events: Int) -> @Sendable (inout DiagnosisEvidence) -> Void {
    { evidence in for _ in 0..<100 { evidence.recent.repeats.add(repeats, of: events) } }
  }

  private static let rows: [Row] = [
    Row(name: "nothing known", change: { _ in }, says: []),
    Row(name: "nobody refreshed", change: refreshed(0, of: 400), says: ["problem refreshNeverRuns"]),
    Row(
      name: "nobody reports", change: { $0.fleet.cells[key($0)] = FleetCounts(settled: 400) },
      says: ["note refreshNeverRuns"]),
    Row(
      name: "nobody reports, and refreshes bring updates",
      change: { $0.fleet.cells[key($0)] = FleetCounts(settled: 400, refreshed: 9) }, says: []),
    Row(name: "updates are undone", change: applied(undone: 60), says: ["problem updatesUndone"]),
    Row(name: "a few are undone", change: applied(undone: 4), says: []),
    Row(name: "no checks", change: applied(unheard: 160), says: ["warning checksMissing"]),
    Row(name: "some come new", change: applied(unheard: 60), says: []),
    Row(name: "some refreshed", change: refreshed(40, of: 400), says: []),
    Row(name: "too few to say", change: refreshed(0, of: 40), says: []),
    // 1 of 100 has a 99.9 % limit of 11 %: it may as well be one in twenty.
    Row(name: "not certain", change: refreshed(1, of: 100), says: []),
    Row(name: "pushes arrive", change: pushes { _ in woke() }, says: []),
    Row(
      name: "pushes wake hardly anybody", change: pushes { $0 > 0 ? push { $0.unexplained = 1 } : woke() },
      says: ["problem pushNeverWakes"]),
    Row(name: "nobody says that a push arrived", change: pushes { _ in push { $0.unexplained = 1 } }, says: []),
    Row(name: "nobody says it on one platform", change: untold(pushed: 0), says: ["problem pushNeverWakes"]),
    Row(name: "one device says otherwise there", change: untold(pushed: 1), says: ["problem pushNeverWakes"]),
    Row(name: "nobody says it on one platform, and pushes bring updates there", change: untold(pushed: 30), says: []),
    Row(name: "nor whether it was replaced before", change: pushes { _ in push { $0.replaced = 1 } }, says: []),
    Row(name: "pushes wake nobody since four days", change: daily(lost: 1...4), says: ["problem pushNeverWakes"]),
    Row(name: "pushes woke nobody for four days", change: daily(lost: 3...6), says: []),
    Row(
      name: "refused", change: pushes { _ in lately(refused: true) },
      says: ["problem pushesRefused"]),
    Row(
      name: "a quarter refused", change: pushes { lately(refused: $0 % 4 == 0) },
      says: ["warning pushesRefused"]),
    Row(
      name: "a few refused", change: pushes { lately(refused: $0 % 20 == 0) }, says: []),
    Row(
      name: "refused a week ago, and not today",
      change: pushes { _ in
        var history = PushHistory()
        sent(hoursAgo: 100, refused: true)(&history)
        sent(hoursAgo: 3, refused: false)(&history)
        return history
      }, says: []),
    Row(
      name: "those for the newest release refused, of late",
      change: { evidence in
        var own = PushLosses()
        for _ in 0..<100 {
          var history = PushHistory()
          sent(hoursAgo: 300, refused: true)(&history)
          own.add(history)
        }
        evidence.losses.own[ios] = own
      }, says: ["problem pushesRefused"]),
    Row(
      name: "pushes go to devices that are gone", change: pushes { $0 < 60 ? woke() : push { $0.unreached = 1 } },
      says: []),
    Row(
      name: "apps are closed", change: pushes { $0 % 10 < 6 ? push { $0.closed = 1 } : woke() },
      says: ["warning appsClosed"]),
    Row(
      name: "some apps are closed", change: pushes { $0 % 10 < 4 ? push { $0.closed = 1 } : woke() },
      says: ["note appsClosed"]),
    Row(
      name: "nobody says that a push arrived, and launches follow", change: pushes { _ in push { $0.closed = 1 } },
      says: []),
    Row(
      name: "apps are closed, and of those for the newest release none seems to arrive",
      change: { evidence in
        let all = pushes { $0 % 10 < 6 ? push { $0.closed = 1 } : woke() }
        all(&evidence)
        var own = PushLosses()
        for _ in 0..<60 { own.add(push { $0.closed = 1 }) }
        evidence.losses.own[ios] = own
      }, says: []),
    // 0 of 100 has a 99.9 % limit of 10 %, and half of them arrived before.
    Row(
      name: "few pushes wake nobody, where half did", change: fewDaily(lost: 1...1, of: 100),
      says: ["problem pushNeverWakes"]),
    Row(name: "few pushes wake nobody, as ever", change: fewDaily(lost: 1...12, of: 100), says: []),
    Row(name: "few apps are closed", change: pushes { $0 % 10 < 2 ? push { $0.closed = 1 } : woke() }, says: []),
    Row(
      name: "replaced", change: pushes { $0 % 10 < 3 ? push { $0.replaced = 1 } : woke() },
      says: ["warning pushesReplaced"]),
    Row(
      name: "taps",
      change: pushes { number in
        var device = woke()
        device.atLaunch = number % 4 == 0 ? 1 : 0
        return device
      }, says: ["warning tapsAsArrivals"]),
    Row(
      name: "taps, and nobody sent a push",
      change: pushes { _ in
        var device = PushHistory()
        (device.wakeUps, device.atLaunch) = (1, 1)
        return device
      }, says: ["note tapsAsArrivals"]),
    Row(name: "late", change: pushes { _ in woke(after: 300) }, says: ["warning pushesLate"]),
    Row(
      name: "too often",
      change: pushes { number in
        var device = woke()
        if number < 200 { device.alone = (1, 1) } else { device.crowded = (number % 5 == 0 ? 1 : 0, 1) }
        return device
      }, says: ["warning pushesTooOften"]),
    Row(name: "a system behind", change: versions((280, 30), isBuild: false), says: ["warning versionBehind"]),
    Row(name: "a system that gets nothing", change: versions((0, 0), isBuild: false), says: ["problem versionBehind"]),
    Row(name: "a system a little behind", change: versions((290, 210), isBuild: false), says: []),
    Row(name: "a build left out", change: versions((0, 0), isBuild: true), says: ["problem buildLeftOut"]),
    Row(name: "a build that sees it", change: versions((200, 100), isBuild: true), says: []),
    Row(name: "a step that did not open", change: steps(0, of: 300), says: ["problem stepNotOpened"]),
    Row(name: "a step that opened", change: steps(280, of: 300), says: []),
    Row(name: "a channel fell silent", change: contacts(lately: 0, before: 200), says: ["problem channelSilent"]),
    Row(name: "a channel of one device", change: contacts(lately: 0, before: 1), says: []),
    Row(name: "a channel that speaks", change: contacts(lately: 1, before: 200), says: []),
    Row(name: "a channel that devices left", change: moved(60, of: 100), says: ["problem channelSilent"]),
    Row(name: "a channel that a few left", change: moved(60, of: 1000), says: []),
    Row(name: "a channel that few devices left", change: moved(40, of: 40), says: []),
    Row(
      name: "a platform fell silent", change: platforms(heard(0, of: 100), heard(95, of: 100)),
      says: ["problem devicesSilent"]),
    Row(
      name: "two thirds fell silent", change: platforms(heard(70, of: 210), heard(60, of: 200)),
      says: ["problem devicesSilent"]),
    Row(name: "everybody fell silent", change: platforms(heard(0, of: 210), heard(0, of: 200)), says: []),
    Row(name: "a quiet day", change: platforms(heard(140, of: 210), heard(130, of: 200)), says: []),
    Row(
      name: "a weekend",
      change: platforms(heard(70, of: 210, aWeekBefore: 75), heard(60, of: 200, aWeekBefore: 66)), says: []),
    Row(
      name: "a platform is silent for days",
      change: platforms(heard(0, of: 0, aWeekBefore: 100), heard(95, of: 100, aWeekBefore: 98)),
      says: ["problem devicesSilent"]),
    Row(
      name: "a platform that nobody uses any more",
      change: platforms(heard(0, of: 0, aWeekBefore: 0), heard(95, of: 100, aWeekBefore: 98)), says: []),
    Row(
      name: "a holiday after a weekend",
      change: platforms(heard(0, of: 1, aWeekBefore: 100), heard(20, of: 15, aWeekBefore: 98)), says: []),
    Row(
      name: "a platform that rests at weekends",
      change: platforms(heard(0, of: 100, aWeekBefore: 2), heard(95, of: 100, aWeekBefore: 98)), says: []),
    Row(name: "a few devices fell silent", change: platforms(heard(0, of: 40), heard(95, of: 100)), says: []),
    Row(
      name: "pushes for the newest release wake nobody",
      change: { evidence in
        let all = pushes { _ in woke() }
        all(&evidence)
        var own = PushLosses()
        for _ in 0..<400 { own.add(push { $0.unexplained = 1 }) }
        evidence.losses.own[ios] = own
      }, says: ["problem pushNeverWakes"]),
    Row(
      name: "clocks", change: { $0.fleet.cells[key($0)] = FleetCounts(ahead: 40, known: 400) },
      says: ["warning clocksWrong"]),
    Row(
      name: "a clock", change: { $0.fleet.cells[key($0)] = FleetCounts(ahead: 4, known: 400) }, says: []),
    Row(
      name: "a new id at each start",
      change: { $0.fleet.cells[key($0)] = FleetCounts(known: 900, visitors: 400, brief: 380) },
      says: ["warning idsChange"]),
    Row(
      name: "many that try the app once",
      change: { $0.fleet.cells[key($0)] = FleetCounts(known: 900, visitors: 400, brief: 300) }, says: []),
    Row(
      name: "made up",
      change: {
        $0.fleet.cells[key($0)] = FleetCounts(known: 1000)
        $0.fleet.onceSeen = [475_000: 300, 475_001: 5]
      }, says: ["warning devicesMadeUp"]),
    Row(
      name: "impossible histories",
      change: { ($0.impossible.rules, $0.impossible.of) = ([(.inAMinute, 3), (.ofItsOwn, 1)], 4000) },
      says: ["warning devicesMadeUp"]),
    Row(
      name: "one impossible history among thousands",
      change: { ($0.impossible.rules, $0.impossible.of) = ([(.inAMinute, 1)], 4000) }, says: []),
    Row(name: "repeats", change: repeats(3, of: 20), says: ["warning duplicates"]),
    Row(name: "few repeats", change: repeats(1, of: 40), says: []),
    Row(
      name: "seen once at all hours",
      change: { evidence in
        evidence.fleet.cells[key(evidence)] = FleetCounts(known: 1000)
        for hour in 0..<100 { evidence.fleet.onceSeen[Int64(475_000 + hour)] = 3 }
      }, says: []),
  ]
}

extension Vocabulary {
  fileprivate func channelNumber(_ name: String) -> Int64 { (0...1000).first { self.name($0) == name } ?? 0 }
}
