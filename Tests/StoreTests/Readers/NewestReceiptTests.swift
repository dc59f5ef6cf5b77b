import Foundation
import Lifecycle
import Testing

@testable import Store

/// When something was last received: by the service's clock, and known once the events themselves are gone.
struct NewestReceiptTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private static let first = Timestamp(rawValue: 1_709_540_000_500)
  private static let now = first + .days(30)

  private func append(_ identities: [UInt64], at received: Timestamp?, stage: Stage = .applied) throws {
    var batch = batch(identities, app: "a")
    batch.received = received
    for index in batch.events.indices { batch.events[index].stage = stage }
    _ = try EventLog(path: scratch.database).append([batch])
  }

  private func receipt(now: Timestamp = now) throws -> NewestReceipt? {
    try Snapshot(path: scratch.database).newestReceipts(now: now)["a"]
  }

  @Test func whatDevicesSentLastCounts() throws {
    try append([1, 2], at: Self.first)
    try append([3], at: Self.first + .seconds(7))
    try append([4], at: Self.first + .days(1), stage: .pushSent)
    #expect(try receipt() == NewestReceipt(at: Self.first + .seconds(7), isBeforeImports: false))
  }

  @Test func ofImportsNobodyKnows() throws {
    try append([1, 2], at: nil)
    #expect(try receipt() == nil)
    try append([3], at: Self.first)
    #expect(try receipt()?.isBeforeImports == false)
    try append([4], at: nil)
    #expect(try receipt() == NewestReceipt(at: Self.first, isBeforeImports: true))
  }

  /// The mark stays; a database of before there were any has the day.
  @Test func itIsKnownOnceTheEventsAreGone() throws {
    try append([1, 2], at: Self.first)
    try EventLog(path: scratch.database).foldAll()
    let connection = try Connection(path: scratch.database, mode: .write)
    try connection.execute("DELETE FROM event")
    #expect(try receipt()?.at == Self.first)
    try connection.execute("DELETE FROM meta WHERE key LIKE 'received %'")
    #expect(try receipt()?.at == Timestamp(seconds: (Self.first.seconds / 86_400 + 1) * 86_400))
  }

  /// Days later than it tell nothing of an earlier present, but that more came.
  @Test func ofAnEarlierPresentNothingLaterIsTaken() throws {
    try append([1, 2], at: Self.first)
    try append([3], at: Self.first + .days(2))
    let early = NewestReceipt(at: Self.first, isBeforeImports: false, hasLater: true)
    #expect(try receipt(now: Self.first + .days(1)) == early)
    try EventLog(path: scratch.database).foldAll()
    try Connection(path: scratch.database, mode: .write).execute("DELETE FROM event")
    let day = Timestamp(seconds: (Self.first.seconds / 86_400 + 1) * 86_400)
    #expect(try receipt(now: Self.first + .hours(36)) == NewestReceipt(at: day, isBeforeImports: false, hasLater: true))
  }
}
