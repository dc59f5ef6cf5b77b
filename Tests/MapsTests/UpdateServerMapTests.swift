import Ingest
import Lifecycle
import Testing

@testable import Maps

/// Requests to static update servers. nginx's `combined`: nginx, src/http/modules/ngx_http_log_module.c
/// (ngx_http_combined_fmt); Caddy's JSON: caddyserver.com/docs/logging, 2.7 and later with `client_ip`.
@Suite struct UpdateServerMapTests {
  struct Visit: Sendable {
    var address = "10.0.0.1"
    var target: String
    var agent: String
    var status = 200
    var id: String?

    func nginx(withID: Bool) -> String {
      let end = withID ? " \"\(id ?? "-")\"" : ""
      return
        #"\#(address) - - [04/Mar/2024:09:00:00 +0100] "GET \#(target) HTTP/1.1" \#(status) 512 "-" "\#(agent)"\#(end)"#
    }

    var caddy: String {
      let header = id.map { #","X-User-Staging-Id":["\#($0)"]"# } ?? ""
      return #"""
        {"level":"info","ts":1709539200.0,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"\#(address)",\#
        "remote_port":"41342","client_ip":"\#(address)","proto":"HTTP/2.0","method":"GET","host":"dl.example.com","uri":"\#(target)",\#
        "headers":{"User-Agent":["\#(agent)"]\#(header)}},"bytes_read":0,"duration":0.0009,"size":512,"status":\#(status)}
        """#
    }
  }

  private func both(_ name: String, _ visits: [Visit], withID: Bool = false) throws -> [Mapped] {
    let nginx = visits.map { $0.nginx(withID: withID) }.joined(separator: "\n")
    let caddy = visits.map(\.caddy).joined(separator: "\n")
    return [try Mapped(nginx, shipped: name), try Mapped(caddy, shipped: name + "-caddy")]
  }

  /// electron-userland/electron-builder, packages/electron-updater/src/AppUpdater.ts at daf7b7d: `x-user-staging-id` with
  /// every request; channel files latest.yml, latest-mac.yml, latest-linux.yml, beta.yml: Provider.ts at 143b410.
  @Test func electronUpdater() throws {
    let visits = [
      Visit(target: "/latest-mac.yml?noCache=1hq", agent: "electron-builder", id: "I1"),
      Visit(target: "/Demo-2.0.0-arm64-mac.zip", agent: "electron-builder", status: 206, id: "I1"),
      Visit(target: "/Demo-2.0.0-arm64-mac.zip.blockmap", agent: "electron-builder", id: "I1"),
      Visit(target: "/dl/Demo%20Setup%202.1.0-beta.2.exe", agent: "electron-builder", id: "I2"),
      Visit(target: "/beta.yml", agent: "electron-builder", status: 304, id: "I2"),
      Visit(target: "/latest.yml", agent: "electron-builder", status: 404, id: "I2"),
      Visit(target: "/latest.yml", agent: "curl/8"),
    ]
    for mapped in try both("electron-updater", visits, withID: true) {
      #expect(
        mapped.events == [
          "check - at 2024-03-04T08:00:00Z", "downloadStarted 2.0.0 at 2024-03-04T08:00:00Z",
          "downloadStarted 2.1.0-beta.2 at 2024-03-04T08:00:00Z", "check - at 2024-03-04T08:00:00Z on beta",
        ])
      #expect(mapped.devices == 2 && mapped.skipped == 2)
      #expect(
        mapped.refusals.map { $0.prefix(50) } == [#"7: "device" is missing or empty; the map looks for"#.prefix(50)])
      #expect(Set(mapped.contexts.map(\.platform)) == ["macos", "windows", nil])
    }
  }

  /// sparkle-project/Sparkle, Sparkle/SPUUserAgent.m at fa02441 (`NAME/VERSION Sparkle/VERSION`),
  /// Sparkle/SUSystemProfiler.m at 000c4a9 (parameters of the feed: osVersion, model, …).
  @Test func sparkle() throws {
    let agent = "Demo App/1.9.0 Sparkle/2.6.4"
    let visits = [
      Visit(target: "/appcast.xml", agent: agent),
      Visit(
        address: "10.0.0.2", target: "/appcast.xml?osVersion=14.3.1&model=Mac14,2&lang=de&appVersion=190", agent: agent),
      Visit(target: "/Demo%20App%202.0.0.dmg", agent: agent),
      Visit(target: "/appcast.xml", agent: "Demo App/2.0.0 Sparkle/2.6.4", status: 304),
      Visit(target: "/appcast.xml", agent: "Mozilla/5.0 (Macintosh) AppleWebKit/605"),
    ]
    for mapped in try both("sparkle", visits) {
      #expect(
        mapped.events == [
          "check 1.9.0 at 2024-03-04T08:00:00Z", "check 1.9.0 at 2024-03-04T08:00:00Z",
          "downloadStarted 2.0.0 at 2024-03-04T08:00:00Z", "check 2.0.0 at 2024-03-04T08:00:00Z",
        ])
      #expect(mapped.devices == 2 && mapped.skipped == 1 && mapped.refusals == [])
      #expect(mapped.contexts.contains { $0.osVersion == "14.3.1" && $0.platform == "macos" })
    }
  }

  /// tauri-apps/plugins-workspace, plugins/updater/src/updater.rs at 0163bba: {{target}}, {{arch}} and {{current_version}} in
  /// the endpoint; User-Agent tauri-plugin-updater/VERSION.
  @Test func tauri() throws {
    let agent = "tauri-plugin-updater/2.9.0"
    let visits = [
      Visit(target: "/updates/darwin/aarch64/1.0.0", agent: agent),
      Visit(address: "10.0.0.2", target: "/updates/windows/x86_64/1.1.0-beta.1", agent: agent, status: 304),
      Visit(target: "/dl/Demo_1.2.0_aarch64.app.tar.gz", agent: agent, status: 206),
      Visit(target: "/dl/Demo_1.2.0_x64-setup.exe", agent: agent),
      Visit(target: "/robots.txt", agent: agent),
    ]
    for mapped in try both("tauri", visits) {
      #expect(
        mapped.events == [
          "check 1.0.0 at 2024-03-04T08:00:00Z", "check 1.1.0-beta.1 at 2024-03-04T08:00:00Z",
          "downloadStarted 1.2.0 at 2024-03-04T08:00:00Z", "downloadStarted 1.2.0 at 2024-03-04T08:00:00Z",
        ])
      #expect(mapped.devices == 2 && mapped.skipped == 1 && mapped.refusals == [])
      #expect(Set(mapped.contexts.map(\.platform)) == ["macos", "windows", nil])
    }
  }
}
