internal import Console
import Lifecycle
import Statistics
import Store

/// What reachable devices run where a verdict looks.
struct RunningReleases {
  /// By label.
  private let devices: [String: Int]
  /// Heard of since `heardSince`, whatever they run.
  let reachable: Int
  /// Now, as launches are counted, or the newest contact of all devices where that is long ago: what happened since nobody knows.
  let at: Timestamp
  /// Devices that were not heard of since are left out.
  let heardSince: Timestamp
  /// Of those that run the release that is judged; nil where its halt is no day old, or there is none.
  let heardSinceHalt: Int?
  private let now: Timestamp

  private static let longestSilence = Milliseconds.hours(1)

  init(_ sum: ReachSum, _ standings: ReachCounting) {
    let timeline = standings.chosen.timeline
    let counts = sum.groups.values.reduce(into: ReachCounts()) { $0.add($1.now[0], times: 1) }
    let named = counts.byRelease.compactMap { id, devices in timeline.label(id).map { ($0.rawValue, devices) } }
    devices = Dictionary(named) { $0 + $1 }
    reachable = counts.reachable
    heardSinceHalt =
      standings.windows.count > 1 ? sum.groups.values.reduce(0) { $0 + $1.now[1].exactly } : nil
    (now, heardSince) = (standings.cutOff, standings.cutOff - standings.windows[0])
    let silent = sum.newest.flatMap { [now] in now - $0 > Self.longestSilence ? $0 : nil }
    at = silent ?? now
  }

  func of(_ release: String) -> Int { devices[release] ?? 0 }

  /// Of which devices that is known, and as of when.
  var words: String {
    at < now
      ? "as of \(at.words), when a device was heard of last, of those heard of since \(heardSince.words)"
      : "as of \(at.words), of those heard of in the \(days) days before"
  }

  /// Where nobody is reachable.
  var silence: String { "none was heard of in the \(days) days before \(now.words)" }

  private var days: Int64 { (now - heardSince).rawValue / 86_400_000 }
}

extension VerdictEvidence {
  /// Of the release itself, also where no device runs it any more.
  func stillRun(_ first: Verdict.Reason) -> Verdict.StillRun? {
    guard let onDevices, let (fault, time) = ownFault(first) else { return nil }
    let devices = onDevices.of(release)
    guard devices > 0 || launches.launched > 0 else { return nil }
    let heard = time.flatMap { fault == .halted && onDevices.at >= $0 ? onDevices.heardSinceHalt : nil }
    return told(
      release, fault, time, devices, launches.launched, in: onDevices, "it",
      fault.words(time) + (heard.map { heardWords($0, of: devices) } ?? ""))
  }

  /// A release that crashes at each start may have silenced those that run it, and what they run by now nobody knows.
  private func heardWords(_ heard: Int, of devices: Int) -> String {
    guard heard < devices else { return "" }
    let shown =
      SmallGroups(minCell: minCell).told(heard).map { $0 == 0 ? "none" : grouped($0) } ?? "fewer than \(minCell)"
    return "; \(shown) of these \(heard < 2 ? "was" : "were") heard of since"
  }

  private func ownFault(_ first: Verdict.Reason) -> (Verdict.StillRun.Fault, Timestamp?)? {
    if isHalted { return (.halted, haltedAt) }
    if first.decision == .stop { return (.harmful, nil) }
    return isReplaced && !isRest && !isBeforeUnregistered ? (.replaced, supersededAt) : nil
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
    }.map { "; \(counted($0, "device")) \($1) within a day of the launch" }.joined()
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
    let object = isOfLaunched ? "it" : name
    let isBefore = time.map { running.at < $0 } ?? false
    let does =
      isBefore
      ? "ran \(object)"
      : devices == 0 ? "runs \(object) any more" : shown == 1 ? "still runs \(object)" : "still run \(object)"
    let unknown = "how many of \(counted(launched, "device")) that launched \(name) still run it is not known"
    let isKnown = running.reachable > 0
    return Verdict.StillRun(
      release: release, fault: fault, since: time, running: isKnown ? shown : nil, launched: launched, at: running.at,
      heardSince: running.heardSince,
      sentence: (isKnown ? "\(who) \(does) \(running.words)" : "\(unknown): \(running.silence)") + why
        + (isKnown && isBefore ? ", and nothing is known since" : ""))
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
