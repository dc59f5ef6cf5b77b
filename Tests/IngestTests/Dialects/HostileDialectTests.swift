import Lifecycle
import Testing

@testable import Ingest

/// Whatever a stranger sends, every dialect answers: nothing traps, and no answer is of another protocol.
@Suite struct HostileDialectTests {
  struct Seed: Sendable, CustomTestStringConvertible {
    var target: String
    var body: [UInt8]
    var headers: [String: String] = [:]
    var testDescription: String { target }
  }

  static let seeds: [Seed] = {
    let reports = [
      ForeignReportTests.capgo, ForeignReportTests.hotUpdater, ForeignReportTests.shorebird,
      ForeignReportTests.reactNativeUpdate, ForeignReportTests.omaha,
    ].map { Seed(target: $0[1].target, body: Array($0[1].body.utf8)) }
    let crumb = #"{"type":"silentPush","timestamp":1709542800.25,"data":{"event":"ready","releaseHash":"h\u00e92"}}"#
    let sentry = SentryTests.wrapped(SentryTests.event(crumb), headers: #"{"dsn":"https://k@h/1","sent_at":"x"}"#)
    let json = ["content-type": "application/json"]
    return reports + [
      Seed(target: SentryTests.envelope, body: Array(sentry.utf8)),
      Seed(target: "/api/42/store/", body: Array(SentryTests.event(crumb).utf8)),
      Seed(target: "/v1/logs", body: Array(OTLPTests.request(OTLPTests.rows[0].record).utf8), headers: json),
      Seed(target: CodePushTests.deploy, body: Array(CodePushTests.reports[2].body.utf8)),
      Seed(target: "/v1/push-results", body: Array(PushResultTests.rows[3].body.utf8)),
    ]
  }()

  @Test(arguments: seeds) func aBodyCutShortAnywhereIsAnswered(_ seed: Seed) {
    for length in 0...seed.body.count { answers(seed, Array(seed.body[..<length])) }
  }

  @Test(arguments: seeds) func aBodyWithBytesChangedIsAnswered(_ seed: Seed) {
    var dice = Dice(state: 8)
    for _ in 0..<1500 {
      var body = seed.body
      for _ in 0...Int.random(in: 0..<4, using: &dice) {
        let place = Int.random(in: 0..<body.count, using: &dice)
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: body[place] = UInt8.random(in: 0...255, using: &dice)
        case 1: body[place] = Array("{}[]\",:<>=&0123456789-.eE\\u\n".utf8).randomElement(using: &dice) ?? 0
        case 2: body.remove(at: place)
        default: body.insert(contentsOf: body[place..<min(place + 9, body.count)], at: place)
        }
        if body.isEmpty { body = [0] }
      }
      answers(seed, body)
    }
  }

  @Test(arguments: seeds) func theBytesOfNoProtocolAreAnswered(_ seed: Seed) {
    var dice = Dice(state: 9)
    for _ in 0..<300 {
      answers(seed, (0..<Int.random(in: 0..<200, using: &dice)).map { _ in UInt8.random(in: 0...255, using: &dice) })
    }
    answers(seed, Array(repeating: UInt8(ascii: "["), count: 100_000))
    answers(seed, Array(repeating: UInt8(ascii: "{"), count: 100_000))
    answers(seed, Array(String(repeating: "<a>", count: 50_000).utf8))
  }

  @Test func protobufOfAnySortIsAnswered() {
    var dice = Dice(state: 10)
    let headers = ["content-type": "application/x-protobuf"]
    for _ in 0..<5000 {
      let body = (0..<Int.random(in: 0..<60, using: &dice)).map { _ in
        Bool.random(using: &dice)
          ? UInt8.random(in: 0...255, using: &dice) : [0x0A, 0x12, 0x02, 0x08][Int.random(in: 0..<4, using: &dice)]
      }
      answers(Seed(target: "/v1/logs", body: [], headers: headers), body)
    }
  }

  private func answers(_ seed: Seed, _ body: [UInt8]) {
    guard let asked = ask("POST", seed.target, body, headers: seed.headers) else {
      Issue.record("no route for \(seed.target)")
      return
    }
    let isExpected = (200..<300).contains(asked.reply.status) || [400, 413].contains(asked.reply.status)
    #expect(isExpected, "\(asked.reply.status) for \(body)")
  }
}

/// A fixed sequence, so that what failed fails again.
private struct Dice: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
