import Foundation
import Lifecycle
import Testing

@testable import Store

/// What no device can have sent is named; what clients do in bad times is not.
@Suite struct ImpossibleHistoriesTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private static let start: Int64 = 1_740_000_000_000

  /// Events of one device, each a moment after the one before.
  private func device(_ number: UInt64, _ count: Int, every milliseconds: Int64, releases: Int) -> EventBatch {
    var batch = EventBatch(received: Timestamp(rawValue: Self.start + 10_000_000_000))
    batch.contexts = [Context(app: "a", platform: "ios")]
    batch.names += (0..<releases).map { "\(number).\($0)" }
    batch.events = (0..<count).map { index in
      Event(
        at: Timestamp(rawValue: Self.start + Int64(index) * milliseconds), device: DeviceHash(rawValue: number),
        identity: (number << 32 | UInt64(index)) &* 0xbf58_476d_1ce4_e5b9, context: 0, stage: .applied,
        trigger: .silentPush,
        release: releases == 0 ? .none : NameIndex(rawValue: UInt32(1 + index % releases)))
    }
    return batch
  }

  private func found(isFull: Bool = true) throws -> [ImpossibleHistories.Device] {
    try ImpossibleHistories.devices(Connection(path: scratch.database, mode: .read), isFull: isFull)
  }

  @Test func ordinaryOnesAreNotNamed() throws {
    try store(
      [
        SmallFleet(300, seed: 5).batch,
        // Weeks of events that were sent at once, without times.
        device(1, 2000, every: 1, releases: 3),
        // A build each quarter of an hour, all of which a test device gets.
        device(2, 96, every: 900_000, releases: 50),
      ], in: scratch.database)
    #expect(try found() == [])
  }

  @Test func whatNoDeviceCanIsNamed() throws {
    try store(
      [
        SmallFleet(100, seed: 5).batch, device(1, 2001, every: 1, releases: 1),
        device(2, 101, every: 1000, releases: 101),
        device(3, 51, every: 86_400_000, releases: 51),
      ], in: scratch.database)
    let expected = [
      ImpossibleHistories.Device(hash: 1, app: "a", rule: .inAMinute, count: 2001),
      .init(hash: 2, app: "a", rule: .inADay, count: 101),
      .init(hash: 3, app: "a", rule: .ofItsOwn, count: 51),
    ]
    let named = try found()
    #expect(named == expected, "\(named)")
    #expect(try found(isFull: false) == expected)
    let check = try #require(
      Examination(path: scratch.database, now: Timestamp(rawValue: Self.start), isFull: false).findings()
        .first { $0.check == "histories" })
    #expect(
      check.verdict == .warn
        && check.found.hasPrefix("3 devices sent what none can, such as 0000000000000001 of a: 2001 events"))
    #expect(check.fix.map { "\($0)".contains("breadcrumbs") } == true)
  }

  /// In whatever order events came, and however often.
  @Test func theOrderDoesNotMatter() throws {
    var batch = device(1, 2500, every: 10, releases: 1)
    batch.events.reverse()
    try store([batch, device(1, 2500, every: 10, releases: 1)], in: scratch.database)
    #expect(try found().map(\.reason) == ["2500 events within a minute"])
  }

  @Test func registeredReleasesAndThoseOfOthersAreNoReason() throws {
    try store(
      [device(3, 51, every: 86_400_000, releases: 51), device(4, 1, every: 1, releases: 0)], in: scratch.database)
    #expect(try found().map(\.hash) == [3])
    let registry = try Registry(path: scratch.database)
    try registry.publish(
      Publication(
        app: "a", release: ReleaseLabel(rawValue: "3.7"), channel: "production",
        publishedAt: Timestamp(rawValue: Self.start)))
    #expect(try found() == [])
  }

  // MARK: set aside

  private func aside() throws -> [ImpossibleHistories.Device] {
    try DeviceMarks.impossible(Connection(path: scratch.database, mode: .read))
  }

  /// What was found is kept, though the events be gone or others make it possible; what is looked at grows with the file.
  @Test func whatWasFoundIsKept() throws {
    let log = try EventLog(path: scratch.database)
    _ = try log.append([SmallFleet(100, seed: 5).batch, device(1, 1500, every: 1, releases: 1)])
    #expect(try log.setImpossibleAside() == 0)
    #expect(try aside() == [])
    // The rest of the minute comes later, and is seen with what came before.
    var rest = device(1, 2001, every: 1, releases: 1)
    rest.events.removeFirst(1500)
    _ = try log.append([rest])
    #expect(try log.setImpossibleAside() == 1)
    let kept = [ImpossibleHistories.Device(hash: 1, app: "a", rule: .inAMinute, count: 2001)]
    #expect(try aside() == kept)
    #expect(try log.setImpossibleAside() == 0)
    try log.settle()
    _ = try log.retain(before: Timestamp(rawValue: .max), archives: nil)
    #expect(try found() == [] && aside() == kept)
    let check = try #require(
      Examination(path: scratch.database, now: Timestamp(rawValue: Self.start), isFull: false).findings()
        .first { $0.check == "histories" })
    #expect(check.found.hasPrefix("1 device sent what none can, such as 0000000000000001 of a: 2001 events"))
    #expect(check.fix.map { "\($0)".contains("--without-impossible") } == true)
  }

  /// What waits for it is examined step by step, so that neither folds nor the log wait for all of it.
  @Test func eachStepEndsAfterSoManyEvents() throws {
    let log = try EventLog(path: scratch.database)
    _ = try log.append([device(1, 2001, every: 1, releases: 1), device(2, 500, every: 1000, releases: 1)])
    let steps = try (0..<4).map { _ in try log.examine(atMost: 1000) }
    #expect(steps.map { $0?.left } == [1501, 501, 0, nil])
    #expect(steps.map { $0?.found } == [0, 0, 1, nil])
    #expect(try aside().map(\.hash) == [1])
  }

  @Test func whoIsForgottenIsNotKept() throws {
    let log = try EventLog(path: scratch.database)
    _ = try log.append([device(1, 2001, every: 1, releases: 1), device(2, 2001, every: 1, releases: 1)])
    #expect(try log.setImpossibleAside() == 2)
    _ = try log.forget([DeviceHash(rawValue: 1)], now: Timestamp(rawValue: Self.start))
    #expect(try aside().map(\.hash) == [2])
    #expect(try log.setImpossibleAside() == 0)
    #expect(try aside().map(\.hash) == [2])
  }

  /// Releases that others mentioned in events that are not looked at are not its own.
  @Test func releasesOfEarlierOthersAreNotItsOwn() throws {
    let log = try EventLog(path: scratch.database)
    var other = device(3, 51, every: 86_400_000, releases: 51)
    other.events = other.events.map { event in
      var event = event
      event.device = DeviceHash(rawValue: 9 << 60)
      event.identity ^= 77
      return event
    }
    _ = try log.append([other])
    try log.foldAll()
    _ = try log.append([device(3, 51, every: 86_400_000, releases: 51)])
    let connection = try Connection(path: scratch.database, mode: .read)
    #expect(try ImpossibleHistories.devices(connection, among: 52...102) == [])
  }
}
