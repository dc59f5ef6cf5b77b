import Console
import Foundation
import HTTP
import Lifecycle
import Store
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
