import Testing

/// What a comparison says in words is what its JSON says.
@Suite struct ComparedWordsTests {
  /// 20 hours after each publication four in ten devices get 1.0, and six in ten 2.0: that is 20 points at 24 h, and of the wait up to
  /// then 48 minutes, which is less than the margin of an hour.
  private static let fleet = Result {
    func line(_ device: Int, _ stage: String, _ at: String, _ release: String) -> String {
      #"{"app":"a","device":"d\#(device)","stage":"\#(stage)","at":"2025-03-\#(at):00:00Z","release":"\#(release)","platform":"ios"}"#
    }
    let events = (0..<300).flatMap { device -> [String] in
      var lines = [line(device, "check", "01T07", "0.9")]
      if device % 10 < 4 { lines.append(line(device, "applied", "02T04", "1.0")) }
      if device % 10 < 6 { lines.append(line(device, "applied", "06T04", "2.0")) }
      return lines + [line(device, "check", "06T19", device % 10 < 6 ? "2.0" : "0.9")]
    }
    return try QuestionsFleet(
      events.joined(separator: "\n"),
      publications: [("0.9", "02-01"), ("1.0", "03-01"), ("2.0", "03-05")].map { release, day in
        [release, "--app", "a", "--at", "2025-\(day)T08:00:00Z"]
      }, now: "2025-03-06T20:00:00Z")
  }

  @Test func whatDecidesIsSaid() throws {
    let fleet = try Self.fleet.get()
    let row = at(try fleet.json("compare", "2.0", "1.0"), "data", 0)
    #expect(at(row, "verdict") as? String == "equivalent" && at(row, "ages", 0, "relevance") as? String == "relevant")
    let text = try fleet.ask("compare", "2.0", "1.0", "--format", "table").output
    #expect(text.contains("2.0 is ahead of 1.0 at 24h: +20.0 pp"), "\(text)")
    #expect(text.contains("in all level: the mean wait within 24h, which decides, differs by −48.0m"), "\(text)")
  }

  @Test func theShorterOfTheTwoIsNamed() throws {
    let text = try Self.fleet.get().ask("compare", "2.0", "1.0", "--format", "table").output
    #expect(text.contains("not compared at 72h: 2.0 was followed for 36.0h, 36.0h too short"), "\(text)")
  }
}
