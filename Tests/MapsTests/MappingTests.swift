import Ingest
import Lifecycle
import Testing

@testable import Maps

/// Rows of other programs' exports become events as a map says.
@Suite struct MappingTests {
  static let map = """
    format = "jsonl"
    [event]
    device = "who.id"
    release = ["params[key=release].value.*", "params[key=version].value.*"]
    region = "geo.country"
    deviceModel = "device.model"
    [event.stage]
    path = "name"
    values = [["app open", "check"], ["update_done", "applied"], ["update_ready", "ready"]]
    [event.at]
    path = "time"
    time = "us"
    [event.durationMs]
    path = "seconds"
    scale = 1000
    [tags]
    plan = "props.plan"
    """

  @Test func pathsTablesAndTimes() throws {
    let line = """
      {"who":{"id":7},"name":"update_done","time":1709539200000000,"seconds":1.5,"props":{"plan":"pro"},\
      "geo":{"country":"DE"},"device":{"model":"Pixel 8"},\
      "params":[{"key":"x","value":{"int_value":1}},{"key":"release","value":{"string_value":null,"int_value":12}}]}
      """
    let mapped = try Mapped(line + "\n" + #"{"name":"app open","who":{"id":"d"},"params":[]}"#, Self.map)
    #expect(mapped.events == ["applied 12 at 2024-03-04T08:00:00Z", "check -"])
    #expect(mapped.refusals == [])
    let context = try #require(mapped.contexts.first)
    #expect(DeviceTraits(context.traits).values == ["region": "DE", "deviceModel": "Pixel 8", "tag:plan": "pro"])
    #expect(mapped.decoded[0].batch.events[0].duration?.rawValue == 1500)
  }

  /// Lines about other things are skipped and counted; a line that is about an update and cannot be read is refused.
  @Test func whatIsNotAnUpdateIsSkipped() throws {
    let lines = """
      {"who":{"id":"d"},"name":"purchase"}
      {"who":{"id":"d"}}
      {"name":"app open"}
      {"who":{"id":"d"},"name":"update_done"}
      {"who":{"id":"d"},"name":"app open","time":"yesterday"}
      {"who":{"id":{"a":1}},"name":"app open"}
      []
      nonsense
      """
    let mapped = try Mapped(lines, Self.map)
    #expect(mapped.events == [] && mapped.skipped == 2)
    #expect(
      mapped.refusals == [
        #"3: "device" is missing or empty; the map looks for it in who.id"#,
        #"4: an event "applied" needs "release": the release that it is about; the map looks for it in params[key=release].value.*, params[key=version].value.*"#,
        #"5: "at" is "yesterday", which is not microseconds since 1970; say how the export writes it: time = "…" in the map; it comes from time = "yesterday""#,
        #"6: "device" must be a string, not an object; it comes from who.id"#,
        "7: an event must be a JSON object", "8: this is not JSON",
      ])
  }

  static let csv = """
    format = "csv"
    [event]
    device = "id"
    release = "version"
    stage.path = "what"
    at.path = "when"
    at.time = "2006-01-02 15:04:05 UTC"
    """

  @Test(arguments: [
    "id,what,version,when\nd,ready,2.0,2024-03-04 08:00:00.5 UTC\n",
    "\u{FEFF}\"what\",\"id\",\"note\",\"when\",\"version\"\r\nready,d,\"a \"\"b\"\"\nc\",2024-03-04 08:00:00.500000 UTC,2.0\r\n\r\n",
  ]) func columnsAreFoundByName(_ file: String) throws {
    let mapped = try Mapped(file, Self.csv)
    #expect(mapped.refusals == [])
    #expect(mapped.events == ["ready 2.0 at 2024-03-04T08:00:00.500Z"])
  }

  @Test func rowsOfTheWrongWidthAreRefused() throws {
    let mapped = try Mapped("id,what\nd,check\nd\nd,check,x\n\"d\n", Self.csv)
    #expect(mapped.events == ["check -"])
    #expect(
      mapped.refusals == [
        "3: the row has 1 values, the header 2", "4: the row has 3 values, the header 2",
        "5: the JSON ends in the middle of a value",
      ])
  }

  @Test func aTableWithoutTheColumnsIsRefusedAsAWhole() {
    #expect(throws: ImportProblem.self) { try Mapped("who,what\nd,check\n", Self.csv) }
  }

  @Test func linesOfALogAreCut() throws {
    let map = #"""
      format = "log"
      pattern = '$remote_addr - $_ [$time_local] "$request" $status $_ "$agent" $id'
      [[only]]
      path = "status"
      is = ["200", 304]
      [[skip]]
      path = "agent"
      pattern = "$_bot$_"
      [[event.device]]
      path = "id"
      [[event.device]]
      join = ["remote_addr", "agent"]
      [[event.stage]]
      path = "request"
      pattern = "GET $_/feed.xml$_"
      value = "check"
      [[event.stage]]
      path = "request"
      pattern = "GET $_.zip $_"
      value = "downloadStarted"
      [[event.release]]
      path = "request"
      pattern = "GET $_/App-$value.zip $_"
      [[event.release]]
      path = "request?version"
      prefix = "store:"
      [event.at]
      path = "time_local"
      time = "02/Jan/2006:15:04:05 -0700"
      """#
    let mapped = try Mapped(
      """
      10.0.0.1 - - [04/Mar/2024:09:00:00 +0100] "GET /a/feed.xml?a=b&version=1%2E5+b HTTP/1.1" 200 12 "App/1" D1
      10.0.0.1 - - [04/Mar/2024:09:00:00 +0100] "GET /a/App-2.0.zip HTTP/1.1" 200 12 "App/1" -
      10.0.0.1 - - [04/Mar/2024:09:00:00 +0100] "GET /a/App-2.0.zip HTTP/1.1" 404 12 "App/1" -
      10.0.0.1 - - [04/Mar/2024:09:00:00 +0100] "GET /a/App-2.0.zip HTTP/1.1" 304 12 "Googlebot" -
      10.0.0.1 - - [04/Mar/2024:09:00:00 +0100] "GET /favicon.ico HTTP/1.1" 200 12 "App/1" -
      nonsense
      """, map)
    #expect(
      mapped.events == ["check store:1.5 b at 2024-03-04T08:00:00Z", "downloadStarted 2.0 at 2024-03-04T08:00:00Z"])
    #expect(mapped.skipped == 3 && mapped.devices == 2)
    #expect(mapped.refusals.map { $0.prefix(44) } == ["6: the line \"nonsense\" is not of the form \"$"])
  }

  /// What is no UTF-8, what nests without end and what has U+0000 is refused line by line; nothing is lost beside it.
  @Test func hostileBytes() throws {
    let deep = String(repeating: "[", count: 100_000)
    var bytes = Array(#"{"who":{"id":"\#u{0}"},"name":"app open"}"#.utf8.filter { $0 != 0 })
    bytes =
      Array(#"{"who":{"id":"a\u0000b"},"name":"app open"}"#.utf8) + [10, 0xFF, 0xFE, 10] + Array(deep.utf8) + [10]
    bytes += Array(#"{"who":{"id":"d"},"name":"app open"}"#.utf8)
    let mapped = try Mapped(bytes, EventMap(toml: Self.map, path: "m"), app: "a")
    #expect(mapped.events == ["check -"])
    #expect(mapped.decoded.flatMap(\.rejections).map(\.code) == [.nulCharacter, .invalidUTF8, .tooDeep])
  }

  /// A row that is cut by a chunk's end is read once: every event of a file of several chunks is there.
  @Test(arguments: ["csv", "jsonl"]) func chunksJoinUp(_ format: String) throws {
    let count = 10_000
    let filler = String(repeating: "x", count: 130)
    let rows = (0..<count).map { row in
      format == "csv" ? "d\(row),check,\(filler)" : #"{"id":"d\#(row)","what":"check","f":"\#(filler)"}"#
    }
    let file = (format == "csv" ? ["id,what,f"] : []) + rows
    let map = "format = \"\(format)\"\n[event]\ndevice = \"id\"\nstage = \"what\""
    let mapped = try Mapped(file.joined(separator: "\n"), map)
    #expect(mapped.decoded.count > 1 && mapped.devices == count && mapped.refusals == [])
  }

  @Test(
    arguments: [
      ("/dl/Demo-2.0.0-mac.zip", "2.0.0"), ("/v1.2/Demo%20Setup%202.1.0.exe?x=9.9", "2.1.0"),
      ("Demo_2.1.0-beta.3_x64.msi.zip", "2.1.0-beta.3"), ("Demo3.0-2.0.delta", "3.0"),
      ("Demo2-1.5.0-rc1.dmg", "1.5.0-rc1"),
      ("/v1.2/latest.yml", nil), ("", nil), ("7", nil), ("%", nil), ("1.", nil),
    ] as [(String, String?)])
  func versionsAreFoundInNames(_ name: String, _ version: String?) throws {
    let map = """
      format = "jsonl"
      [event]
      device = "d"
      stage.value = "check"
      release.path = "n"
      release.find = "version"
      """
    let mapped = try Mapped(#"{"d":"d","n":"\#(name)"}"#, map)
    #expect(mapped.events == ["check \(version ?? "-")"] && mapped.refusals == [])
  }
}
