import HTTP
import Ingest
import Testing

@testable import Server

/// What a device named last is remembered of events that are stored, and of no others.
struct NamedNotesTests {
  @Test func whatIsRefusedIsNotRemembered() throws {
    let served = try ServedDatabase()
    func ready(_ hash: String, channel: String) -> Int {
      let event =
        #"{"app":"a","device":"d","type":"update-ready","update":{"hash":"\#(hash)"},"channel":"\#(channel)"}"#
      return Int(served.ask("POST", "/v1/events", event, headers: [("content-type", "application/json")]).status)
    }
    var known: String? { served.service.offers.release(offeredTo: served.service.device("a", "d"), app: "a") }
    #expect(ready("h3", channel: String(repeating: "c", count: 300)) == 400 && known == nil)
    #expect(ready("h2", channel: "production") == 200 && known?.contains("h2") == true)
    #expect(ready("h3", channel: String(repeating: "c", count: 300)) == 400 && known?.contains("h2") == true)
  }
}
