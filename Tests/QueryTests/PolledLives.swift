import Foundation
import Lifecycle
import Statistics
import Store

@testable import Query

/// What ends the chance to take up 2.0, or the looking at it.
enum PolledEnd: CaseIterable { case superseded, halted, asked }

/// 600 devices that only check, each in its own phase; they wait for 2.0 with a mean of 40 h, and as long for 3.0.
struct PolledLives {
  private static let start = Timestamp(rawValue: 1_709_539_200_000)
  private let fleet: Fleet
  private let now: Timestamp

  /// - Parameters:
  ///   - hours: until the end. They check for 60 h more.
  ///   - part: of the devices that run the old release again 7 h after the update.
  ///   - isCut: whether nothing was said after the end.
  init(
    every step: Double, seed: UInt64, _ end: PolledEnd, at hours: Double, fallingBack part: Double = 0,
    isCut: Bool = false
  ) throws {
    fleet = try Fleet()
    let span = Milliseconds(rawValue: Int64(hours * 3_600_000))
    now = Self.start + Milliseconds(rawValue: span.rawValue + (end == .asked ? 0 : 60 * 3_600_000))
    try fleet.publish(Self.publications(end, after: span))
    var dice = SystemlessDice(state: seed &* 0x9E37_79B9_7F4A_7C15)
    let lines = (0..<600).flatMap { device -> [String] in
      let life = PolledLife(&dice, until: end == .asked ? .infinity : hours, hasNext: end == .superseded, part)
      let checks = stride(from: dice.next() * step - 48, to: isCut ? hours : hours + 60, by: step)
      return checks.map { Self.check(device, at: $0, life.release(at: $0)) }
    }
    try fleet.load(lines.joined(separator: "\n"))
  }

  private static func publications(_ end: PolledEnd, after span: Milliseconds) -> [Publication] {
    let steps = [RolloutStep(at: start, percent: 100), RolloutStep(at: start + span, percent: 0)]
    let first = Publication(
      app: "com.example.demo", release: ReleaseLabel(rawValue: "2.0"), channel: "production", publishedAt: start,
      rollout: end == .halted ? steps : [])
    let next = Publication(
      app: "com.example.demo", release: ReleaseLabel(rawValue: "3.0"), channel: "production",
      publishedAt: start + span)
    return end == .superseded ? [first, next] : [first]
  }

  private static func check(_ device: Int, at hours: Double, _ release: String) -> String {
    let at = (start + Milliseconds(rawValue: Int64(hours * 3_600_000))).rfc3339
    return
      #"{"device":"d\#(device)","stage":"check","release":"\#(release)","platform":"ios","bucket":5,"at":"\#(at)"}"#
  }

  /// What had updated by an age, and what of a very large fleet would have.
  func share(by hours: Double) throws -> (share: Estimate, truth: Double) {
    var options = Adoption.Options()
    options.ages = [Milliseconds(rawValue: Int64(hours * 3_600_000))]
    let row = try Adoption.answer(try Snapshot(path: fleet.path), try fleet.chosen("2.0", now: now), options).data[0]
    return (row.figures.ages[0].share, 1 - exp(-hours / 40))
  }
}

/// When one device ran what, in hours since the publication.
private struct PolledLife {
  private let updated, next: Double
  private let end: Double
  private let isBack: Bool

  init(_ dice: inout SystemlessDice, until end: Double, hasNext: Bool, _ part: Double) {
    updated = -40 * log(1 - dice.next())
    next = hasNext ? end - 40 * log(1 - dice.next()) : .infinity
    isBack = dice.next() < part
    self.end = end
  }

  func release(at hours: Double) -> String {
    if hours >= next { return "3.0" }
    return hours >= updated && updated < end && !(isBack && hours > updated + 7) ? "2.0" : "1.0"
  }
}
