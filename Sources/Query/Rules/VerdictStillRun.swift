internal import Console
import Lifecycle
import Statistics
import Store

/// What reachable devices run where a verdict looks.
struct RunningReleases {
  /// By label.
  private let devices: [String: Int]
  let at: Timestamp
  /// Devices that were not heard of since are left out.
  let heardSince: Timestamp

  init(_ sum: ReachSum, _ standings: ReachCounting) {
    let timeline = standings.chosen.timeline
    let byRelease = sum.groups.values.reduce(into: ReachCounts()) { $0.add($1.now[0], times: 1) }.byRelease
    let named = byRelease.compactMap { id, devices in timeline.label(id).map { ($0.rawValue, devices) } }
    devices = Dictionary(named) { $0 + $1 }
    (at, heardSince) = (standings.cutOff, standings.cutOff - standings.windows[0])
  }

  func of(_ release: String) -> Int { devices[release] ?? 0 }
}

extension VerdictEvidence {
  /// Of the release itself, also where no device runs it any more.
  func stillRun(_ first: Verdict.Reason) -> Verdict.StillRun? {
    guard let onDevices, let (fault, time) = ownFault(first) else { return nil }
    let devices = onDevices.of(release)
    guard devices > 0 || launches.launched > 0 else { return nil }
    return told(release, fault, time, devices, launches.launched, in: onDevices, "it", fault.words(time))
  }

  private func ownFault(_ first: Verdict.Reason) -> (Verdict.StillRun.Fault, Timestamp?)? {
    if isHalted { return (.halted, haltedAt) }
    if first.decision == .stop { return (.harmful, nil) }
    return isReplaced && !isRest ? (.replaced, supersededAt) : nil
  }

  /// Others, those first that most devices run. A hundredth of those that launched it are stragglers, and fewer than five may be
  /// developers.
  var othersStillRun: [Verdict.StillRun] {
    guard let onDevices else { return [] }
    let small = SmallGroups(minCell: minCell)
    return gone.compactMap { release, launches -> Verdict.StillRun? in
      let devices = onDevices.of(release.record.label.rawValue)
      guard devices >= SpokenTimes.fewest, devices * 100 >= launches.launched, small.tells(devices),
        release.fault != .harmful || isHarmful(launches)
      else { return nil }
      let since = release.fault == .harmful ? nil : release.since
      let label = release.record.label.rawValue
      return told(
        label, release.fault, since, devices, launches.launched, in: onDevices, "\(named(label)) on \(named(channel))",
        release.fault.words(since) + harmWords(launches))
    }.sorted { ($1.running ?? 0, $0.release) < ($0.running ?? 0, $1.release) }
  }

  private func isHarmful(_ launches: LaunchCounts) -> Bool { !harmWords(launches).isEmpty }

  /// What it does more often than the limit allows, for certain.
  private func harmWords(_ launches: LaunchCounts) -> String {
    let (crashed, returned) = (launches.crashes.events, launches.rollbacks.events)
    return [(crashed, "crashed"), (returned, "\(returned == 1 ? "was" : "were") rolled back")].filter { events, _ in
      let rate = Proportion(Int64(events), of: Int64(launches.launched)).wilson(level: level)
      return rate.lo.map { $0 > options.harmLimit } ?? false
    }.map { "; \(counted($0, "device")) \($1)" }.joined()
  }

  private func told(
    _ release: String, _ fault: Verdict.StillRun.Fault, _ time: Timestamp?, _ devices: Int, _ launched: Int,
    in running: RunningReleases, _ name: String, _ why: String
  ) -> Verdict.StillRun {
    let shown = SmallGroups(minCell: minCell).told(devices)
    let few = "fewer than \(minCell)"
    // Who has it from a store runs it, and launched it at no time that is known.
    let isOfLaunched = devices <= launched
    let who =
      isOfLaunched
      ? "\(shown.map { $0 == 0 ? "none" : grouped($0) } ?? few) of \(counted(launched, "device")) that launched \(name)"
      : shown.map { counted($0, "device") } ?? "\(few) devices"
    let days = (running.at - running.heardSince).rawValue / 86_400_000
    let object = isOfLaunched ? "it" : name
    let does = devices == 0 ? "runs \(object) any more" : shown == 1 ? "still runs \(object)" : "still run \(object)"
    return Verdict.StillRun(
      release: release, fault: fault, since: time, running: shown, launched: launched, at: running.at,
      heardSince: running.heardSince,
      sentence:
        "\(who) \(does) as of \(running.at.words), of those heard of in the \(days) days before\(why)")
  }
}

extension Verdict.StillRun.Fault {
  fileprivate func words(_ time: Timestamp?) -> String {
    let when = time.map { " at \($0.words)" } ?? ""
    return switch self {
    case .halted: "; it was halted\(when)"
    case .withdrawn: "; its publication was withdrawn\(when)"
    case .harmful, .replaced: ""
    }
  }
}
