import Foundation
import Lifecycle
import Testing

@testable import Ingest

@Suite struct ImportTests {
  /// Every chunk of a file with these bytes.
  static func read(
    _ bytes: [UInt8], _ format: ImportOptions.Format? = nil, resume: Place? = nil, ahead: Bool = false
  ) throws -> [DecodedChunk] {
    let path = NSTemporaryDirectory() + "uptake-import-\(UUID().uuidString)"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { unlink(path) }
    let options = ImportOptions(format: format, app: "com.example.demo", now: noon)
    let reader = try ChunkReader(path: path, keys: keys, options: options, resume: resume)
    var chunks: [DecodedChunk] = []
    if ahead {
      let ahead = ReadAhead(reader)
      while let chunk = try ahead.next() { chunks.append(chunk) }
    } else {
      while let chunk = try reader.next() { chunks.append(chunk) }
    }
    return chunks
  }
  static func read(_ text: String, _ format: ImportOptions.Format? = nil) throws -> [DecodedChunk] {
    try read(Array(text.utf8), format)
  }

  static let lines = """
    {"device":"d1","stage":"ready","release":"2.0.0","at":"2024-03-04T08:00:00Z","reason":"a, \\"b\\"\\nc","emulator":true}
    {"device":"d2","stage":"check","at":1709539200000,"durationMs":12,"channel":"béta"}
    {"device":"d3","stage":"push_sent","id":"p","at":"2024-03-04T08:00:00Z","apns":"accepted"}

    """
  static let rows = """
    device,stage,release,ts,reason,emulator,duration_ms,channel,id,apns,mood\r
    d1,ready,2.0.0,2024-03-04T08:00:00Z,"a, ""b""
    c",true,,,,,\r

    d2,check,,1709539200000,,,12,béta,,,happy
    "d3","push_sent",,"2024-03-04T08:00:00Z",,,,,p,accepted,
    """

  @Test func csvIsNDJSON() throws {
    let (left, right) = (try #require(try Self.read(Self.lines).first), try #require(try Self.read(Self.rows).first))
    #expect(left.decoded.rejections == [] && right.decoded.rejections == [])
    #expect(left.decoded.batch.events.count == 3)
    #expect(left.decoded.batch.events == right.decoded.batch.events)
    #expect(left.decoded.batch.names == right.decoded.batch.names)
    #expect(left.decoded.batch.contexts == right.decoded.batch.contexts)
    #expect(right.decoded.ignoredFields == 1 && left.decoded.ignoredFields == 0)
  }

  @Test func gzipIsKnownByItsFirstBytes() throws {
    let plain = Array(Self.lines.utf8)
    for body in [compressed(plain), compressed(Array(plain[..<100])) + compressed(Array(plain[100...]))] {
      let chunk = try #require(try Self.read(body).first)
      #expect(chunk.decoded.batch.events.count == 3 && chunk.end.offset == plain.count)
    }
  }

  @Test func aTruncatedFileIsTold() throws {
    let whole = compressed(Array(Self.lines.utf8))
    #expect(throws: ImportProblem.self) { try Self.read(Array(whole.dropLast(9))) }
  }

  @Test func placesAreThoseOfTheFile() throws {
    let bad = #"{"device":"d9","stage":"nowhere"}"#
    let chunk = try #require(try Self.read(event() + "\n\n" + bad + "\r\n" + event()).first)
    let rejection = try #require(chunk.decoded.rejections.first)
    #expect(rejection.line == 3 && rejection.index == 1)
    #expect(chunk.source(of: rejection) == Array(bad.utf8))
    let csv = try #require(try Self.read("device,stage\nd1,check\n\"d\n2\",nowhere\nd3,check,x\nd4,check").first)
    #expect(csv.decoded.rejections.map(\.line) == [3, 5])
    #expect(csv.decoded.rejections.map(\.code) == [.unknownStage, .invalidCSV])
    #expect(
      csv.decoded.rejections.map { String(decoding: csv.source(of: $0), as: UTF8.self) } == [
        "\"d\n2\",nowhere", "d3,check,x",
      ])
    #expect(csv.decoded.batch.events.count == 2)
  }

  @Test(
    arguments: [
      ("device,stage,bucket\nd,check,12", nil), ("device,stage,bucket\nd,check,x", RejectionCode.wrongType),
      ("device,stage,emulator\nd,check,maybe", .wrongType), ("device,stage,at\nd,check,12", .badTime),
      ("device,stage,at\nd,check,\"2024-03-04T08:00:00Z", .truncatedJSON), ("device,stage\n,check", .missingField),
    ] as [(String, RejectionCode?)])
  func csvValues(_ text: String, _ code: RejectionCode?) throws {
    let chunk = try #require(try Self.read(text, .csv).first)
    #expect(chunk.decoded.rejections.map(\.code) == [code].compactMap { $0 })
  }

  @Test func csvNeedsAHeader() {
    #expect(throws: ImportProblem.self) { try Self.read("d1,check\nd2,check", .csv) }
    #expect(throws: ImportProblem.self) { try Self.read("device,when\nd2,check", .csv) }
  }

  /// What merely begins like a database is read as ever.
  @Test(arguments: [
    ("SQLite format 3\0rest", true), ("SQLite format 3", false), ("S", false), ("SQLite format 2\0....", false),
  ])
  func aDatabaseIsTold(_ text: String, _ isTold: Bool) throws {
    let chunks = try? Self.read(text)
    #expect((chunks == nil) == isTold)
    #expect(chunks.map { $0.flatMap(\.decoded.rejections).count == 1 } ?? true)
  }

  /// Several chunks: positions join up, lines and indexes go on, and every chunk's end is a place to resume from.
  @Test(arguments: [ImportOptions.Format.ndjson, .csv], [false, true])
  func chunksJoinUp(_ format: ImportOptions.Format, _ gzip: Bool) throws {
    let count = 60_000
    let text =
      format == .csv
      ? "device,stage,id\n"
        + (0..<count).map {
          "\"d\n\($0)\",\($0 % 1000 == 7 ? "nowhere" : "check"),\(String(repeating: "i", count: 30))\($0)\n"
        }.joined()
      : (0..<count).map {
        #"{"device":"d\#($0)","stage":"\#($0 % 1000 == 7 ? "nowhere" : "check")","id":"\#($0)"}"# + "\n"
      }.joined()
    let bytes = gzip ? compressed(Array(text.utf8)) : Array(text.utf8)
    let chunks = try Self.read(bytes)
    #expect(chunks.count > 1 && chunks.reduce(0) { $0 + $1.decoded.batch.events.count } == count - count / 1000)
    #expect(zip(chunks, chunks.dropFirst()).allSatisfy { $0.end == $1.start })
    #expect(chunks.last?.end.offset == text.utf8.count && chunks.last?.end.index == count)
    let rejections = chunks.flatMap(\.decoded.rejections)
    #expect(rejections.map(\.index) == (0..<count).filter { $0 % 1000 == 7 })
    #expect(rejections.map(\.line) == rejections.map { format == .csv ? $0.index * 2 + 2 : $0.index + 1 })
    let rest = try Self.read(bytes, resume: chunks[0].end)
    #expect(rest.map(\.end) == chunks.dropFirst().map(\.end))
    #expect(rest.map(\.decoded.batch.events) == chunks.dropFirst().map(\.decoded.batch.events))
    #expect(try Self.read(bytes, ahead: true).map(\.end) == chunks.map(\.end))
  }

  @Test func aLineWithoutEndIsPassedOver() throws {
    let long = String(repeating: "x", count: 5_000_000)
    let chunks = try Self.read("\(event())\n\(long)\n\(event())\n")
    #expect(chunks.flatMap(\.decoded.batch.events).count == 2)
    #expect(chunks.flatMap(\.decoded.rejections).map(\.code) == [.tooLarge])
    #expect(chunks.flatMap(\.decoded.rejections).map(\.line) == [2])
    #expect(chunks.last?.end.lines == 3)
  }

  @Test func whatIsNotThere() {
    let options = ImportOptions(now: noon)
    #expect(throws: ImportProblem.cannotOpen(path: "/nowhere", reason: "No such file or directory")) {
      try ChunkReader(path: "/nowhere", keys: keys, options: options)
    }
    #expect(throws: ImportProblem.self) { try Self.read(Array("{}".utf8), resume: Place(offset: 99)) }
  }

  @Test func nothing() throws { #expect(try Self.read("").isEmpty) }
}
