import Foundation
import Lifecycle
import Testing

@testable import Store

/// What the file remembers of batches that a warehouse gets.
@Suite struct ShippingTests {
  let scratch: Scratch
  let log: EventLog
  init() throws {
    scratch = try Scratch()
    log = try EventLog(path: scratch.database)
    _ = try log.append([SmallFleet(300, seed: 5).part(0..<300)])
  }

  @Test func aBatchStaysWhatItIsUntilItIsAcknowledged() throws {
    let shipping = try ShippingLog(path: scratch.database, warehouse: "one")
    let first = try #require(try shipping.freeze(limit: 100))
    _ = try log.append([SmallFleet(300, seed: 6).part(0..<300)])
    #expect(try ShippingLog(path: scratch.database, warehouse: "one").freeze(limit: 7) == first)
    #expect(try shipping.events(first).count == 100)
    try shipping.acknowledge(first)
    let second = try #require(try shipping.freeze(limit: 100))
    #expect((second.node, second.counter, second.after) == (first.node, 2, first.last))
  }

  /// What is in archives can be put back; what was dropped, or lost with its archive, cannot.
  @Test func whatLeftBeforeItWasShipped() throws {
    let shipping = try ShippingLog(path: scratch.database, warehouse: "one")
    #expect(try shipping.missed() == ShippingLog.Missed())
    let half = SmallFleet.start + 150 * SmallFleet.hour
    #expect(try scratch.retain(before: half) == 150)
    #expect(try shipping.missed() == ShippingLog.Missed(archived: 150, dropped: 0))
    #expect(try scratch.retain(before: half + 50 * SmallFleet.hour, dropping: true) == 50)
    #expect(try shipping.missed() == ShippingLog.Missed(archived: 150, dropped: 50))
    try FileManager.default.removeItem(atPath: scratch.archives)
    _ = try log.giveUpArchives(at: scratch.archives, now: Timestamp(rawValue: half))
    #expect(try shipping.missed() == ShippingLog.Missed(archived: 0, dropped: 200))
  }

  /// Many that wait are not gone through for each batch; few are counted.
  @Test func howManyWait() throws {
    let shipping = try ShippingLog(path: scratch.database, warehouse: "one")
    let stored = Int64(try count(scratch.database, "SELECT count(*) FROM event"))
    #expect(try shipping.waiting() == stored)
    try shipping.acknowledge(try #require(try shipping.freeze(limit: 100)))
    #expect(try shipping.waiting() == stored - 100)
    for seed in 10..<60 { _ = try log.append([SmallFleet(300, seed: UInt64(seed)).part(0..<300)]) }
    let many = Int64(try count(scratch.database, "SELECT count(*) FROM event"))
    try #require(many > 12_000)
    #expect(try shipping.waiting() == many - 100)
  }

  /// Of events that are gone nothing is left to be acknowledged; what came in since is not vouched for.
  @Test func upToWhereTheWarehouseHasAll() throws {
    let shipping = try ShippingLog(path: scratch.database, warehouse: "one")
    #expect(try shipping.acknowledged() == 0)
    let first = try #require(try shipping.freeze(limit: 100))
    #expect(try shipping.acknowledged() == 0)
    try shipping.acknowledge(first)
    #expect(try shipping.acknowledged() == first.last)
    while let batch = try shipping.freeze(limit: 100) { try shipping.acknowledge(batch) }
    #expect(try shipping.acknowledged() == log.newest)
    #expect(log.newest == Int64(try count(scratch.database, "SELECT max(seq) FROM event")))
    _ = try log.append([SmallFleet(300, seed: 6).part(0..<300)])
    let before = log.newest
    #expect(try shipping.acknowledged() < before)
    let devices = Set(SmallFleet(300, seed: 6).part(0..<300).events.map(\.device))
    _ = try log.forget(Array(devices), now: Timestamp(rawValue: 1))
    #expect(try shipping.acknowledged() == before)
    #expect(try EventLog(path: scratch.database).newest == before)
  }

  /// For each warehouse until it has forgotten them; of a file that is shipped nowhere nothing is noted.
  @Test func whatAWarehouseHasToForget() throws {
    let devices = [DeviceHash(rawValue: 7), DeviceHash(rawValue: .max), DeviceHash(rawValue: 1)]
    _ = try log.forget([devices[0]], now: Timestamp(rawValue: 1))
    let (one, other) = (
      try ShippingLog(path: scratch.database, warehouse: "one"),
      try ShippingLog(path: scratch.database, warehouse: "other")
    )
    #expect(try one.unforgotten().isEmpty)
    for log in [one, other] { _ = try log.freeze(limit: 100) }
    _ = try log.forget([devices[1]], now: Timestamp(rawValue: 1))
    _ = try log.forget([devices[2]], now: Timestamp(rawValue: 1))
    #expect(try one.unforgotten() == [devices[2], devices[1]])
    let generation = try one.generation()
    try one.forgot([devices[1]], since: generation - 1)
    #expect(try one.unforgotten() == [devices[2], devices[1]], "they may have been forgotten once more")
    try one.forgot([devices[1]], since: generation)
    #expect(try one.unforgotten() == [devices[2]])
    try one.forgot(devices, since: generation)
    #expect(try one.unforgotten().isEmpty)
    #expect(try other.unforgotten().count == 2)
  }

  /// What a device says after it was forgotten goes with the rest when the warehouse forgets it: until then the file keeps it,
  /// so that it can be sent again.
  @Test func whatCameAgainIsNotTakenOutBefore() throws {
    let shipping = try ShippingLog(path: scratch.database, warehouse: "one")
    func shipAll() throws { while let batch = try shipping.freeze(limit: 1000) { try shipping.acknowledge(batch) } }
    try shipAll()
    let again = SmallFleet(300, seed: 5, name: 1).batch
    let device = again.events[150].device
    _ = try log.forget([device], now: Timestamp(rawValue: 1))
    let before = log.newest
    _ = try log.append([again])
    let returned = try shipping.events(of: [device]).map(\.sequence)
    try #require(!returned.isEmpty)
    #expect(returned.allSatisfy { $0 > before } && returned == returned.sorted())
    try shipAll()
    try log.foldAll()
    #expect(try shipping.events(of: [device]).map(\.sequence) == returned, "folded or not")
    let after = Timestamp(rawValue: .max)
    #expect(try ShippingLog.lacking(path: scratch.database) == log.newest - returned[0] + 1)
    _ = try log.retain(before: after, archives: nil, onlyShipped: true)
    #expect(try shipping.events(of: [device]).map(\.sequence) == returned)
    try shipping.forgot([device], since: shipping.generation())
    _ = try log.retain(before: after, archives: nil, onlyShipped: true)
    #expect(try shipping.events(of: [device]).isEmpty)
  }

  /// Where a warehouse is named and was never reached it lacks everything.
  @Test func whatWasNeverShippedStays() throws {
    try log.foldAll()
    let after = Timestamp(rawValue: .max)
    #expect(try ShippingLog.lacking(path: scratch.database) == nil)
    #expect(try log.retainable(before: after, onlyShipped: true) == 0)
    #expect(try log.retain(before: after, archives: nil, onlyShipped: true).events == 0)
    let shipping = try ShippingLog(path: scratch.database, warehouse: "one")
    try shipping.acknowledge(try #require(try shipping.freeze(limit: 100)))
    #expect(try ShippingLog.lacking(path: scratch.database) == log.newest - 100)
    #expect(try log.retain(before: after, archives: nil, onlyShipped: true).events == 100)
  }

  @Test func whatAWarehouseLacksIsNotTakenOut() throws {
    try log.foldAll()
    let stored = try count(scratch.database, "SELECT count(*) FROM event")
    let (one, other) = (
      try ShippingLog(path: scratch.database, warehouse: "one"),
      try ShippingLog(path: scratch.database, warehouse: "other")
    )
    let after = Timestamp(rawValue: .max)
    let batch = try #require(try one.freeze(limit: 100))
    #expect(try log.retainable(before: after) == 0)
    #expect(try log.retain(before: after, archives: nil).events == 0)
    try one.acknowledge(batch)
    let begun = try #require(try other.freeze(limit: 50))
    #expect(try log.retainable(before: after) == 0)
    try other.acknowledge(begun)
    #expect(try log.retain(before: after, archives: nil).events == 50)
    #expect(try count(scratch.database, "SELECT count(*) FROM event") == stored - 50)
    #expect(try count(scratch.database, "SELECT min(seq) FROM event") == begun.last + 1)
  }

  /// A job that runs twice changes nothing, and neither does what differs in another place.
  @Test func aPublicationIsChangedWhereItIsOtherThanBefore() throws {
    let (shipping, registry) = (
      try ShippingLog(path: scratch.database, warehouse: "one"), try Registry(path: scratch.database)
    )
    func publication(_ percent: Double, _ channel: String = "beta") -> Publication {
      Publication(
        app: "a", release: ReleaseLabel(rawValue: "2.0"), channel: channel, publishedAt: Timestamp(rawValue: 1),
        rollout: [RolloutStep(at: Timestamp(rawValue: 1), percent: percent)])
    }
    func changedAt() throws -> [Int64] { try shipping.changedPublications().map(\.at.rawValue) }
    for (percent, time, expected) in [(10, 1, 1), (10, 2, 1), (0, 3, 3), (0, 4, 3), (10, 5, 5)]
      as [(Double, Int64, Int64)]
    {
      _ = try registry.publish(publication(percent), now: Timestamp(rawValue: time))
      #expect(try changedAt() == [expected])
    }
    _ = try registry.publish(publication(50, "production"), now: Timestamp(rawValue: 6))
    _ = try registry.publish(publication(10), now: Timestamp(rawValue: 7))
    #expect(try changedAt() == [5, 6])
    _ = try registry.withdraw(PublicationPlace(publication(10)), now: Timestamp(rawValue: 8))
    #expect(try changedAt() == [8, 6])
    _ = try registry.publish(publication(10), now: Timestamp(rawValue: 9))
    #expect(try changedAt() == [9, 6])
  }
}
