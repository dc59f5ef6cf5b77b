internal import Console
internal import Ingest
internal import Lifecycle
internal import Store

/// Asks the command and hears what it says; starts it again where it ends, is silent for too long or talks nonsense.
struct AttestationDialogue {
  private struct Asked {
    var token: AttestationToken
    var since: ContinuousClock.Instant
  }

  private let keeper: AttestationKeeper
  private var hook: AttestationHook?
  private var asked: [Int: Asked] = [:]
  private var number = 0
  private var accepted: [AttestedDevice] = []
  /// Lines that answer nothing, since the last one that did.
  private var nonsense = 0
  private var nextStart = ContinuousClock.now
  private var pause = Self.shortestPause
  private var nextMark = ContinuousClock.now

  /// So many are asked before the first is answered.
  private static let atOnce = 64
  static let patience = Swift.Duration.seconds(10)
  private static let mostNonsense = 100
  private static let shortestPause = Swift.Duration.seconds(1)
  private static let longestPause = Swift.Duration.seconds(60)

  init(_ keeper: AttestationKeeper) { self.keeper = keeper }

  mutating func goOn() {
    if hook == nil, keeper.waiting > 0, .now >= nextStart { start() }
    if hook != nil { speak() }
    if hook == nil || asked.isEmpty && keeper.waiting == 0 { keeper.rest() }
    if accepted.count >= 500 || .now >= nextMark { mark() }
  }

  /// What was accepted is kept; nobody waits for the rest.
  mutating func finish() {
    mark()
    lose("the service stops")
  }

  private mutating func mark() {
    keeper.mark(accepted)
    accepted = []
    nextMark = .now + .seconds(1)
  }

  private mutating func start() {
    do {
      hook = try AttestationHook(keeper.command)
      keeper.starts.add()
      nonsense = 0
    } catch {
      lose("it does not start: error \(error.number)")
    }
  }

  /// Ends the command. Those that it was asked about stay as they are.
  private mutating func lose(_ why: String) {
    hook = nil
    keeper.outcomes.add(asked.count, "unanswered")
    asked = [:]
    nextStart = .now + pause
    pause = min(pause * 2, Self.longestPause)
    guard keeper.mayGoOn else { return }
    keeper.journal.writeSparingly(
      .error, "attestation_command_ended",
      ["reason": .string(why), "hint": "devices whose tokens it did not answer are not attested; events are stored"])
  }

  private mutating func speak() {
    guard let hook else { return }
    if hook.takesMore {
      for token in keeper.next(Self.atOnce - asked.count) {
        number += 1
        asked[number] = Asked(token: token, since: .now)
        hook.send(token.line(number))
      }
    }
    guard let lines = hook.lines(within: asked.isEmpty ? 0 : 20) else { return lose("it ended, or wrote no lines") }
    for line in lines { hear(line) }
    if nonsense > Self.mostNonsense { return lose("it writes what answers nothing") }
    if asked.values.contains(where: { .now - $0.since > Self.patience }) { lose("no answer within 10 s") }
  }

  /// `{"id":7,"trusted":true}`, in any order.
  private mutating func hear(_ line: [UInt8]) {
    guard let answer = JSON(parsing: line), case .integer(let id)? = answer["id"],
      case .bool(let isTrusted)? = answer["trusted"], let one = asked.removeValue(forKey: id)
    else {
      nonsense += 1
      return keeper.outcomes.add(1, "unreadable")
    }
    (nonsense, pause) = (0, Self.shortestPause)
    keeper.outcomes.add(1, isTrusted ? "accepted" : "refused")
    if isTrusted { accepted.append(one.token.device) }
  }
}
