import Dispatch
import HTTP
import Ingest
import Store
import Synchronization
import Testing

@testable import Server

/// Requests that are answered once the warehouse has their events.
struct AwaitedShipmentTests {
  /// What was answered, in the order of the answers.
  private final class Heard: Sendable {
    private let names = Mutex<[String]>([])
    var all: [String] { names.withLock { $0 } }
    func add(_ name: String) { names.withLock { $0.append(name) } }
  }

  private let heard = Heard()

  private func wait(_ awaited: AwaitedShipments, for sequence: Int64) {
    awaited.wait(for: sequence) { [heard] in heard.add("\(sequence) \($0)") }
  }

  @Test func eachIsAnsweredOnceWithWhatArrived() {
    let awaited = AwaitedShipments(patience: .seconds(3600))
    for sequence in [3, 5, 5, 9] as [Int64] { wait(awaited, for: sequence) }
    #expect(heard.all.isEmpty && awaited.count == 4)
    awaited.arrived(upTo: 5)
    awaited.arrived(upTo: 4)
    #expect(heard.all == ["3 true", "5 true", "5 true"])
    wait(awaited, for: 5)
    #expect(heard.all.last == "5 true", "what is there already is not waited for")
    awaited.stop()
    #expect(heard.all.last == "9 false" && heard.all.count == 5)
    wait(awaited, for: 10)
    #expect(heard.all.last == "10 false" && awaited.refused.total == 2)
  }

  @Test func noneWaitsForLongerThanItMay() {
    let awaited = AwaitedShipments(patience: .milliseconds(100))
    awaited.start()
    defer { awaited.stop() }
    wait(awaited, for: 1)
    #expect(eventually { heard.all == ["1 false"] })
    awaited.arrived(upTo: 1)
    #expect(heard.all.count == 1 && awaited.refused.total == 1)
  }

  /// Who waits already may be in time; who comes later is told at once, until something arrives.
  @Test func whileShippingFailsNobodyElseWaits() {
    let awaited = AwaitedShipments(patience: .seconds(3600))
    wait(awaited, for: 1)
    awaited.failed()
    wait(awaited, for: 2)
    #expect(heard.all == ["2 false"])
    awaited.arrived(upTo: 1)
    #expect(heard.all == ["2 false", "1 true"])
    wait(awaited, for: 2)
    #expect(awaited.count == 1)
    awaited.stop()
  }

  /// Who spreads requests over services should not choose one that refuses them all.
  @Test func readinessSaysThatTheWarehouseIsAway() throws {
    let served = try ServedDatabase(shipping: { path, journal in
      ShippingKeeper(
        address: "w", journal: journal, clock: ServedDatabase.clock,
        awaited: AwaitedShipments(patience: .milliseconds(300)), tallies: .none
      ) { () throws(StoreError) in throw StoreError(.missingFile, path: path) }
    })
    defer { served.service.shipping?.stop() }
    #expect(eventually { served.ask("GET", "/readyz").code == "not_shipped" })
    #expect(served.ask("GET", "/metrics").text.contains("uptake_storage_writable 0\n"))
    served.service.shipping?.awaited?.arrived(upTo: 0)
    #expect(served.ask("GET", "/readyz").status == 200)
  }

  /// Events and reports of other systems' clients alike; a resend is recognised and waits for the same.
  @Test func aRequestIsAnsweredWithItsShipment() throws {
    let gate = Gate()
    let served = try ServedDatabase(shipping: { path, journal in
      ShippingKeeper(
        address: "w", journal: journal, clock: ServedDatabase.clock,
        awaited: AwaitedShipments(patience: .milliseconds(300)), tallies: .none
      ) { () throws(StoreError) in try GatedShipping(path, gate) }
    })
    defer { served.service.shipping?.stop() }
    let event = #"{"device":"d","stage":"check","app":"a"}"#
    let refused = served.ask("POST", "/v1/events", event)
    #expect(refused.status == 503 && refused.code == "not_shipped", "\(refused.text)")
    #expect(refused.headers.contains { $0.name == "Retry-After" && $0.value == "5" })
    #expect(served.ask("POST", "/v1/events", #"{"device":"d"}"#).status == 400, "what is not taken waits for nothing")
    gate.open()
    #expect(eventually { served.ask("POST", "/v1/events", event).status == 200 })
    #expect(eventually { served.ask("POST", "/v1/events", event).text.contains(#""accepted":0,"duplicate":1"#) })
    let metrics = served.ask("GET", "/metrics").text
    #expect(metrics.contains("uptake_ship_awaiting_requests 0\n"))
    #expect(!metrics.contains("uptake_ship_unacknowledged_requests_total 0\n"))
  }
}

/// In place of the way to the warehouse.
final class Gate: Sendable {
  private let opened = Atomic(false)
  var isOpen: Bool { opened.load(ordering: .relaxed) }
  func open() { opened.store(true, ordering: .relaxed) }
}

/// The file's own account of what was shipped; batches are acknowledged while the gate is open.
final class GatedShipping: EventShipping {
  private let log: ShippingLog
  private let gate: Gate

  init(_ path: String, _ gate: Gate) throws(StoreError) {
    (log, self.gate) = (try ShippingLog(path: path, warehouse: "w"), gate)
  }

  func sendBatch() throws(StoreError) -> Int {
    guard gate.isOpen, let batch = try log.freeze(limit: 100) else { return 0 }
    try log.acknowledge(batch)
    return Int(batch.last - batch.after)
  }

  func tellState() {}
  func waiting() throws(StoreError) -> Int64 { try log.waiting() }
  func acknowledged() throws(StoreError) -> Int64 { try log.acknowledged() }
  func forgetDevices() -> Int { 0 }
}

extension WarehouseTallies {
  /// Of a warehouse on which something is always under way.
  static var none: Self { WarehouseTallies(address: "w") { nil } }
}
