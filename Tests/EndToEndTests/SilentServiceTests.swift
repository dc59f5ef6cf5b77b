import Foundation
import Testing

/// Nothing arrives any more: pages do not draw that everybody waits.
@Suite struct SilentServiceTests {
  private func fleet(_ now: String) throws -> QuestionsFleet {
    func line(_ device: Int, _ stage: String, _ at: String, _ release: String) -> String {
      #"{"app":"a","device":"d\#(device)","stage":"\#(stage)","at":"2025-03-0\#(at):00:00Z","release":"\#(release)"}"#
    }
    let checks = (0..<40).flatMap { device in ["1T08", "2T07", "2T14"].map { line(device, "check", $0, "1.0") } }
    let updates = (0..<10).map { line($0, "applied", "2T1\($0 % 4)", "2.0") }
    return try QuestionsFleet(
      (checks + updates).joined(separator: "\n"),
      publications: ["1.0": "01T00", "2.0": "02T08"].sorted { $0.key < $1.key }.map {
        [$0.key, "--app", "a", "--at", "2025-03-\($0.value):00:00Z"]
      }, now: now)
  }

  @Test(arguments: [("2025-03-02T15:00:00Z", 0), ("2025-03-03T15:00:00Z", 2)])
  func saysFromWhenOnNothingIsKnown(_ now: String, _ panels: Int) throws {
    let site = try scratchFolder() + "/site"
    let made = try fleet(now).ask("report", "--out", site)
    try #require(made.status == 0, "\(made.errors)")
    let page = try String(contentsOfFile: site + "/release/2.0.html", encoding: .utf8)
    let sentence = #"No device was heard of since <time datetime="2025-03-02T14:00:00Z">"#
    #expect(page.components(separatedBy: sentence).count - 1 == panels)
  }
}
