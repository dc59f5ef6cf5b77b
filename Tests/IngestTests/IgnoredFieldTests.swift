import Ingest
import Lifecycle
import Store
import Testing

/// Fields that nobody reads are no error, and are told.
@Suite struct IgnoredFieldTests {
  @Test(arguments: [
    (event(), [String]()), (event(#""triger":"silentPush""#), ["triger"]),
    (event(#""a1":1,"a2":{"device":[1]},"a1":2"#), ["a1", "a2"]),
    (event(#""f1":1,"f2":1,"f3":1,"f4":1,"f5":1,"f6":1"#), ["f1", "f2", "f3", "f4", "f5"]),
    ("[\(event(#""x1":1"#)),\(event(#""x2":1,"x1":null"#))]", ["x1", "x2"]),
    (#"{"batchId":7,"events":[\#(event(#""x":1"#))]}"#, ["batchId", "x"]),
    (event(#""\#(String(repeating: "n", count: 49))":1"#), []),
    // Swiftpatch's own shapes are read, in the contract's words.
    (#"{"device":"d","eventType":"applied","releaseHash":"h","timestamp":1709539200}"#, []),
  ])
  func namesOfFieldsThatAreNotReadAreKept(_ body: String, _ names: [String]) {
    let decoded = decode(body)
    #expect(decoded.rejections == [] && decoded.ignoredNames == names)
  }

  /// A decoder is used again and again.
  @Test func namesAreOfTheirBody() {
    let decoder = NativeDecoder(keys: keys)
    func names(_ body: String) -> [String] {
      let bytes = Array(body.utf8)
      return decoder.decode(bytes.span.bytes, .request(app: "a", received: noon)).ignoredNames
    }
    #expect(names(event(#""x":1"#)) == ["x"] && names(event()) == [] && names(event(#""y":1"#)) == ["y"])
  }

  @Test func theAnswerNamesThem() {
    let answer = decode(event(#""triger":1,"a\"b":2"#)).answer(Admitted(accepted: 1, duplicate: 0))
    #expect(
      String(decoding: answer.body, as: UTF8.self)
        == #"{"accepted":1,"duplicate":0,"rejected":0,"errors":[],"ignored":["triger","a\"b"]}"#)
  }

  @Test(arguments: [
    ("triger", "trigger"), ("chanel", "channel"), ("relase", "release"), ("platfrom", "platform"),
    ("OSVersion", "osVersion"), ("devicemodel", "deviceModel"), ("Release", "release"), ("durationMS", "durationMs"),
    ("releaseId", "release"),
  ])
  func aSlipIsRecognised(_ name: String, _ field: String) { #expect(fieldSuggestion(for: name) == field) }

  /// What clients say for reasons of their own is no slip.
  @Test(arguments: ["ip", "os", "state", "sessionId", "userId", "locale", "version", "build", "foo", ""])
  func aFieldOfItsOwnIsNone(_ name: String) { #expect(fieldSuggestion(for: name) == nil) }

  static let neighbours: [(body: String, name: String, meant: String)] = [
    (#"{"deviceId":"d","stage":"check"}"#, "deviceId", "device"),
    (#"{"device_id":"d","stage":"check"}"#, "device_id", "device"),
    (#"{"Device":"d","stage":"check"}"#, "Device", "device"), (#"{"devise":"d","stage":"check"}"#, "devise", "device"),
    (#"{"device":"d","event":"check"}"#, "event", "stage"),
    (#"{"device":"d","stage":"applied","version":"2"}"#, "version", "release"),
    (#"{"Events":[{"device":"d"}]}"#, "Events", "events"), (#"{"v":1,"batch":[{"device":"d"}]}"#, "batch", "events"),
  ]

  @Test(arguments: neighbours)
  func aMissingFieldLooksAtItsNeighbours(_ row: (body: String, name: String, meant: String)) throws {
    let hint = "; \"\(row.name)\" is not read: did you mean \"\(row.meant)\"?"
    #expect(try #require(decode(row.body).rejections.first).message.hasSuffix(hint))
    let among = decode("[\(event()),\(row.body),\(event(#""deviceId":"x""#))]")
    #expect(among.batch.events.count == 2 && among.rejections.map(\.index) == [1])
    #expect(try #require(among.rejections.first).message.hasSuffix(hint))
  }

  @Test(arguments: [
    #"{"stage":"check","list":[{"device":"d"}]}"#, #"{"stage":"check","note":"deviceId"}"#,
    #"{"stage":"check","service":"x"}"#, #"{"stage":"check","device":null}"#,
  ])
  func whatIsNoNeighbourIsLeftOut(_ body: String) {
    #expect(decode(body).rejections.map(\.message) == [#""device" is missing or empty"#])
  }

  @Test func aMissingAppLooksAtItsNeighbours() throws {
    let rejection = try #require(decode(event(#""bundleId":"a""#), app: nil).rejections.first)
    #expect(rejection.message.hasSuffix(#"; "bundleId" is not read: did you mean "app"?"#))
  }

  /// An envelope that is slightly wrong.
  @Test(arguments: [
    (
      #"{"sentAt":"2024-03-04T12:00:00Z","events":{"app":"a","device":"d","stage":"check"}}"#,
      #""events" must be an array, even of one event: {"events":[{…}]}"#
    ),
    (
      #"{"app":"com.x","device":"n","events":[{"stage":"check"}]}"#,
      #""app" stands beside "events"; it belongs into each event, as "app" and "device" do"#
    ),
    (
      #"{"device":"n","events":[{"app":"a","stage":"check"}]}"#,
      #""device" stands beside "events"; it belongs into each event, as "app" and "device" do"#
    ),
  ]) func anEnvelopeSaysWhatIsWrongWithIt(_ body: String, _ message: String) {
    #expect(decode(body, app: nil).rejections.map(\.message) == [message])
  }

  /// An event that is large is not read again to find a word.
  @Test func aLargeNeighbourhoodIsLeftAlone() {
    let note = String(repeating: "n", count: 1 << 18)
    let body = #"{"deviceId":"d","stage":"check","note":"\#(note)"}"#
    #expect(decode(body).rejections.map(\.message) == [#""device" is missing or empty"#])
  }
}
