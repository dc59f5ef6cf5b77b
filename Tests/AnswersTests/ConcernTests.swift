import Lifecycle
import Store
import Testing

@testable import Answers

/// What stands below the verdicts of `uptake status`, and what does not.
struct ConcernTests {
  private static let now = Timestamp(seconds: 1_750_000_000)

  @Test func silenceIsMoreThanAnHour() {
    #expect(Concern.silence("a", Self.now - .minutes(60), now: Self.now) == nil)
    #expect(
      Concern.silence("a", Self.now - .minutes(90), now: Self.now)?.message
        == "a: no device was heard of for 1.5h, since 2025-06-15 13:36 UTC")
    #expect(Concern.silence("a", nil, now: Self.now)?.message == "a: no device was ever heard of")
  }

  @Test func anExportFailsWhereItsNewestAttemptDid() {
    var standing = ExportStanding(target: "sentry https://sentry.example")
    #expect(Concern.export(standing) == nil)
    (standing.failedAt, standing.reason, standing.waiting) = (Self.now - .hours(2), "500 oops", 3)
    #expect(
      Concern.export(standing)?.message
        == "sentry https://sentry.example: the newest attempt failed at 2025-06-15 13:06 UTC, 3 facts waiting: 500 oops"
    )
    standing.sentAt = Self.now - .hours(1)
    #expect(Concern.export(standing) == nil)
  }

  @Test func aBackupIsOldAfterAWeek() {
    #expect(Concern.backup(Self.now - .days(7), now: Self.now) == nil)
    #expect(
      Concern.backup(Self.now - .days(8), now: Self.now)?.message == "the last backup is 8.0d old: uptake backup FILE")
    #expect(Concern.backup(nil, now: Self.now)?.message == "no backup was ever made: uptake backup FILE")
  }

  @Test func aCopyIsOldAfterAnHour() {
    #expect(Concern.copy(nil, now: Self.now) == nil)
    #expect(Concern.copy(CopyStanding(address: "/mnt/c", through: Self.now - .minutes(60)), now: Self.now) == nil)
    #expect(
      Concern.copy(CopyStanding(address: "/mnt/c", through: Self.now - .hours(2)), now: Self.now)?.message
        == "the copy at /mnt/c is 2.0h behind: uptake replicate, or serve --replicate")
  }
}
