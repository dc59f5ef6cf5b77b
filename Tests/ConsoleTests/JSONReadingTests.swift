import Foundation
import Testing

@testable import Console

struct JSONReadingTests {
  private static let rows: [(String, JSON)] = [
    ("null", nil), (" true\n", true), ("-3", -3), ("-0", 0), ("0.1", 0.1), ("1.0", 1.0), ("1e300", 1e300),
    ("2E+2", 200.0),
    ("9223372036854775807", .integer(.max)), ("9223372036854775808", .number(9_223_372_036_854_775_808)),
    ("[]", .array([])), ("{ }", .object([:])), ("[1 , [\"x\"],{}]", [1, ["x"], [:]]),
    (#"{"b":1,"a":[null,"x"],"b":2}"#, ["b": 2, "a": [nil, "x"]]),
    (#""\"\\\/\b\f\n\r\t\u0041é\u00e9\ud83c\udf75""#, "\"\\/\u{8}\u{C}\n\r\tAéé🍵"),
  ]

  @Test(arguments: rows) func reads(_ text: String, _ value: JSON) { #expect(JSON(parsing: text) == value) }

  @Test(arguments: [
    "", " ", "nul", "nulls", "tru", "+1", "01", "1.", ".1", "1e", "-", "1e999", "NaN", "'a'", "\"", "\"\\x\"",
    "\"\\u12\"",
    "\"\\u+123\"", "\"\\ud83c\"", "\"\\udf75\"", "\"\\ud83c\\u0041\"", "\"a\nb\"", "[", "[1", "[1,]", "[,1]", "[1 2]",
    "{", "{\"a\"}",
    "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:1}", "[]]", "1 2", "\u{FEFF}1",
  ])
  func refuses(_ text: String) { #expect(JSON(parsing: text) == nil) }

  @Test func bytesThatAreNoTextAreRefused() {
    #expect(JSON(parsing: Array("\"".utf8) + [0xC3] + Array("\"".utf8)) == nil)
    #expect(JSON(parsing: Array("\"".utf8) + [0xED, 0xA0, 0x80] + Array("\"".utf8)) == nil)
  }

  @Test func depthHasAnEnd() {
    func nested(_ count: Int) -> String { String(repeating: "[", count: count) + String(repeating: "]", count: count) }
    #expect(JSON(parsing: nested(JSON.deepest)) != nil)
    #expect(JSON(parsing: nested(JSON.deepest + 1)) == nil)
    #expect(JSON(parsing: String(repeating: "[", count: 1_000_000)) == nil)
  }

  private struct Form: Codable, Equatable {
    enum Word: String, Codable { case one, two }
    struct Inner: Codable, Equatable { var share: Double, count: UInt8? }
    var text = "ä\u{0}\"", flag = true, whole = Int64.min, share = 0.1, none: String? = nil
    var words: [Word] = [.one, .two], inner = Inner(share: 1, count: 7),
      list: [Inner?] = [nil, Inner(share: -1e-9, count: nil)]
    var byName = ["b": [1], "a": []], byNumber = [3: "x"], byWord: [Word: Int] = [.two: 2], tiny = Float(0.5)
  }

  /// Law: what is written comes back, as Foundation reads it, too.
  @Test func whatIsWrittenComesBack() throws {
    let bytes = Array(try JSON(encoding: Form()).text().utf8)
    #expect(try JSON.decode(Form.self, from: bytes) == Form())
    #expect(try JSONDecoder().decode(Form.self, from: Data(bytes)) == Form())
    #expect(try JSON.decode(Form.self, from: Array(JSONEncoder().encode(Form()))) == Form())
  }

  /// Law: doubles come back as the same bits, and as Foundation reads them.
  @Test func doublesReadAsFoundationReadsThem() throws {
    for step in 0..<2000 {
      let value = Double(bitPattern: UInt64(step) &* 0x9E37_79B9_7F4A_7C15)
      guard value.isFinite else { continue }
      let text = "[\(value)]"
      let read = try JSON.decode([Double].self, from: Array(text.utf8))
      #expect(read[0].bitPattern == value.bitPattern || value == 0)
      #expect(try JSONDecoder().decode([Double].self, from: Data(text.utf8)) == read)
    }
  }

  private static let problems: [(String, String)] = [
    ("{", ": this is not JSON at byte 1"), (#"{"share":1e999}"#, ": a number that is too large at byte 14"),
    ("[]", ": expected an object, found a list"), ("{}", ": share is missing"),
    (#"{"share":"x"}"#, "share: expected a number, found a text"),
    (#"{"share":null}"#, "share: expected a number, found null"),
    (#"{"share":1,"count":256}"#, "count: expected a whole number, found a number"),
    (#"{"share":1,"count":1.5}"#, "count: expected a whole number, found a number"),
  ]

  @Test(arguments: problems) func saysWhereAndWhy(_ text: String, _ says: String) {
    let error = #expect(throws: DecodingError.self) { try JSON.decode(Form.Inner.self, from: Array(text.utf8)) }
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context),
      .keyNotFound(_, let context):
      #expect(context.codingPath.map(\.stringValue).joined(separator: ".") + ": " + context.debugDescription == says)
    default: Issue.record("\(text): \(String(describing: error))")
    }
  }

  @Test func base64IsThatOfFoundation() {
    for count in 0..<70 {
      let made = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count) }
      #expect(base64(made) == Data(made).base64EncodedString())
      #expect(bytes(base64: base64(made)) == made)
    }
    for text in ["a", "ab=", "a===", "ab=c", "=abc", "abc\n", "a bc", "ab-_", "ab==abcd"] {
      #expect(bytes(base64: text) == nil, "\(text)")
    }
  }
}
