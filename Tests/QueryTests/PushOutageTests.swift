import Console
import Lifecycle
import Store
import Testing

@testable import Query

/// Pushes that break on one platform after good days: found, and said since when and why.
@Suite struct PushOutageTests {
  /// Pushes 30 hours apart, from 2024-03-04 09:00 UTC.
  private static let pushes = 0..<12
  private static let now = instant("2024-03-18T08:00:00Z")

  /// A push each 30 hours to 240 phones of a platform, which wakes them in a minute as long as it does. Push servers do not say
  /// which platform a device is of.
  private static func load(
    _ fleet: Fleet, _ platform: String, wakes: Range<Int> = pushes, refused: Range<Int> = 12..<12
  ) throws {
    let lines = (0..<240).flatMap { number in
      let device = "\(platform)\(number)"
      let checks = (0..<14).map {
        line(
          device, "check", at: Double($0 * 1440), "\"trigger\":\"foreground\",\"release\":\"1.0.0\"", platform: platform
        )
      }
      return checks + pushes.flatMap { sent(device, $0, platform, wakes, refused) }
    }
    try fleet.load(lines.joined(separator: "\n"))
  }

  private static func sent(
    _ device: String, _ push: Int, _ platform: String, _ wakes: Range<Int>, _ refused: Range<Int>
  ) -> [String] {
    let (at, id) = (Double(60 + push * 1800), "\"push\":\"p\(push)\"")
    if refused.contains(push) {
      let why = "\"outcome\":\"rejected\",\"reason\":\"ExpiredProviderToken\""
      return [line(device, "pushSent", at: at, "\(id),\(why)", platform: nil)]
    }
    let taken = line(device, "pushSent", at: at, "\(id),\"outcome\":\"accepted\"", platform: nil)
    guard wakes.contains(push) else { return [taken] }
    return [taken, line(device, "wakeStarted", at: at + 1, "\(id),\"trigger\":\"silentPush\"", platform: platform)]
  }

  /// What is found of pushes; the fleet refreshes nowhere, and fell silent a day ago.
  private static func found(_ fleet: Fleet, _ change: (inout FleetScope) -> Void = { _ in }) throws -> [Diagnosis] {
    let snapshot = try Snapshot(path: fleet.path)
    var extent = try FleetScope(snapshot.vocabulary, app: nil, now: now)
    change(&extent)
    return try Diagnosis.answer(snapshot, extent).data
      .filter { $0.evidence.contains { $0.command.description.hasPrefix("uptake push") } }
  }

  /// Of eleven mature pushes five woke every iPhone, and the last six none.
  @Test(arguments: ["ios", "iOS"]) func wakesNobodySinceSomeDays(_ platform: String) throws {
    let fleet = try Fleet()
    try Self.load(fleet, platform, wakes: 0..<5)
    try Self.load(fleet, "android")
    let found = try Self.found(fleet)
    #expect(found.map(\.finding) == [.pushNeverWakes] && found.map(\.group.parts) == [["platform": platform]])
    let finding = try #require(found.first)
    #expect(finding.sentence.contains("of 1,440 sent since 2024-03-10 08:00 UTC woke the app"), "\(finding.sentence)")
    #expect(finding.sentence.hasSuffix("; it is so since 2024-03-09 10:00 UTC"), "\(finding.sentence)")
    #expect(!finding.causes.contains { $0.contains("firebase") } && finding.causes.contains { $0.contains("APNs") })
    #expect(
      "\(try #require(finding.evidence.first).command)"
        == "uptake push --since 2024-03-10T08:00:00Z --platform \(platform)")
  }

  @Test func theGatewayRefuses() throws {
    let fleet = try Fleet()
    try Self.load(fleet, "ios", refused: 11..<12)
    try Self.load(fleet, "android")
    let found = try Self.found(fleet)
    #expect(found.map(\.finding) == [.pushesRefused] && found.map(\.group.parts) == [["platform": "ios"]])
    let finding = try #require(found.first)
    #expect(finding.sentence.hasPrefix("the gateway refuses pushes on ios: 100.0% ("), "\(finding.sentence)")
    #expect(
      finding.sentence.hasSuffix(
        " of 240 sent since 2024-03-17 08:00 UTC; it took none since 2024-03-16 22:00 UTC; it says ExpiredProviderToken 240 of 240"
      ), "\(finding.sentence)")
    #expect(finding.causes.first?.hasPrefix("the key or the certificate for APNs expired") == true)
    #expect(try Self.found(fleet) { $0.platforms = ["android"] }.isEmpty)
    let asked = try Self.found(fleet) { $0.platforms = ["ios"] }
    #expect(asked.first?.sentence == finding.sentence)
    #expect(try Self.outages(fleet).map(\.sentence) == [finding.sentence])
  }

  /// As `uptake status` looks for them.
  private static func outages(_ fleet: Fleet) throws -> [Diagnosis] {
    let snapshot = try Snapshot(path: fleet.path)
    let outages = try Outages(snapshot, FleetScope(snapshot.vocabulary, app: nil, now: now))
    #expect(!outages.isSample, "so few devices are all looked at")
    return outages.findings
  }

  @Test func healthyPlatformsAreSilent() throws {
    let fleet = try Fleet()
    try Self.load(fleet, "ios")
    #expect(try Self.found(fleet).isEmpty && Self.outages(fleet).isEmpty)
  }
}
