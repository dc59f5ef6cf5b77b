internal import Console
import Lifecycle
import Statistics

/// The devices of one platform that launched a release, and those that launched the ones before it there.
struct PlatformLaunches {
  /// Empty for devices that name none.
  var platform: String
  var launches: LaunchCounts
  /// The newest first.
  var past: [(release: String, launches: LaunchCounts)]
}

/// Crashes and rollbacks within a day of the launch: against the past releases, half at equal exposure, and against a limit of their own.
extension VerdictEvidence {
  typealias HarmPath = (now: KeyPath<LaunchCounts, Harm>, looks: KeyPath<LaunchCounts.Looks, HarmLooks>)

  var rollbacks: Verdict.Reason? {
    harm(.rollbacks, .rollingBack, ("was rolled back", "were rolled back"), (\.rollbacks, \.rollbacks))
  }
  var crashes: Verdict.Reason? { harm(.crashes, .crashing, ("crashed", "crashed"), (\.crashes, \.crashes)) }

  /// The chance of a wrong stop is shared among so many, whatever platforms come later: a stop stays.
  static let mostPlatforms = 8

  /// Of all devices, but where these hide that one platform is to be stopped for, or hide it by now.
  private func harm(
    _ subject: Verdict.Subject, _ bad: Verdict.Condition, _ verb: (one: String, many: String), _ kind: HarmPath
  ) -> Verdict.Reason? {
    guard launches.launched > 0 else { return nil }
    let whole = PlatformLaunches(platform: "", launches: launches, past: past)
    let test = test(whole, subject, kind, cells: 1)
    let all = reason(whole, test, subject, bad, verb, kind, of: "")
    guard !test.holds, apart.count > 1 else { return all }
    let parts = apart.filter { $0.launches.launched >= minCell }.map { one in
      let own = self.test(one, subject, kind, cells: Self.mostPlatforms)
      return (test: own, reason: reason(one, own, subject, bad, verb, kind, of: " on \(named(one.name))"))
    }
    // What the newest figures show comes before what only earlier ones did; a stop stays from the first on.
    if var held = parts.first(where: \.test.holds)?.reason {
      held.reachedAt = ([test] + parts.map(\.test)).compactMap(\.reachedAt).min()
      return held
    }
    if test.stops { return all }
    return parts.first(where: \.test.stops)?.reason ?? likelier(all, parts.map(\.reason))
  }

  private func test(
    _ one: PlatformLaunches, _ subject: Verdict.Subject, _ kind: HarmPath, cells: Int
  ) -> HarmTest {
    let looks = subject == .rollbacks ? looksUntilHalt : looks
    return HarmTest(
      one.launches[keyPath: kind.now], one.launches.launched,
      past: one.past.map { ($0.launches[keyPath: kind.now], $0.launches) }, limit: options.harmLimit, level: level,
      looks: looks.flatMap { counted in one.launches.looks.map { ($0[keyPath: kind.looks], counted) } }, cells: cells)
  }

  private func reason(
    _ one: PlatformLaunches, _ test: HarmTest, _ subject: Verdict.Subject, _ bad: Verdict.Condition,
    _ verb: (one: String, many: String),
    _ kind: HarmPath, of part: String
  ) -> Verdict.Reason {
    let launched = one.launches.launched
    let rate = Proportion(Int64(test.events), of: Int64(launched)).wilson(level: level)
    let isHigh = (rate.value ?? 0) > test.limit
    let isUnsaid = subject == .rollbacks && (running?.events ?? 0) > test.events
    let condition: Verdict.Condition = test.stops ? bad : isHigh || isUnsaid ? .unsettled : .healthy
    var reason = Verdict.Reason(
      subject, condition,
      "\(grouped(test.events)) of \(counted(launched, "device"))\(part) that launched it \(test.events == 1 || launched == 1 ? verb.one : verb.many) within a day: \(figure(rate))"
    )
    (reason.value, reason.events, reason.devices) = (rate, test.events, launched)
    (reason.limit, reason.limitFrom) = (test.limit, test.isFromHistory ? .history : options.harmLimitFrom)
    if let last = one.past.first, last.launches.launched >= minCell, let usual = test.usual {
      reason.before = .init(release: last.release, value: usual)
    }
    reason.reachedAt = test.reachedAt
    if !part.isEmpty { reason.platform = one.platform }
    reason.sentence += limitWords(reason, holds: test.holds, .init(test.reached))
    if part.isEmpty, isHigh || test.stops, let most = concentration(kind.now) {
      reason.mostlyOn = most.platform
      reason.sentence += "; \(most.words)"
    }
    if subject == .rollbacks { reason.sentence += afterHalt }
    if isUnsaid { reason.sentence += "; those are who said so, and more run another release again" }
    if let before = reason.before {
      reason.sentence += "; \(named(before.release)) at the same exposure: \(share(before.value))"
    }
    // Of none nobody asks how many would be too many.
    if part.isEmpty, reason.decision != .stop, test.events > 0, test.isFromHistory || test.limit >= options.harmLimit {
      reason.sentence += widened(kind.now, "with")
    }
    return reason
  }
}

extension VerdictEvidence {
  /// A platform that has more of it than all others together, for certain: one of many is halted there alone.
  private func concentration(_ kind: KeyPath<LaunchCounts, Harm>) -> (platform: String, words: String)? {
    func counts(_ share: Proportion) -> String { "\(grouped(Int(share.successes))) of \(grouped(Int(share.trials)))" }
    func share(_ some: [PlatformLaunches]) -> Proportion {
      let events = some.reduce(0) { $0 + $1.launches[keyPath: kind].events }
      return Proportion(Int64(events), of: Int64(some.reduce(0) { $0 + $1.launches.launched }))
    }
    for one in apart {
      let (own, others) = (share([one]), share(apart.filter { $0.platform != one.platform }))
      guard own.trials >= minCell, others.trials >= max(minCell, 1),
        ProportionPair(own, others).difference(level: Diagnosis.confidence).lo ?? 0 > 0
      else { continue }
      return (one.platform, "on \(named(one.name)) \(counts(own)), on all others \(counts(others))")
    }
    return nil
  }
}

extension PlatformLaunches {
  fileprivate var name: String { VerdictEvidence.name(platform) }
}

extension VerdictEvidence {
  /// Of the past releases one that should have been stopped itself: until somebody halts it, it makes limits wide.
  fileprivate func widened(_ kind: KeyPath<LaunchCounts, Harm>, _ link: String) -> String {
    for one in past {
      let (events, launched) = (Int64(one.launches[keyPath: kind].events), Int64(one.launches.launched))
      let rate = Proportion(events, of: launched).wilson(level: level)
      guard let value = rate.value, let lo = rate.lo, lo > options.harmLimit else { continue }
      return "; \(named(one.release)), \(link) \(share(value)), sets limits, too, until it is halted"
    }
    return ""
  }

  var widened: String {
    [widened(\.rollbacks, "with rollbacks on"), widened(\.crashes, "with crashes on")].first { !$0.isEmpty } ?? ""
  }

  var afterHalt: String { isHalted ? "; what devices report after the halt is counted, and stops nothing" : "" }
}

extension Verdict.Options {
  var harmLimitFrom: Verdict.LimitSource { harmLimit == Self().harmLimit ? .standard : .configured }
}
