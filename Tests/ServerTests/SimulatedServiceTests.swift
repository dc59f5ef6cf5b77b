import Console
import Foundation
import HTTP
import Ingest
import Lifecycle
import SimulatedDisk
import Store
import Synchronization
import Testing

@testable import Server

/// The service on a disk that fails and loses its power, under a clock that jumps and a network that loses answers and repeats
/// requests: what it answered is there, and its answers are those of a service that nothing ever happened to.
@Suite struct SimulatedServiceTests {
  private static let seeds: Range<UInt64> =
    ProcessInfo.processInfo.environment["UPTAKE_SOAK"] == "1" ? 0..<2000 : 0..<40
  private static let atOnce: UInt64 = 10

  @Test(arguments: stride(from: 0, to: seeds.upperBound, by: Int(atOnce)).map { $0 })
  func answersAreThoseOfAnUntroubledService(_ first: UInt64) throws {
    for seed in first..<first + Self.atOnce { try SimulatedService(seed: seed).run(lives: 3) }
  }
}

private final class SimulatedService {
  private let seed: UInt64
  private var dice: Dice
  private let folder: TemporaryFolder
  private let disk: OpaquePointer
  private let clock = JumpingClock()
  private var served: ServedDatabase?
  /// Bodies that a client has still to send, or to send again.
  private var waiting: [String]
  private let bodies: [String]

  init(seed: UInt64) throws {
    simulated_disk_install()
    var dice = Dice(state: seed &* 131 &+ 7)
    let bodies = (0..<30).map { Self.body($0, &dice) }
    (self.seed, self.dice, self.bodies, waiting) = (seed, dice, bodies, bodies)
    folder = try TemporaryFolder()
    disk = simulated_disk_make(folder.path, seed)
  }

  deinit { simulated_disk_end(disk) }

  /// A few events of March 2025, none like another.
  private static func body(_ number: Int, _ dice: inout Dice) -> String {
    (0..<Int.random(in: 1...6, using: &dice)).map { index in
      let stage = ["check", "available", "downloadCompleted", "applied", "confirmed", "failed"].randomElement(
        using: &dice)
      let device = Int.random(in: 0..<9, using: &dice)
      let at = Timestamp(rawValue: 1_740_988_800_000 + Int64(number * 10 + index) * 3_600_000).rfc3339
      return #"{"device":"d\#(device)","app":"a","stage":"\#(stage ?? "check")","release":"2.0","at":"\#(at)"}"#
    }.joined(separator: "\n")
  }

  func run(lives: Int) throws {
    for _ in 0..<lives {
      try live()
      served = nil
      // Its threads end a little later than it answers.
      #expect(eventually { simulated_disk_open_files(disk) == 0 }, "seed \(seed)")
      simulated_disk_restart(disk)
    }
    let service = try opened()
    while let body = waiting.popLast() {
      #expect(service.ask("POST", "/v1/events", body).status == 200, "seed \(seed)")
    }
    let untroubled = try ServedDatabase(clock: { Instant(rawValue: 1_744_243_200_000) })
    for body in bodies { #expect(untroubled.ask("POST", "/v1/events", body).status == 200) }
    for question in ["releases", "funnel?release=2.0", "failures?release=2.0", "mechanisms?release=2.0", "channels"] {
      let target = "/v1/answers/\(question)" + (question.contains("?") ? "&" : "?") + "now=2025-04-10T00:00:00Z"
      #expect(
        Self.numbers(service.ask("GET", target)) == Self.numbers(untroubled.ask("GET", target)),
        "seed \(seed): \(question)")
    }
  }

  /// Without warnings: under another clock events came later.
  private static func numbers(_ answer: Response) -> Substring {
    let end = answer.text.range(of: #","warnings":"#)?.lowerBound
    return answer.status == 200 && end != nil
      ? answer.text[..<(end ?? answer.text.endIndex)] : "no answer: \(answer.text)"
  }

  /// The power goes at its end, if not before.
  private func live() throws {
    for _ in 0..<Int.random(in: 2...12, using: &dice) {
      let isPlanned = Int.random(in: 0..<4, using: &dice) == 0
      if isPlanned { plan() }
      do { try step(isTroubled: isPlanned) } catch { #expect(isPlanned, "seed \(seed): \(error)") }
      if simulated_disk_is_off(disk) != 0 { return }
      simulated_disk_plan(disk, simulated_nothing, 0)
    }
  }

  private func plan() {
    let fault = [simulated_power, simulated_error, simulated_full].randomElement(using: &dice) ?? simulated_power
    simulated_disk_plan(disk, fault, UInt64.random(in: 1...40, using: &dice))
  }

  private func step(isTroubled: Bool) throws {
    switch Int.random(in: 0..<12, using: &dice) {
    case 0...5: try send()
    case 6: try opened().service.log.foldAll()
    case 7: try opened().service.log.settle()
    case 8: try opened().service.log.checkpoint()
    case 9:
      let answer = try opened().ask("GET", "/v1/answers/releases")
      #expect(isTroubled || answer.status == 200 || answer.status == 404, "seed \(seed): \(answer.text)")
    case 10: jump()
    default:
      served = nil
      _ = try opened()
    }
  }

  /// An answer may be lost on its way, and a request may come twice, and late.
  private func send() throws {
    waiting.shuffle(using: &dice)
    guard let body = waiting.last else { return }
    let isAnswered = try opened().ask("POST", "/v1/events", body).status == 200
    let isLost = Int.random(in: 0..<5, using: &dice) == 0
    if isAnswered && !isLost { waiting.removeLast() }
    if isAnswered, Int.random(in: 0..<5, using: &dice) == 0 { _ = try opened().ask("POST", "/v1/events", body) }
  }

  /// By hours or by months; never back before the events.
  private func jump() {
    let hours = Int64.random(in: 0...(Bool.random(using: &dice) ? 48 : 5000), using: &dice)
    clock.set(Instant(rawValue: 1_744_243_200_000 + hours * 3_600_000))
  }

  private func opened() throws -> ServedDatabase {
    if let served { return served }
    let made = try ServedDatabase(in: folder, durability: .full, clock: { [clock] in clock.now })
    served = made
    return made
  }
}

private final class JumpingClock: Sendable {
  private let instant = Mutex(Instant(rawValue: 1_744_243_200_000))
  var now: Instant { instant.withLock { $0 } }
  func set(_ now: Instant) { instant.withLock { $0 = now } }
}

/// A small generator of numbers that is the same everywhere.
private struct Dice: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    let mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    return (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
  }
}
