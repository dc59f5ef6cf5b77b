import Lifecycle
import Store
import Testing

@testable import Ingest

@Suite struct AnswerTests {
  static func answer(_ body: String, accepted: Int, duplicate: Int = 0) -> (status: Int, text: String) {
    let answer = decode(body).answer(Admitted(accepted: accepted, duplicate: duplicate))
    return (answer.status, String(decoding: answer.body, as: UTF8.self))
  }

  @Test func allIsWell() {
    #expect(Self.answer(event(), accepted: 1) == (200, #"{"accepted":1,"duplicate":0,"rejected":0,"errors":[]}"#))
    #expect(Self.answer("[]", accepted: 0) == (200, #"{"accepted":0,"duplicate":0,"rejected":0,"errors":[]}"#))
  }

  @Test func someIs() {
    #expect(
      Self.answer("[\(event()),\(event()),{\"device\":\"d\"}]", accepted: 1, duplicate: 1) == (
        200,
        #"{"accepted":1,"duplicate":1,"rejected":1,"errors":[{"index":2,"field":"stage","code":"missing_field","#
          + #""message":"\"stage\" is missing or empty"}]}"#
      ))
  }

  @Test func nothingIs() {
    #expect(
      Self.answer(#"{"device":"d"}"#, accepted: 0) == (
        400,
        #"{"accepted":0,"duplicate":0,"rejected":1,"errors":[{"index":0,"field":"stage","code":"missing_field","#
          + #""message":"\"stage\" is missing or empty"}],"error":{"code":"all_rejected","#
          + #""message":"the event could not be taken: \"stage\" is missing or empty"}}"#
      ))
  }

  /// What came after the break is to be sent again.
  @Test func someWasNotRead() {
    #expect(
      Self.answer(#"[\#(event()),{"device""#, accepted: 1) == (
        200,
        #"{"accepted":1,"duplicate":0,"rejected":1,"unread":true,"errors":[{"index":1,"code":"truncated_json","#
          + #""message":"the JSON ends in the middle of a value at byte \#(event().utf8.count + 2); "#
          + #"this event and all after it were not read"}]}"#
      ))
  }

  @Test func aDuplicateIsRecognised() {
    #expect(Self.answer("[\(event()),{}]", accepted: 0, duplicate: 1).status == 200)
  }

  @Test func notJSON() {
    #expect(
      Self.answer("hello", accepted: 0) == (
        400,
        #"{"accepted":0,"duplicate":0,"rejected":1,"errors":[{"index":0,"code":"invalid_json","message":"this is not JSON "#
          + #"at byte 0; this event and all after it were not read"}],"error":{"code":"invalid_json","#
          + #""message":"this is not JSON at byte 0; this event and all after it were not read"}}"#
      ))
    #expect(
      Self.answer(" ", accepted: 0) == (
        400,
        #"{"accepted":0,"duplicate":0,"rejected":0,"errors":[],"error":{"code":"empty_body","#
          + #""message":"the body is empty; send a JSON object, an array of them, or NDJSON"}}"#
      ))
  }

  @Test func theAnswerIsJSONWhateverWasSent() {
    var json: [UInt8] = []
    json.append(jsonString: "a\"\\\n\u{1}é😀")
    #expect(String(decoding: json, as: UTF8.self) == #""a\"\\\n\u0001é😀""#)
  }
}
