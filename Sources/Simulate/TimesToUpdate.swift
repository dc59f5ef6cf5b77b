import Lifecycle

/// The ages, in hours, at which the truth is read off.
let horizons: [Int32] = [6, 24, 72, 168]

/// Own-clock times of eligible devices, by whole minutes: when they updated and by which mechanism, when they left and why.
struct TimesToUpdate {
  private(set) var eligible = 0
  /// By trigger code.
  private(set) var updated: [UInt8: [Int32: Int]] = [:]
  private(set) var left: [Leaving: [Int32: Int]] = [:]
  private(set) var readings = horizons.map { _ in Reading() }

  /// What can be counted at one age.
  struct Reading {
    /// Devices whose eligibility lies at least this long before the cutoff and the next publication.
    var mature = 0
    /// Of the mature, those that had neither left the channel nor been uninstalled or abandoned by this age.
    var alive = 0
    var updated = 0
    var updatedAlive = 0
    var byMechanism: [UInt8: Int] = [:]
  }

  mutating func enter(_ view: SpellView, exactly: Bool, eligible start: Int32) {
    eligible += 1
    let update = view.update(exactly: exactly, from: start)
    let leaving = view.leaving(exactly: exactly)
    if let update {
      updated[update.mechanism, default: [:]][(update.at - start) / 60, default: 0] += 1
    } else {
      left[leaving.why, default: [:]][(leaving.at - start) / 60, default: 0] += 1
    }
    let cutOff = exactly ? min(view.until, view.superseded) : view.until
    for (index, hours) in horizons.enumerated() where start <= cutOff - hours * 3600 {
      let age = start + hours * 3600
      readings[index].enter(update.flatMap { $0.at <= age ? $0.mechanism : nil }, isAlive: view.spell.end > age)
    }
  }
}

extension TimesToUpdate.Reading {
  fileprivate mutating func enter(_ mechanism: UInt8?, isAlive: Bool) {
    mature += 1
    if isAlive { alive += 1 }
    guard let mechanism else { return }
    updated += 1
    if isAlive { updatedAlive += 1 }
    byMechanism[mechanism, default: 0] += 1
  }
}

/// Devices that were there at the publication, whatever became of them later.
struct Cohort {
  private(set) var devices = 0
  /// By horizon; nil when the age lies beyond the cutoff.
  private(set) var updated: [Int?] = horizons.map { _ in nil }

  mutating func enter(_ update: Int32?, _ view: SpellView) {
    devices += 1
    for (index, hours) in horizons.enumerated() where view.published + hours * 3600 <= view.until {
      let isUpdated = update.map { $0 <= view.published + hours * 3600 } ?? false
      updated[index] = (updated[index] ?? 0) + (isUpdated ? 1 : 0)
    }
  }
}

/// First attempts: a failure within an hour of the first download's start, a rollback or a crash within 24 hours of the
/// first apply.
struct Attempts {
  private(set) var started = 0
  private(set) var failed = 0
  /// By the reason that the client named, or the stage that ended the attempt.
  private(set) var failures: [String: Int] = [:]
  private(set) var applied = 0
  private(set) var rolledBack = 0

  mutating func enter(_ view: SpellView) {
    if let start = view.first(.started), start.seconds + 3600 <= view.until {
      started += 1
      if let why = failure(view, since: start.seconds) {
        failed += 1
        failures[why, default: 0] += 1
      }
    }
    if let apply = view.first(.applied), apply.seconds + 86_400 <= view.until {
      applied += 1
      if let back = view.first(.rolledBack), back.seconds <= apply.seconds + 86_400 { rolledBack += 1 }
    }
  }

  /// What ended the attempt first without success; nil where nothing did.
  private func failure(_ view: SpellView, since start: Int32) -> String? {
    let applied = view.first(.applied)?.seconds
    let ends = [Milestone.Kind.failed, .rolledBack, .crashed].compactMap { kind -> (at: Int32, why: String)? in
      guard let end = view.first(kind), end.seconds <= view.until else { return nil }
      if kind == .failed {
        return end.seconds <= start + 3600 ? (end.seconds, (Reason(rawValue: end.detail) ?? .none).name) : nil
      }
      guard let applied, end.seconds <= applied + 86_400 else { return nil }
      return (end.seconds, kind == .crashed ? Stage.crashed.rawValue : Stage.rolledBack.rawValue)
    }
    return ends.min { $0.at < $1.at }?.why
  }
}
