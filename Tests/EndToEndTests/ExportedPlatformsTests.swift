import Foundation
import Testing

/// A release that was halted on one platform: its verdict is about the other, and figures are of all devices.
@Suite struct ExportedPlatformsTests {
  @Test(arguments: [true, false]) func theRowSaysWhomTheVerdictIsAbout(_ isHalted: Bool) throws {
    let events = (0..<60).flatMap { device in
      [("check", "1.0", "01T08"), ("applied", "2.0", "02T10")].map { stage, release, at in
        #"{"app":"a","device":"d\#(device)","stage":"\#(stage)","at":"2025-03-\#(at):00:00Z","release":"\#(release)","#
          + #""platform":"\#(device % 3 == 0 ? "ios" : "android")"}"#
      }
    }
    let own = ["ios", "android"].map { ["2.0", "--app", "a", "--platform", $0, "--at", "2025-03-02T08:00:00Z"] }
    let fleet = try QuestionsFleet(
      events.joined(separator: "\n"), publications: own, now: "2025-03-03T08:00:00Z")
    if isHalted {
      let halt = ["release", "halt", "2.0", "--app", "a", "--platform", "ios", "--at", "2025-03-02T18:00:00Z"]
      try #require(try fleet.ask(halt).status == 0)
    }
    let document = try JSONSerialization.jsonObject(with: Data(fleet.ask("export", "json").output.utf8))
    let row = try #require((at(document, "data") as? [[String: Any]])?.first { $0["release"] as? String == "2.0" })
    #expect(row["verdictPlatforms"] as? String == (isHalted ? "android" : nil), "\(row)")
    #expect(row["devices"] as? Int == 60)
    let table = try fleet.ask("export", "csv").output
    #expect(table.prefix { $0 != "\r\n" }.hasSuffix(",verdictPlatforms"), "\(table)")
  }
}
