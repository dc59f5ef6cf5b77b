import Foundation
import Testing

/// A release that fails on one channel and does well on another: each has its own page, and every link leads to the right one.
@Suite struct ReportChannelsTests {
  private let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "uptake-channels-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private func site(_ releases: [String] = ["1.0", "2.0"]) throws -> String {
    var lines: [String] = []
    for (channel, devices) in [("beta", 30), ("production", 40), ("early", 8)] {
      for (day, release) in releases.enumerated() {
        for device in 0..<devices {
          let who = #""device":"\#(channel)\#(device)","app":"a","channel":"\#(channel)","trigger":"silentPush""#
          let common = #"\#(who),"release":"\#(release)""#
          let isBad = channel == "beta" && release == releases.last && device % 2 == 0
          let (began, ended) = (at(day, 1, device), at(day, 2, device))
          lines.append(#"{\#(common),"stage":"downloadStarted","at":"\#(began)"}"#)
          lines.append(#"{\#(common),"stage":"\#(isBad ? "failed" : "applied")","at":"\#(ended)"}"#)
        }
      }
    }
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: folder + "/e.ndjson"))
    #expect(try Binary.run("import", "--db", folder + "/u.db", folder + "/e.ndjson", "--quiet").status == 0)
    let made = try Binary.run(
      "report", "--db", folder + "/u.db", "--out", folder + "/site", "--now", "2025-03-04T00:00:00Z")
    try #require(made.status == 0, "\(made.errors)")
    return folder + "/site/"
  }

  private func at(_ day: Int, _ hour: Int, _ device: Int) -> String {
    "2025-03-0\(1 + day)T0\(hour):00:\(device + 10)Z"
  }

  private func links(_ page: String) -> [String] {
    page.matches(of: /href="([^"#:]+)"/).map { String($0.1) }
  }

  private func read(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test func eachChannelHasItsPageAndLinksLeadThere() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let site = try site()
    let index = try read(site + "index.html")
    let beta = try read(site + "release/2.0/beta.html")
    #expect(beta.contains("<bdi>2.0</bdi> on <bdi>beta</bdi></h1>"))
    for channel in ["production", "beta", "early"] {
      let leading = "<bdi>\(channel)</bdi>: <a href=\"release/2.0/\(channel).html\" aria-label=\"2.0 on \(channel)\">"
      #expect(index.contains(leading))
      #expect(links(beta).contains("../../release/2.0/\(channel).html"))
    }
    #expect(beta.contains("<a href=\"../../release/2.0/beta.html\" aria-current=\"page\">"))
    #expect(beta.contains("<a rel=\"prev\" href=\"../../release/1.0/beta.html\">"))
    #expect(try read(site + "release/1.0/beta.html").contains("<a rel=\"next\" href=\"../../release/2.0/beta.html\">"))
  }

  /// The address without a channel is the busiest channel's page, but for where its links begin.
  @Test func theAddressWithoutAChannelStays() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let site = try site()
    let (short, own) = (try read(site + "release/2.0.html"), try read(site + "release/2.0/production.html"))
    let moved = own.replacing("../../", with: "../").replacing("href=\"production.", with: "href=\"2.0/production.")
    #expect(short == moved && short.contains("href=\"2.0/production.adoption.csv\""))
  }

  /// A page's name in a window begins with how the release fares there; the first page's with the worst.
  @Test func titlesBeginWithTheVerdict() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let site = try site()
    #expect(try read(site + "release/2.0/beta.html").contains("<title>Stop: failing · 2.0 on beta · a</title>"))
    #expect(try !read(site + "release/2.0/production.html").contains("<title>Stop"))
    #expect(try read(site + "index.html").contains("<title>Stop: failing · 2.0 on beta · Releases · a</title>"))
  }

  /// What holds a release up stands on its own channel's page, and a command beside it runs nothing else when it is pasted.
  @Test func findingsAndHarmStandWhereTheyBelong() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let site = try site(["1.0", "2.0;touch x;#"])
    let index = try read(site + "index.html")
    #expect(index.contains("<th>Rolled back<th>Crashed") && index.contains("uptake verdict --channel beta"))
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: site + "release").first {
        $0.hasPrefix("2.0") && !$0.hasSuffix(".html")
      })
    let beta = try read(site + "release/\(name)/beta.html")
    #expect(beta.contains("<code>uptake verdict --channel beta &#39;2.0;touch x;#&#39;</code>"))
    #expect(beta.contains("uptake suspects --channel beta &#39;2.0;touch x;#&#39;"))
    let production = try read(site + "release/\(name)/production.html")
    #expect(production.contains("<dt>Rolled back</dt>") && production.contains("<dt>Crashed</dt>"))
    #expect(!production.contains("uptake verdict --channel beta &#39;2.0;touch x;#&#39;</code>"))
  }

  @Test func noLinkLeadsNowhereAndNoPageIsUnlinked() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // One of these names is how the page of the other was called.
    let site = try site(["1.0", "1.0.html"])
    let root = URL(filePath: site).standardized
    var linked: Set<String> = []
    let pages = try FileManager.default.subpathsOfDirectory(atPath: site).filter { path in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: site + path, isDirectory: &isFolder) && !isFolder.boolValue
        && path.hasSuffix(".html")
    }
    for page in pages {
      for link in links(try read(site + page)) {
        let target = root.appending(path: page).deletingLastPathComponent().appending(path: link).standardized
        linked.insert(target.path.replacing(root.path + "/", with: "").removingPercentEncoding ?? "")
        #expect(FileManager.default.fileExists(atPath: target.path), "\(page) leads to \(link)")
      }
    }
    for page in pages where page.split(separator: "/").count != 2 { #expect(linked.contains(page), "\(page)") }
  }
}
