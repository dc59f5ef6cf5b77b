import Console
import Foundation
import HTTP
import Lifecycle
import Store
import Synchronization
import Testing

@testable import Server

/// A machine that lost its time must not set the right times of devices back.
struct ClockGuardTests {
  private static let now: Int64 = 1_741_000_000_000
  private static let event = #"{"device":"d","stage":"check","app":"a","release":"1"}"#

  private func served(in folder: TemporaryFolder, hoursAgo: Int64 = 0) throws -> ServedDatabase {
    try ServedDatabase(in: folder, clock: { Instant(rawValue: Self.now - hoursAgo * 3_600_000) })
  }

  /// What a service stores, and notes as it ends.
  private func ran(in folder: TemporaryFolder) throws {
    let served = try served(in: folder)
    let housekeeping = Housekeeping(served.service, foldAfter: .seconds(3600))
    #expect(served.ask("POST", "/v1/events", Self.event).status == 200)
    housekeeping.stop()
    #expect(try served.service.log.clockMark() == Timestamp(rawValue: Self.now))
  }

  @Test func refusesEventsWhileTheClockIsBehind() throws {
    let folder = try TemporaryFolder()
    try ran(in: folder)
    let late = try served(in: folder, hoursAgo: 30 * 24)
    let refused = late.ask("POST", "/v1/events", Self.event)
    #expect(refused.status == 503 && refused.code == "clock_behind", "\(refused.text)")
    #expect(refused.headers.contains { $0.name == "Retry-After" })
    #expect(late.ask("GET", "/readyz").code == "clock_behind")
    let housekeeping = Housekeeping(late.service, foldAfter: .seconds(3600))
    #expect(eventually { late.log.text.contains(#""event":"clock_behind""#) })
    housekeeping.stop()
    #expect(try late.service.log.clockMark() == Timestamp(rawValue: Self.now), "it notes no such time")
  }

  @Test func littleIsNoHarm() throws {
    let folder = try TemporaryFolder()
    try ran(in: folder)
    let fresh = try TemporaryFolder()
    for served in [try served(in: folder, hoursAgo: 0), try served(in: fresh, hoursAgo: 24 * 365)] {
      #expect(served.ask("POST", "/v1/events", Self.event).status == 200)
      #expect(served.ask("GET", "/readyz").status == 200)
    }
    #expect(ClockGuard(Timestamp(rawValue: Self.now)).refusal(at: Timestamp(rawValue: Self.now - 3_599_999)) == nil)
    #expect(ClockGuard(nil).refusal(at: Timestamp(rawValue: 0)) == nil)
  }

  /// Back by hours and days while the service runs; a leap ahead that is set right is none.
  @Test(arguments: [(0, 0, false), (-59, 0, false), (-60, 0, true), (600_000, 0, false), (0, 59, false), (0, 61, true)])
  func aClockThatFallsBackWhileTheServiceRuns(_ minutes: Int, _ passed: Int, _ isBehind: Bool) {
    let (clock, begin) = (ClockGuard(nil), ContinuousClock.now)
    let start = Timestamp(rawValue: Self.now)
    clock.count(from: start, begin)
    clock.count(from: start + .days(400), begin + .seconds(1))
    #expect(clock.refusal(at: start + .days(400), begin + .seconds(2)) == nil)
    let refusal = clock.refusal(at: start + .minutes(Int64(minutes)), begin + .seconds(60 * passed))
    #expect((refusal != nil) == isBehind, "\(String(describing: refusal))")
    #expect(refusal?.message.contains(" and fell back: by the time that passed since ") != false)
    clock.accept()
    #expect(clock.refusal(at: start - .days(400), begin) == nil)
  }

  @Test func whatFallsBackIsToldAndNothingIsTaken() throws {
    let (folder, clock) = (try TemporaryFolder(), TurnedClock(Self.now))
    let served = try ServedDatabase(in: folder, clock: { clock.now })
    let housekeeping = Housekeeping(served.service, foldAfter: .seconds(3600))
    defer { housekeeping.stop() }
    #expect(served.ask("POST", "/v1/events", Self.event).status == 200)
    #expect(eventually { (try? served.service.log.clockMark()) == Timestamp(rawValue: Self.now) })
    for (hours, status) in [(48, 503), (0, 200), (-48, 200), (0, 200)] as [(Int64, Int)] {
      clock.turn(to: Self.now - hours * 3_600_000)
      let answer = served.ask("POST", "/v1/events", Self.event)
      #expect(answer.status == status, "\(hours): \(answer.text)")
      #expect(eventually { served.log.text.contains(#""event":"clock_behind""#) })
    }
    #expect(eventually { served.log.text.contains(#""event":"clock_is_right""#) })
  }

  /// A clock that was ahead once does not keep a service from taking events for ever.
  @Test func whoSaysThatTheClockIsRightIsBelieved() throws {
    let folder = try TemporaryFolder()
    try ran(in: folder)
    let right = try served(in: folder, hoursAgo: 30 * 24)
    right.service.acceptClock()
    #expect(right.ask("POST", "/v1/events", Self.event).status == 200)
    #expect(right.log.text.contains(#""event":"clock_accepted""#))
    #expect(try right.service.log.clockMark() == Timestamp(rawValue: Self.now - 30 * 86_400_000))
    right.service.acceptClock()
    #expect(right.log.text.components(separatedBy: "clock_accepted").count == 2, "once")
  }
}

private final class TurnedClock: Sendable {
  private let instant: Mutex<Int64>
  init(_ now: Int64) { instant = Mutex(now) }
  var now: Instant { Instant(rawValue: instant.withLock { $0 }) }
  func turn(to now: Int64) { instant.withLock { $0 = now } }
}
