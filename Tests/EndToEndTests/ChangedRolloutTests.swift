import Foundation
import Testing

/// Pages of a release whose rollout was widened or halted since the cutoff, and which crashes.
@Suite struct ChangedRolloutTests {
  private let folder: String
  init() throws { folder = try scratchFolder() }

  /// Forty devices that tell their bucket, of which eight are heard of three hours late; ten run the release half an hour after
  /// `hour`, and six crash.
  private func events(_ hour: String) -> String {
    let checks = (0..<40).map {
      #"{"device":"d\#($0)","stage":"check","release":"1.0","bucket":\#($0 * 5 / 2),"at":"2024-03-04T04:00:00Z","#
        + #""received":"2024-03-04T\#($0 < 8 ? "07" : "04"):00:00Z"}"#
    }
    func updates(_ stage: String, _ devices: Range<Int>, _ minute: Int) -> [String] {
      devices.map {
        #"{"device":"d\#($0)","stage":"\#(stage)","release":"2.0","at":"2024-03-04T\#(hour):\#(minute):00Z","#
          + #""received":"2024-03-04T\#(hour):\#(minute):00Z"}"#
      }
    }
    return (checks + updates("applied", 0..<10, 30) + updates("crashed", 0..<6, 40)).joined(separator: "\n")
  }

  /// - Returns: the page of a release of 05:00, hours before the cutoff, and the first page.
  private func pages(_ rollout: String, updatedAt hour: String = "10") throws -> (release: String, index: String) {
    let database = folder + "/u.db"
    let imported = try Binary.start(
      Binary.path, ["import", "-", "--db", database, "--app", "com.example.demo"], input: events(hour))
    try #require(imported.status == 0, "\(imported.errors)")
    for (release, at, steps) in [("1.0", "01:00", "100%@0h"), ("2.0", "05:00", rollout)] {
      let published = try Binary.run(
        "release", "publish", release, "--db", database, "--at", "2024-03-04T\(at):00Z", "--rollout", steps)
      try #require(published.status == 0, "\(published.errors)")
    }
    let made = try Binary.run(
      "report", "--db", database, "--out", folder + "/site", "--now", "2024-03-04T12:00:00Z", "--min-cell", "0")
    try #require(made.status == 0, "\(made.errors)")
    func text(_ path: String) throws -> String {
      try String(contentsOfFile: folder + "/site/" + path, encoding: .utf8)
    }
    return (try text("release/2.0.html"), try text("index.html"))
  }

  @Test(arguments: [("20%@0h,100%@5h", "Until now"), ("20%@0h,100%@5h,0%@6h", "Until the halt")])
  func tellsWhatIsKnownSince(_ rollout: String, _ end: String) throws {
    let (page, index) = try pages(rollout)
    let counts = "<b data-v>10</b> of <b data-v>40</b> eligible devices"
    #expect(page.contains("\(end), provisional: <b data-v=0.25>25.0%</b>, \(counts)"))
    #expect(index.contains("\(end), provisional: <b data-v=0.25>25.0%</b>, \(counts)"))
  }

  /// In the words of the verdict.
  @Test func theListSaysHalted() throws {
    _ = try pages("20%@0h,0%@6h")
    let list = try Binary.run(
      "releases", "--db", folder + "/u.db", "--now", "2024-03-04T12:00:00Z", "--format", "md", "--min-cell", "0")
    #expect(list.output.contains("halted") && !list.output.contains("paused"), "\(list)")
  }

  /// The harm that the verdict is about is drawn, with its own limit.
  @Test func drawsCrashesSoFar() throws {
    let (page, _) = try pages("100%@0h", updatedAt: "06")
    #expect(page.contains("launched so far, crashed, limit "))
    #expect(page.contains("all launches, crashed"))
    #expect(!page.contains("younger ones, too"))
  }
}
