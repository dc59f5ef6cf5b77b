import Ingest
import Lifecycle
import Testing

/// A native event and a dialect's draft that say the same are judged alike, whatever is wrong with them.
@Suite struct ClaimTests {
  struct Fault: Sendable {
    var member: String
    var json: String
    var spoil: @Sendable (inout Draft) -> Void
  }

  private static func text(_ member: String, _ path: any WritableKeyPath<Draft, String?> & Sendable, _ text: String)
    -> Fault
  {
    Fault(member: member, json: "\"\(text)\"") { $0[keyPath: path] = text }
  }

  private static let long = String(repeating: "x", count: 129)

  static let faults: [Fault] = [
    text("app", \.app, "another"), Fault(member: "device", json: #""""#) { $0.device = "" },
    text("release", \.release, ""), text("from", \.from, long), text("id", \.id, long), text("push", \.push, long),
    text("channel", \.channel, long), Fault(member: "at", json: "5") { $0.at = Timestamp(rawValue: 5) },
    Fault(member: "durationMs", json: "-1") { $0.durationMs = -1 },
    Fault(member: "bytes", json: "-1") { $0.bytes = -1 },
    Fault(member: "bucket", json: "100") { $0.bucket = 100 },
  ]

  @Test func twoFaultsAreToldOfInOneOrder() {
    for (place, first) in Self.faults.enumerated() {
      for second in Self.faults[place...] {
        let native = Self.native([first, second]).rejections
        #expect(native.map(\.field) == [first.member])
        let drafted = Self.drafted([first, second]).rejections
        #expect(native.map(\.message) == drafted.map(\.message) && native.map(\.code) == drafted.map(\.code))
      }
    }
  }

  @Test func whatIsWholeIsOneEvent() {
    let (native, drafted) = (Self.native([]).batch, Self.drafted([]).batch)
    #expect(native.events.count == 1)
    #expect(native.events == drafted.events && native.contexts == drafted.contexts && native.names == drafted.names)
  }

  /// A client of another system is not refused for it: its protocol has no place to say so.
  @Test(arguments: [
    (Stage.pushSent, Outcome.failed, Outcome?.some(.rejected)), (.pushSent, .newData, nil),
    (.wakeFinished, .rejected, nil), (.wakeFinished, .expired, .expired),
  ])
  func anOutcomeThatTheStageCannotHaveIsNone(_ stage: Stage, _ said: Outcome, _ read: Outcome?) {
    var draft = Draft(stage, device: "d", release: "2.0")
    draft.outcome = said
    let events = NativeDecoder(keys: keys).decode([draft], .request(app: "a", received: noon)).batch.events
    #expect(events.map(\.outcome) == [read])
  }

  private static func native(_ faults: [Fault]) -> Decoded {
    var members = ["device": #""d""#, "stage": #""ready""#, "release": #""2.0""#, "trigger": #""bgRefresh""#]
    for fault in faults { members[fault.member] = fault.json }
    return decode("{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}", app: "a")
  }

  private static func drafted(_ faults: [Fault]) -> Decoded {
    var draft = Draft(.ready, device: "d", release: "2.0")
    draft.trigger = .bgRefresh
    for fault in faults { fault.spoil(&draft) }
    return NativeDecoder(keys: keys).decode([draft], .request(app: "a", received: noon))
  }
}
