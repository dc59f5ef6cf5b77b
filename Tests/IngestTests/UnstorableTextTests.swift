import Foundation
import Lifecycle
import Store
import Testing

@testable import Ingest

/// U+0000 ends a string for SQLite: whoever sends one is told which field, and nobody else's events suffer.
@Suite struct UnstorableTextTests {
  static let fields = [
    "device", "stage", "app", "trigger", "at", "release", "channel", "id", "from", "platform", "osVersion",
    "appVersion",
    "sdkVersion", "network", "outcome", "reason", "appState", "push", "arm", "received",
  ]
  private let message = "has the character U+0000, which no text may have; send it without"

  private func poisoned(_ field: String, _ value: String) -> String {
    let rest = ["device": "d", "stage": "ready", "release": "2.0.0"].filter { $0.key != field }.sorted {
      $0.key < $1.key
    }
    return "{\"\(field)\":\"\(value)\"," + rest.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",") + "}"
  }

  @Test(arguments: fields, ["\\u0000", "2.0\\u0000.1", "x\\u0000"])
  func isRefusedByItsField(_ field: String, _ value: String) {
    let bad = poisoned(field, value)
    for (body, format) in [("[\(event()),\(bad),\(event())]", BodyFormat.json), ("\(event())\n\(bad)\n", .ndjson)] {
      let bytes = Array(body.utf8)
      let decoded = NativeDecoder(keys: keys).decode(bytes.span.bytes, as: format, Self.file)
      #expect(decoded.batch.events.count == (format == .json ? 2 : 1))
      #expect(decoded.rejections.map(\.field) == [field] && decoded.rejections.map(\.index) == [1])
      #expect(decoded.rejections.map(\.code) == [.nulCharacter])
      #expect(decoded.rejections.map(\.message) == ["\"\(field)\" \(message)"])
    }
  }

  /// Bytes that are no text are refused in the last field of a single event, too, and not stored as something else.
  @Test(arguments: [(UInt8(0), RejectionCode.invalidJSON), (0xFF, .invalidUTF8)])
  func bytesThatAreNoTextAreRefused(_ byte: UInt8, _ code: RejectionCode) {
    let bad = Array(#"{"device":"d","stage":"ready","release":"2.0"#.utf8) + [byte] + Array(#""}"#.utf8)
    for body in [
      bad, Array("[".utf8) + bad + Array("]".utf8), Array(#"{"sentAt":1,"events":["#.utf8) + bad + Array("]}".utf8),
    ] {
      let decoded = NativeDecoder(keys: keys).decode(body.span.bytes, as: .json, Self.file)
      #expect(decoded.batch.events.isEmpty && decoded.rejections.map(\.code) == [code], "\(decoded.rejections)")
    }
  }

  /// A file, so that `received` is looked at, too.
  private static let file = Reception.file(app: "com.example.demo", now: noon)

  @Test func isWrittenInTheAnswer() {
    let decoded = decode(poisoned("release", "a\\u0000"))
    let answer = decoded.answer(Admitted(accepted: 0, duplicate: 0))
    let body = String(decoding: answer.body, as: UTF8.self)
    #expect(answer.status == 400)
    #expect(body.contains(#"{"index":0,"field":"release","code":"nul_character","message":"\"release\" has the char"#))
  }

  /// What nobody reads, nobody refuses; and other control characters are characters.
  @Test func nothingElseIs() {
    #expect(decode(event(#""note":"\u0000","more":{"a":"\u0000"}"#)).batch.events.count == 1)
    #expect(decode(event(#""reason":"\u0001\u001f\u007f\u0080\u2028""#)).batch.events.count == 1)
    #expect(decode(#"{"device":"d","stage":"ready","release":"2\\u0000"}"#).batch.names.last == #"2\u0000"#)
  }

  @Test(arguments: ["device", "release", "channel", "reason", "id"]) func ofAFileOfValues(_ field: String) throws {
    let columns = ["device", "stage", "release", "channel", "reason", "id"]
    let row = columns.map { $0 == "stage" ? "ready" : $0 == field ? "a\0b" : "c" }
    let quoted = row.map { "\"\($0)\"" }
    let good = columns.map { $0 == "stage" ? "ready" : "c" }
    let text = [columns, row, good, quoted].map { $0.joined(separator: ",") }.joined(separator: "\n")
    let decoded = try #require(try ImportTests.read(text, .csv).first).decoded
    #expect(decoded.batch.events.count == 1 && decoded.rejections.map(\.field) == [field, field])
    #expect(Set(decoded.rejections.map(\.code)) == [.nulCharacter])
  }

  @Test func ofDrafts() {
    let paths: [(String, WritableKeyPath<Draft, String?>)] = [
      ("app", \.app), ("channel", \.channel), ("release", \.release), ("from", \.from), ("id", \.id),
      ("platform", \.platform), ("osVersion", \.osVersion), ("appVersion", \.appVersion), ("sdkVersion", \.sdkVersion),
      ("network", \.network), ("arm", \.arm), ("reason", \.reason), ("push", \.push),
    ]
    var good = Draft(.ready, device: "d", release: "2.0")
    good.app = "a"
    let drafts = paths.map { path in
      var draft = good
      draft[keyPath: path.1] = "a\0b"
      return draft
    }
    let decoded = NativeDecoder(keys: keys).decode([good] + drafts + [good], .request(app: nil, received: noon))
    #expect(decoded.rejections.map(\.field) == paths.map(\.0) && decoded.batch.events.count == 2)
    #expect(Set(decoded.rejections.map(\.code)) == [.nulCharacter])
  }

  /// Every text of every protocol in turn: its events are refused by name or never had it, and none holds a NUL.
  @Test(arguments: HostileDialectTests.seeds.filter { !$0.target.contains("envelope") })
  func ofEveryDialect(_ seed: HostileDialectTests.Seed) throws {
    let body = String(decoding: seed.body, as: UTF8.self)
    var refused = 0
    for quote in body.indices where body[quote] == "\"" {
      for poison in body.hasPrefix("<") ? ["\0", "&#0;"] : ["\\u0000"] {
        let spoiled = body[...quote] + poison + body[body.index(after: quote)...]
        refused += try refusals(seed.target, String(spoiled), seed.headers)
      }
    }
    #expect(refused > 0)
  }

  /// An envelope says how long its items are.
  @Test func ofAnEnvelope() throws {
    let crumb = #"{"type":"silentPush","data":{"event":"ready","releaseHash":"h\u0000"}}"#
    let envelope = SentryTests.wrapped(SentryTests.event(crumb))
    #expect(try refusals(SentryTests.envelope, envelope, [:]) == 1)
  }

  private func refusals(_ target: String, _ body: String, _ headers: [String: String]) throws -> Int {
    let asked = try #require(ask("POST", target, body, headers: headers))
    for text in asked.decoded.batch.names + asked.decoded.batch.contexts.flatMap(\.texts) { #expect(text.isStorable) }
    return asked.decoded.rejections.count { $0.code == .nulCharacter && $0.field != nil }
  }

  @Test func oneRuleHoldsForBytesAndForStrings() {
    for scalar in (0..<0x100).compactMap(Unicode.Scalar.init) {
      var draft = Draft(.ready, device: "d", release: "2" + String(scalar))
      draft.app = "a"
      let decoded = NativeDecoder(keys: keys).decode([draft], .request(app: nil, received: noon))
      #expect(decoded.batch.events.isEmpty == !("2" + String(scalar)).isStorable)
    }
  }

  /// What SQLite is given, it gives back, with whatever is in it.
  @Test func theStoreAgreesWithItself() throws {
    let path = NSTemporaryDirectory() + "uptake-\(UUID().uuidString).db"
    let log = try EventLog(path: path)
    for (number, label) in ["2.0\0a", "2.0\0b", "2.0", "2.0\0a"].enumerated() {
      var batch = EventBatch(received: noon)
      batch.contexts = [Context(app: "a\0" + label, channel: label)]
      batch.names.append(label)
      batch.events = [
        Event(
          at: noon, device: DeviceHash(rawValue: 1), identity: UInt64(number + 1) << 40, context: 0, stage: .ready,
          trigger: .unknown, release: NameIndex(rawValue: 1))
      ]
      #expect(try log.append([batch]) == [Admitted(accepted: 1, duplicate: 0)], "\(number)")
    }
    let labels = try Snapshot(path: path).vocabulary.releases.map(\.label.rawValue)
    #expect(labels.sorted() == ["2.0", "2.0\0a", "2.0\0b"])
  }
}

extension Context {
  fileprivate var texts: [String] {
    [app, channel] + [platform, osVersion, appVersion, sdkVersion, network, arm].compactMap { $0 }
  }
}
