import Foundation
import Testing

/// A rollout that stays at 20 %, of clients that do not say their bucket: who was let have it is known only of those that were offered it.
@Suite struct OfferedOnlyTests {
  private static let fleet = Result {
    func line(_ device: Int, _ stage: String, _ at: String, _ release: String) -> String {
      #"{"app":"a","device":"d\#(device)","stage":"\#(stage)","at":"\#(at)","release":"\#(release)","platform":"ios"}"#
    }
    let checks = (0..<300).flatMap { device in
      ["01T08", "02T07", "03T0\(device % 8)"].map { line(device, "check", "2025-03-\($0):00:00Z", "1.0.0") }
    }
    let early = (0..<300).map { line($0, "applied", "2025-02-0\(2 + $0 % 4)T08:00:00Z", "1.0.0") }
    let older = (0..<300).map { line($0, "check", "2025-01-31T08:00:00Z", "0.9.0") }
    let offers = (0..<60).flatMap { device in
      [line(device, "available", "2025-03-02T10:00:00Z", "2.0.0")]
        + (device < 20 ? [line(device, "applied", "2025-03-02T12:00:00Z", "2.0.0")] : [])
    }
    return try QuestionsFleet(
      (older + early + checks + offers).joined(separator: "\n"),
      publications: [
        ["1.0.0", "--app", "a", "--at", "2025-02-01T08:00:00Z"],
        ["2.0.0", "--app", "a", "--at", "2025-03-02T08:00:00Z", "--rollout", "20%@0h"],
      ], now: "2025-03-03T09:00:00Z")
  }

  /// Fewer than half of them have updated: the median says nothing of that.
  @Test(arguments: [["releases"], ["status"], ["verdict"]]) func noTextSaysAShare(_ words: [String]) throws {
    let fleet = try Self.fleet.get()
    let said = try fleet.ask(words + ["--format", "table"]).output
    #expect(!said.contains("33.3%"), "\(said)")
    let why = words == ["status"] ? "adoption not known: 20 of 60 offered it" : "nobody knows who was let have it"
    #expect(said.contains(why), "\(said)")
    #expect(try !fleet.ask(words + ["--format", "csv"]).output.contains("0.333333"))
  }

  @Test func jsonSaysWhatTheShareIsOf() throws {
    let row = try #require(at(Self.fleet.get().json("verdict"), "data", 0) as? [String: Any])
    #expect(row["observedReason"] as? String == "clockFromOffer")
    let all = try #require(at(Self.fleet.get().json("releases"), "data") as? [[String: Any]])
    let reasons = Dictionary(
      uniqueKeysWithValues: all.compactMap { row in (row["release"] as? String).map { ($0, row) } }
    )
    .mapValues { $0["observedReason"] as? String }
    #expect(reasons["2.0.0"] == "clockFromOffer" && reasons["1.0.0"] == .some(nil), "\(reasons)")
    let adoption = try Self.fleet.get().json("adoption", "2.0.0")
    #expect(at(adoption, "data", 0, "observedReason") as? String == "clockFromOffer")
    #expect(at(try Self.fleet.get().json("adoption", "1.0.0"), "data", 0, "observedReason") is NSNull)
  }

  @Test func exportsAndObjectivesSayItToo() throws {
    let words = ["verdict", "--objective", "20%", "--within", "6h", "--format", "table"]
    let said = try Self.fleet.get().ask(words).output
    let why = "the objective is 20.0% within 6h: not known, as nobody knows who was let have it"
    #expect(said.contains(why), "\(said)")
    let rows = try Self.fleet.get().ask("export", "json").output
    let document = try JSONSerialization.jsonObject(with: Data(rows.utf8))
    let row = try #require(
      (at(document, "data") as? [[String: Any]])?.first { $0["release"] as? String == "2.0.0" })
    #expect(row["observedReason"] as? String == "clockFromOffer" && row["observedShare"] is NSNull, "\(row)")
    #expect(row["medianSeconds"] is NSNull && row["adoptionClock"] as? String == "release-age")
    #expect(at(row, "story", 2) == nil, "no milestone of devices that nobody let have it: \(row)")
  }

  @Test func pagesSayWhoIsCounted() throws {
    let site = try scratchFolder() + "/site"
    try #require(try Self.fleet.get().ask("report", "--out", site).status == 0)
    let page = try String(contentsOfFile: site + "/release/2.0.0/production.html", encoding: .utf8)
    #expect(page.contains("<dt>Devices that were offered it</dt>") && !page.contains("<dt>Eligible devices</dt>"))
    #expect(page.contains("<b data-v>20</b> of <b data-v>60</b> devices that were offered it"))
    let known = "devices had updated to <bdi>2.0.0</bdi>, and nobody knows how many of them were let have it"
    #expect(page.contains(known))
    let clock = "it cannot be compared with 1.0.0: nobody knows who was let have one of the two"
    #expect(page.contains(clock) && !page.contains("cannot be compared with 1.0.0 yet"))
  }
}
