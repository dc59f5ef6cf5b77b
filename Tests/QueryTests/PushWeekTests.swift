import Lifecycle
import Testing

@testable import Query

/// Of one release's pushes, weeks are left out that have no say: the answer must be that of all pushes, split by release.
@Suite struct PushWeekTests {
  private static let now = instant("2024-06-20T00:00:00Z")
  private static let (day, week) = (1440.0, 7 * 1440.0)

  @Test func aReceiptByAWrongClockCounts() throws {
    let fleet = try Fleet()
    var lines = [sent("early", "2.0.0", at: 0), woken("late", at: Self.week)]
    lines += [sent("late", "2.1.0", at: 5 * Self.week), line("a", "check", at: 7 * Self.week)]
    try fleet.load(lines.joined(separator: "\n"))
    let row = try #require(try same(fleet, "2.1.0"))
    #expect(row.states["delivered"] == 1)
  }

  /// Every other one counts; which ones do depends on the first.
  @Test(arguments: [0, 1]) func whatIsSentAgainDayAfterDayCounts(_ first: Int) throws {
    let fleet = try Fleet()
    let daily = (first...40).map { sent("daily", "2.0.0", at: Double($0) * Self.day) }
    // Without any receipt nobody knows what was delivered: another device sends one.
    let at = 41 * Self.day - 60
    let other = [
      line("b", "pushSent", at: at, "\"push\":\"two\",\"outcome\":\"accepted\",\"release\":\"2.1.0\""),
      line("b", "wakeStarted", at: at + 1, "\"trigger\":\"silentPush\",\"push\":\"two\""),
    ]
    try fleet.load((daily + [sent("one", "2.1.0", at: at)] + other).joined(separator: "\n"))
    let row = try #require(try same(fleet, "2.1.0"))
    #expect(row.throttling.map(\.delivered.of) == (first == 0 ? [1, 1, 0, 0, 0] : [2, 0, 0, 0, 0]))
  }

  @Test(arguments: 0..<6) func oneReleaseSaysWhatAllSay(_ seed: Int) throws {
    var random = RandomPushes(seed: seed)
    let fleet = try Fleet()
    try fleet.load(random.lines().joined(separator: "\n"))
    try fleet.load(random.lines(3).joined(separator: "\n"), fold: false)
    var sent = 0
    for release in RandomPushes.releases { sent += try same(fleet, release)?.sent ?? 0 }
    #expect(sent > 100)
  }

  private func sent(_ id: String, _ release: String, at minutes: Double) -> String {
    line("a", "pushSent", at: minutes, "\"push\":\"\(id)\",\"outcome\":\"accepted\",\"release\":\"\(release)\"")
  }
  private func woken(_ id: String, at minutes: Double) -> String {
    line("a", "wakeStarted", at: minutes, "\"trigger\":\"silentPush\",\"push\":\"\(id)\"")
  }

  /// Asks both ways; nil where no push was about the release.
  private func same(_ fleet: Fleet, _ release: String) throws -> Push? {
    let alone = try fleet.pushes(Self.now) { $0.release = ReleaseLabel(rawValue: release) }.data
    var options = Push.Options()
    options.by = [.release]
    guard
      var row = try fleet.pushes(Self.now, { _ in }, options).data.first(where: {
        $0.group.parts == ["release": release]
      })
    else { return nil }
    (row.group, row.orphans) = (Labels(), nil)
    #expect(try printed(alone) == printed([row]))
    return row
  }
}

/// Pushes to some devices in twelve weeks, about one release after another, and what came of them: late, by wrong clocks,
/// under ids that were used before, or under none.
struct RandomPushes {
  static let releases = (0..<4).map { "2.\($0).0" }
  private var dice: Dice
  private var ids: [(id: String, at: Double)] = []

  init(seed: Int) { dice = Dice(state: UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 &+ 7) }

  private mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &dice) < share }
  private mutating func number(_ range: Range<Double>) -> Double { Double.random(in: range, using: &dice).rounded() }

  mutating func lines(_ devices: Int = 12) -> [String] {
    (0..<devices).flatMap { device in
      ids = []
      return (0..<50).map { _ in line("d\(device)") }
    }
  }

  private mutating func line(_ device: String) -> String {
    let at = number(0..<12) * 10_080 + number(0..<7) * 1440 + number(0..<1440)
    if ids.isEmpty || chance(0.45) { return sent(device, at: at) }
    if chance(0.15) { return QueryTests.line(device, "check", at: at, "\"trigger\":\"bgRefresh\"") }
    if chance(0.1) {
      return QueryTests.line(device, "applied", at: at, "\"release\":\"\(release(at))\",\"trigger\":\"silentPush\"")
    }
    return received(device, ids.randomElement(using: &dice) ?? ("", at))
  }

  private func release(_ at: Double) -> String { Self.releases[min(Int(at / 30_240), 3)] }

  private mutating func sent(_ device: String, at: Double) -> String {
    let known = chance(0.1) ? ids.randomElement(using: &dice)?.id : nil
    let id = known ?? "\(device)-\(ids.count)"
    ids.append((id, at))
    let outcome = chance(0.1) ? "rejected" : "accepted"
    let push = "\"push\":\"\(id)\",\"outcome\":\"\(outcome)\",\"release\":\"\(release(at))\""
    return QueryTests.line(device, "pushSent", at: at, push)
  }

  private mutating func received(_ device: String, _ push: (id: String, at: Double)) -> String {
    let at = push.at + (chance(0.15) ? -number(1..<60_000) : chance(0.5) ? number(0..<60) : number(0..<20_000))
    let id = chance(0.25) ? "" : ",\"push\":\"\(push.id)\""
    if chance(0.3) {
      let end = "\"trigger\":\"silentPush\"\(id),\"outcome\":\"newData\",\"durationMs\":\(Int(number(1..<40_000)))"
      return QueryTests.line(device, "wakeFinished", at: at, end)
    }
    return QueryTests.line(device, chance(0.5) ? "wakeStarted" : "check", at: at, "\"trigger\":\"silentPush\"\(id)")
  }
}
