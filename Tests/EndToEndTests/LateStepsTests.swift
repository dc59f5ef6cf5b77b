import Foundation
import Testing

/// A rollout in steps, whose first step is done before the second lets most devices in: those few do not stand for all.
@Suite struct LateStepsTests {
  private static let published = 1_741_305_600  // 2025-03-07T00:00:00Z

  private static func hour(_ hours: Double) -> String {
    ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: Double(published) + hours * 3600))
  }

  /// When a device updates: the first step's forty within ten hours, half of those of the second and three in four of the third's
  /// within an hour or two.
  private static func updates(_ device: Int) -> Double? {
    let (bucket, rank) = (device % 100, Double(device / 100))
    if bucket < 10 { return 0.25 * (Double(bucket) * 4 + rank + 1) }
    if bucket < 50 { return bucket % 2 == 0 ? 20 + Double(bucket) / 50 : nil }
    return bucket % 4 == 0 ? nil : 44 + Double(bucket) / 50
  }

  private static func fleet(_ now: Double) throws -> QuestionsFleet {
    let lines = (0..<400).flatMap { device in
      func line(_ stage: String, _ at: Double, _ release: String) -> String {
        #"{"app":"a","device":"d\#(device)","stage":"\#(stage)","at":"\#(hour(at))","release":"\#(release)","bucket":\#(device % 100),"platform":"ios"}"#
      }
      let update = updates(device).flatMap { $0 < now ? $0 : nil }
      let word = line("check", now - 0.1 - Double(device % 50) / 100, update == nil ? "1.0.0" : "2.0.0")
      return [line("check", -30, "1.0.0"), line("check", -2, "1.0.0"), word]
        + (update.map { [line("applied", $0, "2.0.0")] } ?? [])
    }
    return try QuestionsFleet(
      lines.joined(separator: "\n"),
      publications: [
        ["1.0.0", "--app", "a", "--at", hour(-400)],
        ["2.0.0", "--app", "a", "--at", hour(0), "--rollout", "10%@0h,50%@20h,100%@44h"],
      ], now: hour(now))
  }

  private static let early = Result { try fleet(26) }

  @Test func nothingIsSaidOfAllByTheFirstFew() throws {
    let fleet = try Self.early.get()
    let answer = try fleet.json("adoption", "2.0.0", "--clock", "release-age", "--at", "5h,19h,24h")
    let ages = try #require(at(answer, "data", 0, "ages") as? [[String: Any]])
    #expect(ages.map { at($0, "share", "value") as? Double } == [0.5, 1, nil], "\(ages)")
    #expect(ages.map { $0["reason"] as? String } == [nil, "allEvents", "enteredLater"])
    let own = try fleet.json("adoption", "2.0.0", "--at", "5h")
    #expect(at(own, "data", 0, "ages", 0, "share", "value") is Double)
    let gate = try fleet.ask("adoption", "2.0.0", "--clock", "release-age", "--require", "adoption@24h.lo>=0.5")
    #expect(gate.status == 4, "\(gate.output) \(gate.errors)")
    let times = try fleet.ask("time-to-update", "2.0.0", "--clock", "release-age", "--format", "table").output
    #expect(times.contains("h it rests on fewer than 30 devices"), "\(times)")
  }

  @Test func noForecastIsMadeOfIt() throws {
    let fleet = try Self.early.get()
    let row = try #require(at(fleet.json("forecast", "2.0.0"), "data", 0) as? [String: Any])
    #expect(row["obstacle"] as? String == "enteredLater" && at(row, "adoptedNow", "value") is NSNull, "\(row)")
    #expect(try fleet.ask("forecast", "2.0.0", "--format", "table").output.contains("ESTIMATE NOW"))
  }

  @Test func exportsSayNothingOfIt() throws {
    let fleet = try Self.early.get()
    let metrics = try fleet.ask("export", "openmetrics").output
    let adoption = metrics.split(separator: "\n").filter { $0.hasPrefix("uptake_rollout_adoption{") }
    #expect(!adoption.contains { $0.contains("2.0.0") }, "\(adoption)")
    #expect(try Self.milestones(fleet).isEmpty)
  }

  /// 40 and 80 of 400 when the last step came, 200 soon after.
  @Test func milestonesAreCountedFromTheLastStepOn() throws {
    let texts = try Self.milestones(Self.fleet(60))
    // Of the 10 and 25 % that were reached before the last step the greater is told.
    try #require(texts.map { String($0.prefix(3)) } == ["25%", "50%"], "\(texts)")
    let counted = "after its publication, when its rollout was complete: 120 of 400 eligible devices, counted."
    #expect(texts[0] == "25% of devices had 2.0.0 44.0h " + counted)
    #expect(texts[1].contains(" of 400 eligible devices, counted."))
  }

  @Test func pagesSayWhatIsKnown() throws {
    let site = try scratchFolder() + "/site"
    try #require(try Self.early.get().ask("report", "--out", site).status == 0)
    let page = try String(contentsOfFile: site + "/release/2.0.0.html", encoding: .utf8)
    #expect(page.contains("after the publication nothing is estimated: few devices, or none, were left"))
    #expect(page.contains("On each device’s own clock, from when it could have it,"))
  }

  private static func milestones(_ fleet: QuestionsFleet) throws -> [String] {
    let document = try JSONSerialization.jsonObject(with: Data(fleet.ask("export", "json").output.utf8))
    let row = (at(document, "data") as? [[String: Any]])?.first { $0["release"] as? String == "2.0.0" }
    let story = try #require(row?["story"] as? [[String: Any]])
    return story.filter { $0["kind"] as? String == "milestone" }.compactMap { $0["text"] as? String }
  }
}
