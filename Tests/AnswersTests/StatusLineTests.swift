import Console
import Lifecycle
import Statistics
import Testing

@testable import Answers
@testable import Query

/// Lines of `uptake status` as a terminal shows them.
struct StatusLineTests {
  private static func row(
    _ channel: String, _ release: String, _ condition: Verdict.Condition, percent: Double?,
    _ subject: Verdict.Subject, _ value: Double?, limit: Double?
  ) -> Verdict {
    var reason = Verdict.Reason(subject, condition, "why")
    reason.value = value.map { Estimate($0, lo: $0 / 2, hi: $0 * 2, level: 0.95, method: .wilson) }
    reason.limit = limit
    return Verdict(
      release: release, channel: channel, decision: condition.decision, condition: condition,
      isLikelyHarmful: false, isTooSmall: false, state: .rollingOut, rolloutPercent: percent,
      publishedAt: Timestamp(seconds: 1_750_000_000), isInferred: false, devices: 2026, events: 1372,
      observedShare: 0.677, observedReason: nil, reasons: [reason],
      lookAgainAt: Timestamp(seconds: 1_750_003_600),
      wouldChange: "nothing")
  }

  private static let rows = [
    row("production", "4.5.0", .failing, percent: 25, .firstAttempts, 0.124, limit: 0.048),
    row("beta", "4.6.0-rc.1", .crashing, percent: 0, .crashes, 0.091, limit: 0.01),
    row("internal", "4.6.0", .slow, percent: 100, .speed, -0.093, limit: nil),
    row("night", "4.7.0", .healthy, percent: 100, .firstAttempts, 0.02, limit: 0.05),
    row("next", "5.0.0", .scheduled, percent: nil, .publication, nil, limit: nil),
  ]

  private static func text(_ width: Int, _ glyphs: Glyphs = .unicode, colour: Bool = false) -> String {
    let lines = rows.map { StatusLine($0, app: nil, now: Timestamp(seconds: 1_750_000_000), glyphs: glyphs) }
    let widths = StatusLine.widths(lines)
    return lines.map { $0.text(widths, fitting: width, colour: colour) }.joined(separator: "\n")
  }

  @Test func atEightyColumns() {
    #expect(
      Self.text(80) == """
        ✗ production 4.5.0       FAILING    25% rollout  12.4% fail (limit 4.8%)  → halt
        ✗ beta       4.6.0-rc.1  CRASHING   9.1% crash (limit 1.0%)  → mend it
        ● internal   4.6.0       SLOW       −9.3 pp against before  → look again in 1.0h
        ✓ night      4.7.0       HEALTHY    2.0% fail (limit 5.0%)  → go on
        ● next       5.0.0       SCHEDULED  → look again in 1.0h
        """)
  }

  @Test func atAHundredColumns() {
    #expect(
      Self.text(100) == """
        ✗ production 4.5.0       FAILING    25% rollout  12.4% fail (limit 4.8%)  → halt
        ✗ beta       4.6.0-rc.1  CRASHING   0% rollout  9.1% crash (limit 1.0%)  → mend it
        ● internal   4.6.0       SLOW       100% rollout  −9.3 pp against before  → look again in 1.0h
        ✓ night      4.7.0       HEALTHY    100% rollout  2.0% fail (limit 5.0%)  → go on
        ● next       5.0.0       SCHEDULED  → look again in 1.0h
        """)
  }

  @Test func atAHundredAndFortyColumns() {
    #expect(
      Self.text(140) == """
        ✗ production 4.5.0       FAILING    25% rollout  12.4% fail (limit 4.8%)  67.7% of 2,026 devices  → halt
        ✗ beta       4.6.0-rc.1  CRASHING   0% rollout  9.1% crash (limit 1.0%)  67.7% of 2,026 devices  → mend it
        ● internal   4.6.0       SLOW       100% rollout  −9.3 pp against before  → look again in 1.0h
        ✓ night      4.7.0       HEALTHY    100% rollout  2.0% fail (limit 5.0%)  67.7% of 2,026 devices  → go on
        ● next       5.0.0       SCHEDULED  → look again in 1.0h
        """)
  }

  /// Of those that were offered it all may have it while most were never offered it.
  @Test func aShareOfThoseOfferedIsNoAdoption() {
    var row = Self.row("night", "4.7.0", .healthy, percent: 20, .firstAttempts, 0.02, limit: 0.05)
    row.observedReason = .clockFromOffer
    let line = StatusLine(row, app: nil, now: Timestamp(seconds: 1_750_000_000), glyphs: .unicode)
    let text = line.text([5, 5, 7], fitting: 140, colour: false)
    #expect(text.contains("adoption not known: 1,372 of 2,026 offered it") && !text.contains("67.7%"))
  }

  /// Who is to decide by counts sees them.
  @Test func fewAreToldByTheirCounts() {
    var row = Self.row("night", "4.7.0", .unsettled, percent: 100, .firstAttempts, nil, limit: nil)
    row.isTooSmall = true
    for (subject, events) in [(Verdict.Subject.rollbacks, 0), (.crashes, 1)] {
      var reason = Verdict.Reason(subject, .healthy, "why")
      (reason.events, reason.devices) = (events, 5)
      row.reasons.append(reason)
    }
    (row.devices, row.events, row.observedShare) = (0, 0, nil)
    let line = StatusLine(row, app: nil, now: Timestamp(seconds: 1_750_000_000), glyphs: .unicode)
    #expect(
      line.text([5, 5, 7], fitting: 140, colour: false)
        == "● night 4.7.0  TOO FEW  100% rollout  0 of 5 rolled back, 1 of 5 crash  5 launched it so far  → decide by counts"
    )
  }

  /// Of several apps each line names its own, and its channel, however narrow the terminal is.
  @Test(arguments: [(80, "…mple.shop production-eu"), (120, "com.example.shop production-eu")])
  func appsAndChannelsAreToldApart(_ width: Int, _ first: String) {
    let places = [("shop", "eu"), ("shop", "us"), ("warehouse", "eu"), ("warehouse", "us")]
    let lines = places.map { app, region in
      StatusLine(
        Self.row("production-\(region)", "2.0", .healthy, percent: 100, .firstAttempts, 0.02, limit: 0.05),
        app: "com.example.\(app)", now: Timestamp(seconds: 1_750_000_000), glyphs: .unicode)
    }
    let widths = StatusLine.widths(lines, fitting: width)
    let names = lines.map { $0.text(widths, fitting: width, colour: false).split(separator: " 2.0 ")[0] }
    #expect(Set(names).count == 4 && names[0].contains(first), "\(names)")
  }

  /// Names of customers and of nightly builds take all the room there is, and what to do is still said in whole.
  @Test func longNamesLeaveRoomForWhatToDo() {
    let places = ["customer-nordwind-logistics-production", "customer-acme-holdings-staging", "nightly"]
    let lines = places.map { channel in
      StatusLine(
        Self.row(channel, "2026.11.28-nightly+abc1234", .unsettled, percent: 100, .firstAttempts, 0.02, limit: 0.05),
        app: "com.example.warehouse-scanner", now: Timestamp(seconds: 1_750_000_000), glyphs: .unicode)
    }
    let widths = StatusLine.widths(lines, fitting: 80)
    let texts = lines.map { $0.text(widths, fitting: 80, colour: false) }
    #expect(texts.allSatisfy { $0.hasSuffix("TOO EARLY  → look again in 1.0h") && displayWidth($0) <= 80 }, "\(texts)")
    #expect(texts[0].hasPrefix("● …scanner customer-nordw… 2026.11.28-"), "\(texts)")
    #expect(texts[1].hasPrefix("● …scanner customer-acme-… 2026.11.28-"), "\(texts)")
  }

  /// Of what nobody registered it is not known how far it was let.
  @Test func anUnregisteredReleaseHasNoRollout() {
    var row = Self.row("production", "4.7.0", .healthy, percent: nil, .firstAttempts, 0.02, limit: 0.05)
    row.isInferred = true
    let line = StatusLine(row, app: nil, now: Timestamp(seconds: 1_750_000_000), glyphs: .unicode)
    #expect(
      line.text([10, 5, 7], fitting: 80, colour: false)
        == "✓ production 4.7.0  HEALTHY  not registered  2.0% fail (limit 5.0%)  → go on")
  }

  /// In the first minutes after a publication one device is a third of all.
  @Test func fewDevicesAreCounted() {
    var row = Self.row("production", "4.5.0", .unsettled, percent: 10, .crashes, 1 / 3, limit: 0.014)
    func line() -> String {
      StatusLine(row, app: nil, now: Timestamp(seconds: 1_750_000_000), glyphs: .unicode).text(
        [10, 5, 9], fitting: 100, colour: false)
    }
    (row.reasons[0].events, row.reasons[0].devices) = (1, 3)
    #expect(line() == "● production 4.5.0  TOO EARLY  10% rollout  1 of 3 crash (limit 1.4%)  → look again in 1.0h")
    (row.reasons[0].events, row.reasons[0].devices) = (100, 300)
    #expect(line().contains("  33.3% crash (limit 1.4%)  "))
  }

  /// Who has three devices is not told to look again in an hour for ever; exports told it is too early, and a larger fleet is no news to them.
  @Test func tooFewDevicesAreNotTooEarly() {
    var row = Self.row("production", "1.1", .unsettled, percent: 100, .firstAttempts, 0, limit: nil)
    (row.isTooSmall, row.reasons[0].events, row.reasons[0].devices) = (true, 0, 3)
    let line = StatusLine(row, app: nil, now: Timestamp(seconds: 1_750_000_000), glyphs: .unicode)
    let text = line.text(StatusLine.widths([line]), fitting: 80, colour: false)
    #expect(text == "● production 1.1  TOO FEW  100% rollout  0 of 3 fail  → decide by counts")
    #expect(row.title == "Wait: too few" && row.newsTitle == "Wait: too early")
    row.isLikelyHarmful = true
    #expect(row.title == "Likely failing: wait" && row.newsTitle == row.title)
  }

  /// Nothing has grown old where nothing came yet: a file of the first hour said that data are stale.
  @Test func noDataAreNotStale() {
    var row = Self.row("production", "1.0", .stale, percent: 100, .data, nil, limit: nil)
    #expect(row.title == "Wait: data are stale" && row.newsTitle == row.title)
    row.reasons[0].sentence = "no device was heard of yet"
    #expect(row.title == "Wait: no data yet" && row.newsTitle == row.title)
  }

  /// Nobody is to halt again what was halted; to exports it is no news.
  @Test(arguments: [(25.0, "Stop: crashing"), (0, "Stop: crashing, halted")])
  func pagesSayThatItIsHalted(_ percent: Double, _ title: String) {
    let row = Self.row("production", "4.5.0", .crashing, percent: percent, .crashes, 0.2, limit: 0.05)
    #expect(row.title == title && row.newsTitle == "Stop: crashing")
  }

  /// Who reads one word of the line reads the warning, and beside it the number that it rests on.
  @Test(arguments: [
    (Verdict.Subject.crashes, "LIKELY CRASHING"), (.rollbacks, "LIKELY ROLLING BACK"),
    (.firstAttempts, "LIKELY FAILING"),
  ])
  func likelyHarmIsNotTooEarly(_ subject: Verdict.Subject, _ word: String) {
    var row = Self.row("production", "4.5.0", .unsettled, percent: 10, subject, 0.2, limit: 0.05)
    row.isLikelyHarmful = true
    let line = StatusLine(row, app: nil, now: Timestamp(seconds: 1_750_000_000), glyphs: .unicode)
    let text = line.text(StatusLine.widths([line]), fitting: 80, colour: false)
    #expect(text.hasPrefix("● production 4.5.0  \(word)  20.0% ") && displayWidth(text) <= 80, "\(text)")
    #expect(row.title == "L" + word.dropFirst().lowercased() + ": wait")
    #expect(row.conditionCell == .term("unsettled", words: word.lowercased()))
  }

  /// Nothing is wider than the terminal, however narrow it is.
  @Test(arguments: [20, 40, 60, 72, 80, 100, 140, 200]) func fits(_ width: Int) {
    for line in Self.text(width).split(separator: "\n") { #expect(displayWidth(String(line)) <= width, "\(line)") }
  }

  @Test func withoutUnicodeAndWithColour() {
    let first = Self.text(140, .ascii).split(separator: "\n")[0]
    #expect(first.hasPrefix("x production") && first.hasSuffix("-> halt"))
    let coloured = Self.text(140, colour: true).split(separator: "\n")
    #expect(coloured[0].hasPrefix("\u{1B}[31m✗") && coloured[0].hasSuffix("\u{1B}[0m"))
    #expect(coloured[2].hasPrefix("\u{1B}[33m") && coloured[3].hasPrefix("\u{1B}[32m"))
  }

  /// Names are as devices and people gave them.
  @Test func namesDoNoHarm() {
    var row = Self.rows[0]
    (row.channel, row.release) = ("\u{1B}[31mred", String(repeating: "x", count: 90))
    let line = StatusLine(row, app: "a\nb", now: Timestamp(seconds: 0), glyphs: .unicode)
    let text = line.text(StatusLine.widths([line]), fitting: 100, colour: false)
    #expect(!text.contains("\u{1B}") && !text.contains("\n") && displayWidth(text) <= 100)
  }
}
