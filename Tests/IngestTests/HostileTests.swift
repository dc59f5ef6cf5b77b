import Lifecycle
import Testing

@testable import Ingest

@Suite struct HostileTests {
  @Test(arguments: ["", " ", "\n\n\r\n\t ", "\u{FEFF}"]) func nothing(_ body: String) {
    let decoded = decode(body)
    #expect(decoded.isEmpty && decoded.rejected.total == 0)
  }

  @Test(arguments: ["[]", "[ ]", #"{"events":[]}"#, #"{"events":[],"sentAt":1}"#]) func noEvents(_ body: String) {
    let decoded = decode(body)
    #expect(!decoded.isEmpty && decoded.rejected.total == 0 && decoded.batch.events.isEmpty)
  }

  @Test(arguments: [
    ("hello", RejectionCode.invalidJSON, 0), ("<html>", .invalidJSON, 0), ("[", .truncatedJSON, 0),
    ("{", .truncatedJSON, 0), ("[\(event()),", .truncatedJSON, 1), ("[\(event())", .truncatedJSON, 1),
    ("[\(event()),]", .invalidJSON, 1), ("[\(event())]]", .invalidJSON, 1), ("\(event())}", .invalidJSON, 1),
    (#"{"device":"d""#, .truncatedJSON, 0), (#"{"device":"#, .truncatedJSON, 0), (#"[{"a":tru"#, .truncatedJSON, 0),
    (#"[{"a":01}]"#, .invalidJSON, 0), (#"[{"a":1.}]"#, .invalidJSON, 0), (#"[{"a":.5}]"#, .invalidJSON, 0),
    (#"[{"a":+1}]"#, .invalidJSON, 0), (#"[{"a":NaN}]"#, .invalidJSON, 0), (#"[{'a':1}]"#, .invalidJSON, 0),
    (#"[{"a" 1}]"#, .invalidJSON, 0), (#"[{"a":1,}]"#, .invalidJSON, 0), (#"[{"a":"b" "c"}]"#, .invalidJSON, 0),
  ])
  func breaks(_ body: String, _ code: RejectionCode, _ accepted: Int) throws {
    let decoded = decode(body)
    #expect(decoded.batch.events.count == accepted && decoded.isBroken)
    #expect(decoded.rejections.map(\.code) == [code] && decoded.rejections.map(\.index) == [accepted])
    #expect(try #require(decoded.rejections.first).message.hasSuffix("this event and all after it were not read"))
  }

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":", "[[],"]) func nestingBombs(_ piece: String) {
    let bomb = Array(String(repeating: piece, count: 2_000_000 / piece.utf8.count).utf8)
    for format in [BodyFormat.json, .ndjson] {
      let decoded = decode(bomb, as: format)
      #expect(decoded.batch.events.isEmpty && decoded.rejected.total >= 1)
    }
  }

  /// Each line opens what no line closes: the lines stay apart, and the time stays linear.
  @Test func nestingAcrossLines() {
    let decoded = decode(String(repeating: "{\"a\":[\n", count: 200_000) + event(), as: .ndjson, limits: nil)
    #expect(decoded.batch.events.count == 1 && decoded.rejected[.truncatedJSON] == 200_000)
  }

  @Test func fiftyMegabytesOfEvents() {
    let events = 50_000_000 / (event().utf8.count + 1)
    let body = Array(("[" + Array(repeating: event(), count: events).joined(separator: ",") + "]").utf8)
    let decoded = decode(body, limits: nil)
    #expect(decoded.batch.events.count == events && decoded.rejected.total == 0)
  }

  @Test(arguments: [UInt8(ascii: "x"), UInt8(ascii: "\""), 0, 0xFF, UInt8(ascii: "\\"), UInt8(ascii: "7")])
  func fiftyMegabytesOfOneByte(_ byte: UInt8) {
    let prefix = Array("[\(event()),".utf8)
    let decoded = decode(prefix + Array(repeating: byte, count: 50_000_000))
    #expect(decoded.batch.events.count == 1 && decoded.isBroken)
  }

  @Test func anEventOfMoreThanAMegabyte() {
    let large = event(#""note":"\#(String(repeating: "n", count: 1_100_000))""#)
    let lines = decode([event(), large, event()].joined(separator: "\n"), as: .ndjson)
    #expect(lines.batch.events.count == 2 && lines.rejections.map(\.code) == [.tooLarge])
    let array = decode("[\(event()),\(large),\(event())]")
    #expect(array.batch.events.count == 1 && array.rejections.map(\.code) == [.tooLarge] && array.isBroken)
  }

  @Test(
    arguments: [
      [0x80], [0xC0, 0xAF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xF8, 0x88, 0x80, 0x80, 0x80], [0xC3], [0xE2, 0x82], [0xFF],
    ] as [[UInt8]])
  func invalidUTF8(_ bytes: [UInt8]) {
    let bad = Array(#"{"device":"d"#.utf8) + bytes + Array(#"","stage":"check"}"#.utf8)
    let (good, comma) = (Array(event().utf8), UInt8(ascii: ","))
    let array = decode([UInt8(ascii: "[")] + good + [comma] + bad + [comma] + good + [UInt8(ascii: "]")])
    let lines = decode(good + [10] + bad + [10] + good, as: .ndjson)
    for decoded in [array, lines] {
      #expect(decoded.batch.events.count == 2)
      #expect(decoded.rejections.map(\.code) == [.invalidUTF8] && decoded.rejections.map(\.index) == [1])
    }
    #expect(decode(bad).rejections.map(\.code) == [.invalidUTF8])
  }
}
