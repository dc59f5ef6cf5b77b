import Foundation
import Testing

@testable import Console

struct JSONTests {
  private static let rows: [(JSON, String)] = [
    (nil, "null"), (true, "true"), (-3, "-3"), (0.1, "0.1"), (1.0, "1"), (1e300, "1e+300"), (.number(-0.0), "0"),
    (.number(.nan), "null"), (.number(.infinity), "null"), (.integer(.max), "9223372036854775807"), (.array([]), "[]"),
    (.object([:]), "{}"),
    (["b": 1, "a": [nil, "x"], "B": 2], #"{"B":2,"a":[null,"x"],"b":1}"#),
    ("\"\\\n\t\u{1}\u{7F}\u{2028}é🍵/<", #""\"\\\n\t\u0001\u007f\u2028é🍵/<""#),
  ]

  @Test(arguments: rows) func writes(_ value: JSON, _ text: String) { #expect(value.text() == text) }

  @Test func writesPretty() {
    let value: JSON = ["b": [1, ["c": nil]], "a": .array([]), "d": [:]]
    #expect(
      value.text(.pretty)
        == "{\n  \"a\": [],\n  \"b\": [\n    1,\n    {\n      \"c\": null\n    }\n  ],\n  \"d\": {}\n}")
  }

  /// Law: Foundation reads what we write as the same bits.
  @Test func doublesReadBackTheSame() throws {
    let seeds: [UInt64] = [
      1, 0x3FB9_9999_9999_999A, 0x7FEF_FFFF_FFFF_FFFF, 0x0010_0000_0000_0000, 0x4340_0000_0000_0001,
    ]
    for pattern in seeds + (0..<2000).map({ (step: UInt64) in step &* 0x9E37_79B9_7F4A_7C15 }) {
      let value = Double(bitPattern: pattern)
      guard value.isFinite else { continue }
      let read = try JSONDecoder().decode([Double].self, from: Data("[\(JSON.number(value).text())]".utf8))
      #expect(read[0].bitPattern == value.bitPattern || value == 0)
    }
  }

  private struct Answer: Encodable {
    enum Word: String, Encodable { case silentPush }
    struct Inner: Encodable { var value: Double?, lo: Float }
    var group = ["channel": "production"]
    var devices = 228
    var big: UInt8 = 255
    var reason: String?
    var word: Word? = .silentPush
    var inner: [Inner] = [.init(value: nil, lo: 0.5), .init(value: 0.25, lo: 1)]
    var empty: [Int] = []
    var flag = true
    var pairs: [[Int]] = [[1, 2], []]
  }

  @Test func encodes() throws {
    let text = try JSON(encoding: Answer()).text()
    #expect(
      text == #"{"big":255,"devices":228,"empty":[],"flag":true,"group":{"channel":"production"},"#
        + #""inner":[{"lo":0.5,"value":null},{"lo":1,"value":0.25}],"pairs":[[1,2],[]],"reason":null,"word":"silentPush"}"#
    )
    #expect(try JSON(encoding: [1: "a"]).text() == #"{"1":"a"}"#)
    #expect(try JSON(encoding: "x") == "x")
    #expect(try JSON(encoding: Int?.none) == nil)
    #expect(throws: EncodingError.self) { try JSON(encoding: UInt64.max) }
  }
}
