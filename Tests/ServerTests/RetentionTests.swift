import Console
import Foundation
import HTTP
import Ingest
import Lifecycle
import Locks
import Store
import Testing

@testable import Server

/// Old single events go by themselves; where that fails it is told and tried again long before the next day.
struct RetentionTests {
  private let served: ServedDatabase
  private let archives: String

  /// One event of long ago, by the service's clock, and one of now.
  init() throws {
    served = try ServedDatabase()
    archives = served.folder.path + "/archives"
    let old = DecoderPool(keys: served.service.log.identityKeys).withDecoder {
      $0.decode(
        Array(#"{"device":"old","stage":"check","app":"a"}"#.utf8).span.bytes, as: .json,
        .request(app: nil, received: served.service.now - .days(31)))
    }
    _ = try served.service.log.append([old.batch])
    #expect(served.ask("POST", "/v1/events", #"{"device":"new","stage":"check","app":"a"}"#).status == 200)
  }

  private func retention(archives: String?, retry: Swift.Duration = .milliseconds(50)) -> DailyRetention {
    DailyRetention(
      served.service, .init(keeps: .days(30), archives: archives, every: .milliseconds(50)), retry: retry)
  }

  /// What `uptake status` goes by.
  private func standing() throws -> RetentionStanding? { try Snapshot(path: served.path).retentionStanding() }

  private func left() throws -> Int { try Snapshot(path: served.path).eventCount(after: 0, app: nil) }

  @Test func whatIsOldGoesAtTheStart() throws {
    let retention = retention(archives: nil)
    defer { retention.stop() }
    #expect(eventually { (try? left()) == 1 })
    #expect(eventually { served.log.text.contains(#""event":"retained","events":1"#) }, "\(served.log.text)")
  }

  /// A warehouse that was not reached yet lacks everything: it is shipped first.
  @Test func whatTheWarehouseLacksStays() throws {
    let (path, gate) = (served.path, Gate())
    let other = try ServedDatabase(
      in: served.folder,
      shipping: { _, journal in
        ShippingKeeper(address: "w", journal: journal, clock: ServedDatabase.clock, tallies: .none) {
          () throws(StoreError) in
          guard gate.isOpen else { throw StoreError(.missingFile, path: "w") }
          return try GatedShipping(path, gate)
        }
      })
    let retention = DailyRetention(
      other.service, .init(keeps: .days(30), archives: nil, every: .milliseconds(50)), retry: .milliseconds(50))
    defer {
      retention.stop()
      other.service.shipping?.stop()
    }
    #expect(eventually { other.log.text.contains(#""event":"retained","events":0"#) })
    #expect(try left() == 2)
    gate.open()
    #expect(eventually { (try? left()) == 1 })
  }

  /// A machine that lost its time, or is years ahead, drops nothing until devices say so or somebody does; what goes into archives
  /// can be put back.
  @Test func aClockThatLeapsDropsNothing() throws {
    let year = Swift.Duration.seconds(365 * 86_400)
    let ahead = try ServedDatabase(
      in: served.folder, clock: { Instant(rawValue: ServedDatabase.clock().rawValue + Int64(year / .milliseconds(1))) })
    let rule = DailyRetention.Rule(keeps: .days(30), archives: nil, every: .milliseconds(50))
    let retention = DailyRetention(ahead.service, rule, retry: .milliseconds(50))
    defer { retention.stop() }
    #expect(eventually { ahead.log.text.contains(#""event":"retention_held""#) })
    // Of a device whose clock is right, and of one that has none.
    let right = ServedDatabase.clock().rfc3339
    for body in [
      #"{"device":"r","stage":"check","app":"a","at":"\#(right)"}"#, #"{"device":"n","stage":"check","app":"a"}"#,
    ] {
      #expect(ahead.ask("POST", "/v1/events", body).status == 200)
    }
    usleep(200_000)
    #expect(try left() == 4)
    for number in 0..<3 {
      let at = Timestamp(rawValue: ahead.service.now.rawValue - 5000).rfc3339
      let body = #"{"device":"y\#(number)","stage":"check","app":"a","at":"\#(at)"}"#
      #expect(ahead.ask("POST", "/v1/events", body).status == 200)
    }
    #expect(eventually { (try? left()) == 5 }, "the service rested for long, and nothing is wrong with its clock")
  }

  /// A folder that cannot be written to loses nothing: not an event goes before it lies in an archive.
  @Test func whatCannotBeArchivedStaysAndGoesLater() throws {
    try served.folder.write("archives", "in the way")
    let retention = retention(archives: archives)
    defer { retention.stop() }
    #expect(eventually { served.log.text.contains("retention_failed") })
    #expect(try left() == 2)
    #expect(eventually { served.service.retention.withLock { $0.isFailing && $0.succeeded == nil } })
    #expect(eventually { (try? standing())?.failingSince == served.service.now })
    #expect(try standing()?.reason != nil)
    try FileManager.default.removeItem(atPath: archives)
    try FileManager.default.createDirectory(atPath: archives, withIntermediateDirectories: true)
    #expect(eventually { (try? left()) == 1 })
    #expect(eventually { served.service.retention.withLock { !$0.isFailing && $0.succeeded != nil } })
    #expect(try FileManager.default.contentsOfDirectory(atPath: archives).count == 1)
    let done = RetentionStanding(every: Milliseconds(rawValue: 50), succeeded: served.service.now)
    #expect(eventually { (try? standing()) == done })
    retention.stop()
    // One may be at work for a moment more.
    let isForgotten = eventually {
      served.service.planRetention(nil)
      return (try? standing() == nil) == true
    }
    #expect(isForgotten, "a service that takes nothing out any more is no concern")
  }

  /// A day is too long to wait while a disk fills.
  @Test func oneThatFailedIsTriedAgainWithinMinutes() { #expect(DailyRetention.retry <= .seconds(900)) }

  @Test func nothingGoesOnceItStopped() throws {
    try served.folder.write("archives", "in the way")
    // Long enough that the next one has not begun when it is stopped.
    let retention = retention(archives: archives, retry: .seconds(1))
    #expect(eventually { served.log.text.contains("retention_failed") })
    retention.stop()
    try FileManager.default.removeItem(atPath: archives)
    try FileManager.default.createDirectory(atPath: archives, withIntermediateDirectories: true)
    usleep(1_500_000)
    #expect(try left() == 2)
  }
}
