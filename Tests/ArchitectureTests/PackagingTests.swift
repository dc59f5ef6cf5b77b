import Foundation
import Testing

/// What packages say of the program is so; whether they install is `make package-check`.
@Suite struct PackagingTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOf: ArchitectureTests.root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test func theVersionIsTheSameEverywhere() throws {
    let program = try Self.text("Sources/uptake/Uptake.swift")
    let version = try #require(program.firstMatch(of: /version: "([^"]+)", date: "([^"]+)"/))
    let changes = try Self.text("packaging/debian/changelog")
    #expect(changes.hasPrefix("uptake (\(version.1)-1) "))
    #expect(try Self.text("packaging/compose.yaml").contains("image: uptake:\(version.1)\n"))
    #expect(try Self.text("packaging/README.md").contains("uptake_\(version.1)-1_amd64.deb"))
    let day = try Date(String(version.2) + "T00:00:00Z", strategy: .iso8601)
    let form = DateFormatter()
    (form.locale, form.timeZone) = (Locale(identifier: "en_US_POSIX"), TimeZone(identifier: "UTC"))
    form.dateFormat = "EEE, dd MMM yyyy HH:mm:ss Z"
    #expect(changes.contains(">  \(form.string(from: day))\n"))
  }
}
