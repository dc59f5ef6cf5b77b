import Foundation
import Testing

/// `uptake serve --reports`: pages as a browser and curl get them, from the real program.
@Suite struct ServedPagesTests {
  /// What curl was answered.
  private struct Page {
    var status = 0
    var headers: [String: String] = [:]
    var challenges: [String] = []
    var body = Data()
    var text: String { String(decoding: body, as: UTF8.self) }
  }

  private func get(_ service: RunningService, _ path: String, _ options: String...) throws -> Page {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/curl")
    process.arguments = ["-s", "-i", "--path-as-is"] + options + ["http://127.0.0.1:\(service.port)\(path)"]
    process.standardOutput = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    var page = Page()
    guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return page }
    page.body = bytes[end.upperBound...]
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    page.status = Int(lines[0].split(separator: " ")[1]) ?? 0
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      page.headers[parts[0].lowercased()] = parts[1]
      if parts[0].lowercased() == "www-authenticate" { page.challenges.append(parts[1]) }
    }
    return page
  }

  private func event(_ app: String, _ release: String = "1.0") -> String {
    #"{"device":"d","app":"\#(app)","release":"\#(release)","stage":"applied","trigger":"foreground","id":"\#(app)\#(release)"}"#
  }

  private func key(_ database: String, _ app: String, _ scope: String) throws -> String {
    let made = try Binary.run("key", "create", "--db", database, "--app", app, "--scope", scope)
    try #require(made.status == 0, "\(made.errors)")
    return made.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func directory() throws -> String {
    let directory = NSTemporaryDirectory() + "uptake-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    return directory
  }

  @Test func pagesAppearAndFollowTheEvents() throws {
    let directory = try directory()
    let service = try RunningService(["--reports", directory + "/site", "--report-every", "1s"], directory: directory)
    defer { service.removeFiles() }
    try eventually { try get(service, "/").text.contains("No event has come") }
    #expect(try service.ask(event("a"))["accepted"] == 1)
    try eventually { try get(service, "/").text.contains("release/1.0/production.html") }
    let page = try get(service, "/release/1.0.html")
    #expect(page.status == 200 && page.text.contains("<bdi>1.0</bdi>"))
    #expect(try get(service, "/release/1.0/production.html").text.contains("<bdi>1.0</bdi> on <bdi>production</bdi>"))
    #expect(try get(service, "/data.json").headers["content-type"] == "application/json")
    #expect(try get(service, "/mechanisms.html").status == 200)
    #expect(try service.ask(event("a", "2.0"))["accepted"] == 1)
    try eventually { try get(service, "/").text.contains("release/2.0/production.html") }
    // What is served also lies in the folder, whole, with nothing half-written beside it.
    let files = try FileManager.default.subpathsOfDirectory(atPath: directory + "/site")
    #expect(Set(files).isSuperset(of: ["a/index.html", "a/data.json", "a/release/2.0.html"]))
    #expect(service.stop().status == 0)
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: directory + "/site").allSatisfy { !$0.hasSuffix("tmp") })
  }

  @Test func aNewReleaseWaitsForNoTurn() throws {
    let directory = try directory()
    let service = try RunningService(["--reports", directory + "/site", "--report-every", "1d"], directory: directory)
    defer { service.removeFiles() }
    for release in ["1.0", "2.0"] {
      #expect(try service.ask(event("a", release))["accepted"] == 1)
      try eventually { try get(service, "/").text.contains("release/\(release)/production.html") }
    }
  }

  @Test func headersKeepPagesFreshPrivateAndInert() throws {
    let directory = try directory()
    let service = try RunningService(["--reports", directory + "/site", "--report-every", "1h"], directory: directory)
    defer { service.removeFiles() }
    #expect(try service.ask(event("a"))["accepted"] == 1)
    try eventually { try get(service, "/index.html").text.contains("release/1.0/production.html") }
    let page = try get(service, "/")
    #expect(page.headers["content-type"] == "text/html; charset=utf-8")
    #expect(page.headers["cache-control"] == "private, no-cache")
    #expect(page.headers["x-content-type-options"] == "nosniff")
    #expect(page.headers["referrer-policy"] == "no-referrer")
    let policy = try #require(page.headers["content-security-policy"])
    #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-") && policy.hasSuffix("frame-ancestors 'none'"))
    // The page's own policy is the same, but for what only a header may say.
    let hasPolicy = page.text.contains(policy.dropLast("; frame-ancestors 'none'".count))
    #expect(hasPolicy)

    let tag = try #require(page.headers["etag"])
    let same = try get(service, "/", "-H", "If-None-Match: \"other\", W/\(tag)")
    #expect(same.status == 304 && same.body.isEmpty && same.headers["etag"] == tag)
    #expect(try get(service, "/", "-H", "If-None-Match: \"other\"").status == 200)
    let since = try #require(page.headers["last-modified"])
    #expect(try get(service, "/", "-H", "If-Modified-Since: \(since)").status == 304)
    #expect(try get(service, "/", "-H", "If-Modified-Since: Sat, 01 Jan 2000 00:00:00 GMT").status == 200)
    #expect(try get(service, "/", "-H", "If-Modified-Since: soon").status == 200)

    let head = try get(service, "/", "-I")
    #expect(head.status == 200 && head.body.isEmpty && head.headers["content-length"] == "\(page.body.count)")
    let packed = try get(service, "/", "-H", "Accept-Encoding: br, gzip;q=0.8")
    #expect(packed.headers["content-encoding"] == "gzip" && packed.headers["etag"] != tag)
    #expect(packed.body.count < page.body.count / 2)
    #expect(try get(service, "/", "--compressed").text == page.text)
    #expect(try get(service, "/", "-H", "Accept-Encoding: gzip;q=0").headers["content-encoding"] == nil)
  }

  /// Pages in the folder have no switch: there it would do nothing.
  @Test func reloadingCanBeStopped() throws {
    let directory = try directory()
    let service = try RunningService(["--reports", directory + "/site", "--report-every", "1h"], directory: directory)
    defer { service.removeFiles() }
    #expect(try service.ask(event("a"))["accepted"] == 1)
    try eventually { try get(service, "/").text.contains("release/1.0/production.html") }
    let page = try get(service, "/")
    #expect(page.headers["refresh"] == "3600")
    #expect(page.text.contains(#"again every 1h. <a href="?reload=off">Stop reloading</a>"#))
    let still = try get(service, "/?reload=off")
    #expect(still.headers["refresh"] == nil && still.text.contains(#"<a href="?reload=on">Reload again</a>"#))
    #expect(still.text.contains(#"href="release/1.0/production.html?reload=off""#))
    #expect(still.text.contains(#"href="data.json""#))
    #expect(try get(service, "/release/1.0/production.html?reload=off").headers["refresh"] == nil)
    #expect(try get(service, "/?reload=on").headers["refresh"] == "3600")
    #expect(try get(service, "/?reload=off", "-H", "Accept-Encoding: gzip").headers["content-encoding"] == "gzip")
    let written = try String(contentsOfFile: directory + "/site/a/index.html", encoding: .utf8)
    #expect(!written.contains("reload=") && page.text != written)
  }

  @Test func theNewestReleasesHavePages() throws {
    let directory = try directory()
    let options = ["--reports", directory + "/site", "--report-every", "1s", "--report-newest", "1"]
    let service = try RunningService(options, directory: directory)
    defer { service.removeFiles() }
    for number in 1...5 { #expect(try service.ask(event("a", "\(number).0"))["accepted"] == 1) }
    // Each channel's newest three, and what devices run.
    try eventually { try get(service, "/").text.contains("releases have no page: pages are of the newest 1,") }
    #expect(try get(service, "/release/5.0.html").status == 200)
    #expect(try get(service, "/release/1.0.html").text.contains("(--report-newest)"))
  }

  @Test func nothingBesideThePagesCanBeReached() throws {
    let directory = try directory()
    let service = try RunningService(["--reports", directory + "/site", "--report-every", "1h"], directory: directory)
    defer { service.removeFiles() }
    #expect(try service.ask(event("a"))["accepted"] == 1)
    try eventually { try get(service, "/").text.contains("release/1.0/production.html") }
    for path in [
      "/../uptake.db", "/release/../../uptake.db", "/%2e%2e/uptake.db", "/..%2fuptake.db",
      "/release/..%2f..%2fuptake.db",
      "//etc/passwd", "/uptake.db", "/a/index.html", "/release", "/release/", "/.index.html.1.tmp", "/index.html%00",
    ] {
      let page = try get(service, path)
      #expect(page.status == 404 || page.status == 400, "\(path): \(page.status)")
    }
    #expect(try get(service, "/release/0.9/production.html").text.contains("of many releases the newest have pages"))
    #expect(try get(service, "/", "-X", "POST").status == 404)
    #expect(try get(service, "/healthz").text == "ok\n")
    #expect(try get(service, "/v1/events").status == 405)
  }

  @Test func aKeyOpensThePagesOfItsApp() throws {
    let directory = try directory()
    let database = directory + "/uptake.db"
    let (read, ingest, other) = (
      try key(database, "a", "read"), try key(database, "a", "ingest"), try key(database, "b", "read")
    )
    let service = try RunningService(["--reports", directory + "/site", "--report-every", "1s"], directory: directory)
    defer { service.removeFiles() }
    #expect(try service.ask(event("a"), headers: ["X-Uptake-Key": ingest])["accepted"] == 1)
    try eventually { try get(service, "/", "-u", "me:\(read)").text.contains("release/1.0/production.html") }
    #expect(try get(service, "/", "-H", "Authorization: Bearer \(read)").status == 200)

    let closed = try get(service, "/")
    #expect(closed.status == 401 && closed.challenges.contains { $0.hasPrefix("Basic realm=") })
    #expect(!closed.text.contains("1.0"))
    #expect(try get(service, "/data.json").status == 401)
    // A browser must be told to ask again, or it repeats the wrong key.
    #expect(try get(service, "/", "-u", "me:\(ingest)").status == 401)
    // A program sends its key in a header, and is told that this one never will do.
    #expect(try get(service, "/", "-H", "Authorization: Bearer \(ingest)").status == 403)
    #expect(try get(service, "/", "-u", "\(read):").status == 401)
    // The key of another app sees that one's pages, of which there are none.
    #expect(try get(service, "/", "-u", "me:\(other)").status == 404)
    // A password opens pages only: a browser would send it wherever another site makes it go.
    #expect(try get(service, "/v1/releases", "-u", "me:\(read)").status == 401)
    #expect(try get(service, "/v1/releases", "-u", "me:\(read)").challenges == ["Bearer"])
  }

  @Test func appsHaveTheirOwnFolders() throws {
    let directory = try directory()
    let service = try RunningService(["--reports", directory + "/site", "--report-every", "1s"], directory: directory)
    defer { service.removeFiles() }
    #expect(try service.ask(event("one"))["accepted"] == 1)
    #expect(try service.ask(event("../two"))["accepted"] == 1)
    try eventually { try get(service, "/").text.contains("one/index.html") }
    try eventually { try get(service, "/one/release/1.0.html").status == 200 }
    #expect(try get(service, "/release/1.0.html").status == 404)
    let folders = try FileManager.default.contentsOfDirectory(atPath: directory + "/site").sorted()
    #expect(folders.count == 2 && folders.contains("one") && folders.allSatisfy { !$0.contains("/") })
  }

  /// Where pages cannot be written, events and health go on, and everybody who asks is told.
  @Test func aFolderThatCannotBeWrittenStopsNothing() throws {
    let directory = try directory()
    try Data().write(to: URL(filePath: directory + "/site"))
    let service = try RunningService(["--reports", directory + "/site", "--report-every", "1s"], directory: directory)
    defer { service.removeFiles() }
    #expect(try service.ask(event("a"))["accepted"] == 1)
    try eventually { try get(service, "/readyz").text.contains("making them failed at") }
    #expect(try get(service, "/readyz").status == 200)
    try eventually { try get(service, "/").text.contains("release/1.0/production.html") }
    let metrics = try get(service, "/metrics").text
    #expect(metrics.contains("uptake_report_failures_total ") && !metrics.contains("uptake_report_failures_total 0"))
    #expect(try service.ask(event("a", "2.0"))["accepted"] == 1)
    let log = service.stop().log
    #expect(log.contains(#""event":"report_failed""#) && log.contains("cannot be made"))
  }

  @Test func faultsInOptionsAreToldAtTheStart() throws {
    let directory = try directory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try Data(#"{"path":"x.html","title":"X","panels":[{"panel":"nonsense"}]}"#.utf8)
      .write(to: URL(filePath: directory + "/x.json"))
    let database = directory + "/uptake.db"
    let bad = try Binary.run("serve", "--db", database, "--reports", directory + "/site", "--pages", directory)
    #expect(bad.status == 2 && bad.errors.contains("\"nonsense\" is no panel"))
    let alone = try Binary.run("serve", "--db", database, "--pages", directory)
    #expect(alone.status == 2 && alone.errors.contains("--reports DIR"))
    let often = try Binary.run("serve", "--db", database, "--reports", directory, "--report-every", "10ms")
    #expect(often.status == 2 && often.errors.contains("--report-every"))
  }
}
