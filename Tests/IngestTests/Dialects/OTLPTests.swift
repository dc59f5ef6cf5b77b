import Lifecycle
import Testing

@testable import Ingest

/// Log records in both encodings, and answers in the encoding of the request.
@Suite struct OTLPTests {
  static let json = ["content-type": "application/json; charset=utf-8"]
  private static let protobuf = ["content-type": "application/x-protobuf"]

  static func request(_ records: String, device: String? = "i1") -> String {
    let id = device.map { #",{"key":"app.installation.id","value":{"stringValue":"\#($0)"}}"# } ?? ""
    return """
      {"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"com.example.app"}},\
      {"key":"service.version","value":{"stringValue":"4.2"}},{"key":"os.name","value":{"stringValue":"iOS"}}\(id)]},\
      "scopeLogs":[{"scope":{"name":"x","version":"0.1"},"logRecords":[\(records)]}],"somethingNew":{}}]}
      """
  }

  static func attributes(_ pairs: [(String, String)]) -> String {
    pairs.map { #"{"key":"\#($0.0)","value":{"stringValue":"\#($0.1)"}}"# }.joined(separator: ",")
  }

  struct Row: CustomTestStringConvertible, Sendable {
    var record: String
    var event: String?
    var testDescription: String { record }
  }

  static let rows = [
    Row(
      record: """
        {"timeUnixNano":"1709542800250000000","eventName":"app.update.applied","attributes":[\
        \(attributes([("ota.release", "h2"), ("ota.mechanism", "silentPush"), ("ota.channel", "beta")]))]}
        """,
      event: "applied h2 silentPush at 2024-03-04T09:00:00.250Z on beta"),
    Row(
      record: """
        {"observedTimeUnixNano":1709542800250000000,"attributes":[\
        \(attributes([("event.name", "ota.download.started"), ("ota.update_id", "h2")]))]}
        """,
      event: "downloadStarted h2 unknown at 2024-03-04T09:00:00.250Z"),
    Row(
      record: """
        {"body":{"stringValue":"failed"},"attributes":[\
        \(attributes([("ota.update_id", "h2"), ("error.type", "timeout")]))]}
        """,
      event: "failed h2 unknown because timeout"),
    Row(
      record: """
        {"body":{"kvlistValue":{"values":[{"key":"uptake.stage","value":{"stringValue":"ready"}},\
        {"key":"uptake.release","value":{"stringValue":"h2"}}]}}}
        """,
      event: "ready h2 unknown"),
    Row(record: #"{"body":{"stringValue":"ready"}}"#, event: nil),
    Row(record: #"{"eventName":"device.app.lifecycle","attributes":[]}"#, event: nil),
    Row(record: #"{"eventName":"session.start"}"#, event: nil),
  ]

  @Test(arguments: rows) func recordsThatNameStagesBecomeEvents(_ row: Row) throws {
    let asked = try #require(ask("POST", "/v1/logs", Self.request(row.record), headers: Self.json))
    #expect(asked.events == [row.event].compactMap(\.self))
    #expect(asked.reply == .json("{}"))
    if row.event != nil {
      #expect(asked.apps == ["com.example.app"])
      #expect(asked.context?.platform == "ios" && asked.context?.appVersion == "4.2")
    }
  }

  /// Names of OpenTelemetry's semantic conventions 1.44.0 (model/device, model/geo) and our own; the record's win.
  @Test func modelRegionAndTagsAreReadWhereClientsPutThem() throws {
    func traits(_ resource: [(String, String)], _ record: [(String, String)]) throws -> [String: String] {
      let said = Self.attributes([("service.name", "a"), ("app.installation.id", "i1")] + resource)
      let own = Self.attributes([("ota.stage", "check")] + record)
      let body =
        #"{"resourceLogs":[{"resource":{"attributes":[\#(said)]},"scopeLogs":[{"logRecords":[{"attributes":[\#(own)]}]}]}]}"#
      let asked = try #require(ask("POST", "/v1/logs", body, headers: Self.json))
      return DeviceTraits(try #require(asked.context).traits).values
    }
    #expect(
      try traits([("device.model.identifier", "iPhone15,2"), ("device.model.name", "iPhone 14 Pro")], [])
        == ["deviceModel": "iPhone15,2"])
    #expect(
      try traits([("device.model.name", "Pixel 8"), ("geo.country.iso_code", "DE")], [("ota.region", "AT")])
        == ["deviceModel": "Pixel 8", "region": "AT"])
    #expect(
      try traits([("ota.tag.plan", "free"), ("ota.tag.team", "a")], [("uptake.tag.plan", "pro"), ("ota.tag.", "x")])
        == ["tag:plan": "pro", "tag:team": "a"])
    #expect(try traits([("geo.country.iso_code", String(repeating: "x", count: 40))], [])["region"]?.count == 32)
  }

  @Test func protobufSaysTheSame() throws {
    func pair(_ name: String, _ text: String) -> [UInt8] {
      Protobuf.field(1, Array(name.utf8)) + Protobuf.field(2, Protobuf.field(1, Array(text.utf8)))
    }
    var record: [UInt8] = [0x09]  // time_unix_nano, fixed64
    record += (0..<8).map { UInt8(truncatingIfNeeded: UInt64(1_709_542_800_250_000_000) >> (8 * UInt64($0))) }
    record += Protobuf.field(6, pair("ota.release", "h2")) + Protobuf.field(6, pair("ota.mechanism", "silentPush"))
    record += Protobuf.field(12, Array("app.update.applied".utf8)) + Protobuf.field(99, Array("new".utf8))
    let scope = Protobuf.field(2, record)
    // The resource behind its records.
    let resource = Protobuf.field(1, pair("service.name", "a")) + Protobuf.field(1, pair("app.installation.id", "i1"))
    let body = Protobuf.field(1, Protobuf.field(2, scope) + Protobuf.field(1, resource))
    let asked = try #require(ask("POST", "/v1/logs", body, headers: Self.protobuf))
    #expect(asked.events == ["applied h2 silentPush at 2024-03-04T09:00:00.250Z"])
    #expect(asked.reply == ForeignReply(200, "application/x-protobuf", []))
    for length in 0..<body.count {
      _ = ask("POST", "/v1/logs", Array(body[..<length]), headers: Self.protobuf)
    }
  }

  @Test func whatIsRefusedIsCountedInThePartialSuccess() throws {
    let record = Self.rows[0].record
    let old = record.replacing("1709542800250000000", with: "1000000000")
    let asked = try #require(ask("POST", "/v1/logs", Self.request("\(record),\(old)"), headers: Self.json))
    #expect(asked.events.count == 1)
    #expect(asked.text.hasPrefix(#"{"partialSuccess":{"rejectedLogRecords":"1","errorMessage":""#))
    let nobody = try #require(ask("POST", "/v1/logs", Self.request(record, device: nil), headers: Self.json))
    #expect(nobody.reply.status == 200 && nobody.text.contains("app.installation.id"))
    // The sign of life that Expo's resource gives is no record: it is never counted among them.
    let expo = Self.attributes([("expo.eas_client.id", "E1")])
    let alone = #"{"resourceLogs":[{"resource":{"attributes":[\#(expo)]},"scopeLogs":[{"logRecords":[\#(old)]}]}]}"#
    let refused = try #require(ask("POST", "/v1/logs", alone, headers: Self.json))
    #expect(refused.decoded.rejected.total == 2 && refused.text.contains(#""rejectedLogRecords":"1""#))
  }

  /// Told in the field and the unit of this protocol.
  @Test(arguments: [
    (#""timeUnixNano":"1709542800250""#, "timeUnixNano", "1709542800250, before the year 2000"),
    (
      #""timeUnixNano":0,"observedTimeUnixNano":1709542800"#, "observedTimeUnixNano", "1709542800, before the year 2000"
    ),
    (#""timeUnixNano":3e20"#, "timeUnixNano", "3e+20, after the year 9999"),
  ]) func timesInAnotherUnitAreRefused(_ time: String, _ field: String, _ says: String) throws {
    let record = #"{\#(time),"attributes":[\#(Self.attributes([("ota.stage", "check")]))]}"#
    let asked = try #require(ask("POST", "/v1/logs", Self.request(record), headers: Self.json))
    let rejection = try #require(asked.decoded.rejections.first)
    #expect(rejection.code == .badTime && rejection.message == "\"\(field)\" is \(says); send nanoseconds since 1970")
  }

  /// Who names a stage and a release meant an event. The message is that of native events.
  @Test func aStageThatNobodyKnowsIsRefused() throws {
    func record(_ pairs: (String, String)...) -> String { #"{"attributes":[\#(Self.attributes(pairs))]}"# }
    for name in ["ota.stage", "uptake.stage", "app.update.stage"] {
      let slip = record((name, "instaled"), ("ota.release", "h2"))
      let asked = try #require(ask("POST", "/v1/logs", Self.request(slip), headers: Self.json))
      let rejection = try #require(asked.decoded.rejections.first)
      #expect(rejection.code == .unknownStage && asked.events.isEmpty)
      #expect(rejection.message.hasPrefix(#"unknown stage "instaled"; did you mean "ready"? Permitted: "#))
      #expect(asked.text.contains(#""rejectedLogRecords":"1""#) && asked.text.contains("instaled"))
    }
    let others = [
      record(("ota.stage", "instaled")), record(("ota.release", "h2")),
      record(("ota.event", "x"), ("ota.release", "h2")),
    ]
    let asked = try #require(ask("POST", "/v1/logs", Self.request(others.joined(separator: ",")), headers: Self.json))
    #expect(asked.heard?.dropped == ["other_record": 3] && asked.reply == .json("{}"))
  }

  @Test func errorsAreAStatusInTheEncodingOfTheRequest() throws {
    let json = try #require(ask("POST", "/v1/logs", "{", headers: Self.json))
    #expect(json.reply.status == 400 && json.text.hasPrefix(#"{"code":3,"message":""#))
    let protobuf = try #require(ask("POST", "/v1/logs", [0x0A, 0xFF], headers: Self.protobuf))
    #expect(protobuf.reply.status == 400 && protobuf.reply.type == "application/x-protobuf")
    #expect(protobuf.reply.body.starts(with: [0x08, 0x03, 0x12]))
    #expect(try #require(ask("POST", "/v1/logs", "x", headers: ["content-type": "text/csv"])).reply.status == 415)
    #expect(try #require(ask("POST", "/v1/logs", "", headers: Self.protobuf)).reply.status == 200)
  }

  @Test func nestingAndSizeAreBounded() throws {
    var value: [UInt8] = Protobuf.field(1, [120])
    for _ in 0..<100 { value = Protobuf.field(5, Protobuf.field(1, value)) }
    let record = Protobuf.field(5, value)
    let body = Protobuf.field(1, Protobuf.field(2, Protobuf.field(2, record)))
    let asked = try #require(ask("POST", "/v1/logs", body, headers: Self.protobuf))
    #expect(asked.problem?.message.contains("nests") == true)
  }

  /// What a receiver dropped, in both encodings of its answer.
  @Test func readsWhatWasDropped() throws {
    let json = Array(#"{"partialSuccess":{"rejectedLogRecords":"3","errorMessage":"abc"}}"#.utf8)
    let protobuf: [UInt8] = [0x0A, 0x07, 0x08, 0x03, 0x12, 0x03] + Array("abc".utf8)
    for (body, type) in [(json, "application/json"), (protobuf, "application/x-protobuf")] {
      let part = try #require(PartialSuccess(body, mediaType: type))
      #expect(part.rejected == 3 && part.message == "abc")
    }
    for body in [[], Array("{}".utf8), [0x0A, 0x09, 0x08, 0x03], [0x0A, 0x02, 0x08, 0x00]] as [[UInt8]] {
      #expect(PartialSuccess(body, mediaType: "application/json") == nil)
      #expect(PartialSuccess(body, mediaType: "application/x-protobuf") == nil)
    }
  }
}
