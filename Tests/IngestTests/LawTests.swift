import CSimdjson
import Lifecycle
import Testing

@testable import Ingest

/// What holds for every body, however broken.
@Suite struct LawTests {
  static let items = (0..<6).map { number in
    #"{"id":"e\#(number)","device":"d\#(number)","stage":"ready","release":"2.\#(number)","at":170953920\#(number)000,"#
      + #""note":[1,-2.5e3,{"a":"b\"é\u00e9\\"},true,null],"emulator":false}"#
  }
  static let whole = decode("[\(items.joined(separator: ","))]").batch.events

  /// Names and contexts are numbered by first appearance, so a prefix of the events has the same numbers.
  @Test(arguments: [
    ("[\(items.joined(separator: " ,\n"))]", BodyFormat.json), (items.joined(separator: "\n"), .ndjson),
    (items.joined(separator: "\r\n\n") + "\n", .json),
    (#"{"events":[\#(items.joined(separator: ","))],"sentAt":"2024-03-04T12:00:00Z"}"#, .json),
  ])
  func everyPrefixGivesAPrefix(_ body: String, _ format: BodyFormat) {
    let bytes = Array(body.utf8)
    var before = 0
    for count in 0...bytes.count {
      let decoded = decode(Array(bytes[..<count]), as: format)
      #expect(decoded.batch.events == Array(Self.whole.prefix(decoded.batch.events.count)))
      #expect(decoded.batch.events.count >= before && decoded.rejected.total <= 1)
      #expect(decoded.rejections.allSatisfy { $0.index == decoded.batch.events.count })
      #expect(decoded.rejections.allSatisfy { $0.code == .truncatedJSON || $0.code == .invalidUTF8 })
      before = decoded.batch.events.count
    }
    #expect(before == 6)
  }

  @Test func theSameEventsInEveryShape() {
    let array = decode("[\(Self.items.joined(separator: ","))]").batch
    let lines = decode(Self.items.joined(separator: "\n"), as: .ndjson).batch
    let sniffed = decode(Self.items.joined(separator: "\n")).batch
    let wrapped = decode(#"{"events":[\#(Self.items.joined(separator: ","))]}"#).batch
    #expect(array.events.count == 6)
    for other in [lines, sniffed, wrapped] {
      #expect(other.events == array.events && other.names == array.names && other.contexts == array.contexts)
    }
    for (item, event) in zip(Self.items, array.events) {
      #expect(decode(item).batch.events.map(\.identity) == [event.identity])
    }
  }

  /// Every byte of a body replaced by every other one: nothing crashes, what simdjson accepts is read to its end, and
  /// what it refuses is not passed in silence.
  @Test func everyMutationOfOneByte() {
    let item = #"{"device":"d1","stage":"ready","release":"é","x":[1,-0.5e1,{"a":"\u00e9\n"}],"y":true,"z":null}"#
    let body = Array("[\(item)]".utf8)
    let decoder = NativeDecoder(keys: keys)
    for place in body.indices {
      for byte in UInt8.min...UInt8.max {
        var mutant = body
        mutant[place] = byte
        let decoded = decoder.decode(mutant.span.bytes, .request(app: "a", received: noon))
        let isAccepted = mutant.withUnsafeBufferPointer { csj_simdjson_accepts($0.baseAddress, $0.count) }
        let isRead = !decoded.isBroken && decoded.rejected[.invalidJSON] + decoded.rejected[.invalidUTF8] == 0
        #expect(isRead == isAccepted, "byte \(byte) at \(place): \(String(decoding: mutant, as: UTF8.self))")
      }
    }
  }

  /// Two broken bytes, as lines: neighbours stay, and the books balance.
  @Test func linesBesideABrokenLineStay() {
    let good = Array(event().utf8)
    let newline = UInt8(ascii: "\n")
    for place in good.indices {
      for byte in [0, UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "]"), 0x80, 0xFF, 0x1F] {
        var mutant = good
        mutant[place] = byte
        let decoded = decode(good + [newline] + mutant + [newline] + good + [newline] + good, as: .ndjson)
        #expect(decoded.batch.events.count + decoded.rejected.total == 4)
        #expect(decoded.batch.events.count >= 3)
        #expect(decoded.rejections.allSatisfy { $0.index == 1 && $0.line == 2 })
      }
    }
  }

  /// Cuts the walk's windows, a quarter of a megabyte each, at every kind of place.
  @Test(arguments: [1, 7, 64, 250, 1000]) func windowsDoNotShow(_ padding: Int) {
    let pad = String(repeating: " ", count: padding)
    let items = (0..<3000).map {
      #"{"id":"\#($0)é\\","device":"d","stage":"check",\#(pad)"note":[{"a":"\u00e9"}],"bytes":\#($0)}"#
    }
    let array = decode("\(pad)[\(items.joined(separator: "," + pad))]\(pad)")
    let lines = decode(items.joined(separator: "\n"), as: .ndjson)
    let wrapped = decode(
      #"{"a":"\#(pad)","events":[\#(items.joined(separator: ","))],"sentAt":"2024-03-04T12:00:00Z"}"#)
    for decoded in [array, lines, wrapped] {
      #expect(decoded.rejections == [] && decoded.batch.events.map(\.bytes) == (0..<3000).map { Int64($0) })
      #expect(decoded.batch.events.map(\.identity) == array.batch.events.map(\.identity))
    }
  }
}
