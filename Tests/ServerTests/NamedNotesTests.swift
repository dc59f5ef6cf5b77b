import HTTP
import Ingest
import Lifecycle
import Testing

@testable import Server
@testable import Store

/// What a device named last is remembered of events that are stored, and of no others.
struct NamedNotesTests {
  let served: ServedDatabase
  /// More than a channel may have.
  private let long = String(repeating: "c", count: 300)
  init() throws { served = try ServedDatabase() }

  private func event(_ members: String, of device: String = "d", channel: String = "production") -> String {
    #"{"app":"a","device":"\#(device)","channel":"\#(channel)",\#(members)}"#
  }
  private func ready(_ hash: String, of device: String = "d", channel: String = "production") -> String {
    event(#""type":"update-ready","update":{"hash":"\#(hash)"}"#, of: device, channel: channel)
  }
  private func send(_ events: String...) -> Int {
    let body = "[" + events.joined(separator: ",") + "]"
    return Int(served.ask("POST", "/v1/events", body, headers: [("content-type", "application/json")]).status)
  }
  private func known(_ device: String = "d") -> String? {
    served.service.offers.release(offeredTo: self.device(device), app: "a")
  }

  @Test func whatIsRefusedIsNotRemembered() {
    #expect(send(ready("h3", channel: long)) == 400 && known() == nil)
    #expect(send(ready("h2")) == 200 && known()?.contains("h2") == true)
    #expect(send(ready("h3", channel: long)) == 400 && known()?.contains("h2") == true)
  }

  /// One event of a body that is refused takes nothing from the others, of its own device or of another.
  @Test func whatIsStoredBesideARefusedEventIsRemembered() throws {
    #expect(send(ready("h1", of: "a"), ready("h2", of: "b", channel: long), ready("h3", of: "c")) == 200)
    #expect(known("a")?.contains("h1") == true && known("b") == nil && known("c")?.contains("h3") == true)
    #expect(send(ready("h4"), ready("h5", channel: long)) == 200)
    #expect(known()?.contains("h4") == true, "the one that was stored")
    #expect(send(ready("h6", channel: long), event(#""type":"update-applied","update":{"hash":"h6"}"#)) == 200)
    #expect(known()?.contains("h6") == true, "it was named twice, and once taken")
  }

  /// A body may be of very many devices: each costs the same.
  @Test func manyDevicesOfOneBodyAreRemembered() {
    let events = (0..<400).map { ready("h\($0)", of: "d\($0)", channel: $0 == 7 ? long : "production") }
    #expect(send(events.joined(separator: ",")) == 200)
    #expect((0..<400).filter { known("d\($0)")?.hasSuffix("\nh\($0)") != true } == [7])
  }

  /// Nothing that comes in waits for the file, or is refused on its account.
  @Test func whatCannotBeSavedIsRememberedAllTheSame() throws {
    let housekeeping = Housekeeping(served.service, foldAfter: .seconds(3600))
    defer { housekeeping.stop() }
    let breaker = try Connection(path: served.path, mode: .write)
    try breaker.execute(
      "CREATE TRIGGER stop BEFORE INSERT ON remembered_release BEGIN SELECT raise(ABORT, 'no'); END")
    #expect(send(ready("h2")) == 200)
    #expect(eventually { served.log.text.contains(#""event":"releases_not_saved""#) })
    #expect(send(ready("h3")) == 200 && known()?.contains("h3") == true)
    #expect(served.ask("GET", "/readyz").status == 200)
    try breaker.execute("DROP TRIGGER stop")
    #expect(
      eventually { (try? OfferMemory(served.service.registry))?.release(offeredTo: device("d"), app: "a") == known() })
  }

  private func device(_ id: String) -> DeviceHash { served.service.device("a", id) }
}
