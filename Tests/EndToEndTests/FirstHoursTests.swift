import Foundation
import Testing

/// The page of a release that was published after the cutoff.
@Suite struct FirstHoursTests {
  private let folder: String
  init() throws { folder = try scratchFolder() }

  /// Forty devices, of which eight are heard of hours late; ten run the release half an hour after its publication.
  private func events() -> String {
    let checks = (0..<40).map {
      #"{"device":"d\#($0)","stage":"check","release":"1.0","at":"2024-03-04T07:00:00Z","#
        + #""received":"2024-03-04T\#($0 < 8 ? "10" : "07"):00:00Z"}"#
    }
    let updates = (0..<10).map {
      #"{"device":"d\#($0)","stage":"applied","release":"2.0","at":"2024-03-04T11:30:00Z","#
        + #""received":"2024-03-04T11:30:00Z"}"#
    }
    return (checks + updates).joined(separator: "\n")
  }

  private func page() throws -> String {
    let database = folder + "/u.db"
    let imported = try Binary.start(
      Binary.path, ["import", "-", "--db", database, "--app", "com.example.demo"], input: events())
    try #require(imported.status == 0, "\(imported.errors)")
    for (release, hour) in [("1.0", "01"), ("2.0", "11")] {
      let at = "2024-03-04T\(hour):00:00Z"
      let published = try Binary.run("release", "publish", release, "--db", database, "--at", at)
      try #require(published.status == 0, "\(published.errors)")
    }
    let made = try Binary.run(
      "report", "--db", database, "--out", folder + "/site", "--now", "2024-03-04T12:00:00Z")
    try #require(made.status == 0, "\(made.errors)")
    return try String(contentsOfFile: folder + "/site/release/2.0.html", encoding: .utf8)
  }

  /// Adoption and reach are there, and said to be provisional; why the rest is empty is said once.
  @Test func tellsWhatIsKnownUntilNow() throws {
    let page = try page()
    #expect(page.components(separatedBy: "Provisional: ").count - 1 == 2)
    #expect(page.contains("<b data-v>10</b> of <b data-v>40</b> eligible devices had updated to <bdi>2.0</bdi>"))
    #expect(page.contains("<b data-v>10</b> of <b data-v>40</b> reachable devices run <bdi>2.0</bdi>"))
    // Below the verdict, and where nothing was found that holds it up.
    #expect(page.components(separatedBy: "99 % of events arrive within").count - 1 == 2)
    #expect(page.components(separatedBy: "Published after the cutoff: nobody is counted yet.").count - 1 == 5)
    let index = try String(contentsOfFile: folder + "/site/index.html", encoding: .utf8)
    #expect(index.contains("published after the cutoff"))
    let releases = try Binary.run(
      "releases", "--db", folder + "/u.db", "--now", "2024-03-04T12:00:00Z", "--format", "table")
    #expect(releases.output.contains("published after the cutoff"))
    #expect(!page.contains("No device reported any stage") && !page.contains("o device has tried to get 2.0 yet"))
  }
}
