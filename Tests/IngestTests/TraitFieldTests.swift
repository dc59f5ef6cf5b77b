import Lifecycle
import Testing

@testable import Ingest

/// The region, the model and the tags of a device.
struct TraitFieldTests {
  private func traits(_ fields: String) throws -> [String: String] {
    let decoded = decode(#"{"device":"d","stage":"check",\#(fields)}"#)
    #expect(decoded.rejections == [])
    return DeviceTraits(try #require(decoded.batch.contexts.first).traits).values
  }

  @Test func areReadBesideTheOthers() throws {
    let found = try traits(#""region":"DE","device_model":"iPhone15,2","tags":{"plan":"pro","age":7,"beta":true}"#)
    #expect(
      found == [
        "region": "DE", "deviceModel": "iPhone15,2", "tag:plan": "pro", "tag:age": "7", "tag:beta": "true",
      ])
    #expect(try traits(#""platform":"ios""#) == [:])
  }

  /// Too many, too long, of other kinds or ill-named: never an error.
  @Test func tagsBeyondBoundsAreOtherOrLeftOut() throws {
    let long = String(repeating: "x", count: 33)
    #expect(try traits(#""tags":{"a":"\#(long)"}"#) == ["tag:a": "other"])
    #expect(try traits(#""tags":{"\#(long)":"1","b c":"1","":"1","n":null,"o":{"p":1},"l":[1],"e":""}"#) == [:])
    let many = (10...19).map { #""t\#($0)":\#($0)"# }.joined(separator: ",")
    #expect(try traits(#""tags":{\#(many)}"#).keys.sorted() == (10...17).map { "tag:t\($0)" })
    #expect(try traits(##""tags":{"a":"x\u0000y","b":"\n=\n"}"##) == ["tag:b": " = "])
    #expect(try traits(#""tags":{"a":"1","a":"2"}"#) == ["tag:a": "2"])
    #expect(try traits(#""tags":{}"#) == [:])
  }

  @Test(arguments: [
    #""tags":"plan=pro""#, #""tags":[1]"#, #""region":5"#, #""region":"\#(String(repeating: "x", count: 33))""#,
  ])
  func whatIsNoneIsRefused(_ field: String) {
    #expect(decode(#"{"device":"d","stage":"check",\#(field)}"#).rejections.count == 1)
  }

  @Test func areTakenFromFiles() throws {
    let csv = "device,stage,region,tags\nd,check,DE,\"{\"\"plan\"\":\"\"pro\"\"}\"\n"
    let decoded = try #require(try ImportTests.read(csv, .csv).first).decoded
    #expect(DeviceTraits(decoded.batch.contexts.first?.traits).values == ["region": "DE", "tag:plan": "pro"])
  }

  /// The same event without an id is the same event; with other tags it is another.
  @Test func areAPartOfWhatAnEventSays() {
    func identity(_ fields: String) -> UInt64? {
      decode(#"{"device":"d","stage":"check","at":1709539200000\#(fields)}"#).batch.events.first?.identity
    }
    #expect(identity(#","tags":{"a":"1"}"#) != identity(#","tags":{"a":"2"}"#))
    #expect(identity(#","region":"DE""#) != identity(""))
    #expect(identity(#","region":"DE""#) == identity(#","region":"DE""#))
  }
}
