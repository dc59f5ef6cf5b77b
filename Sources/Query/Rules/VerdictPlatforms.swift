import Console
import Lifecycle
import Statistics

/// First attempts of the devices of one platform, and those at the releases before it there.
struct PlatformAttempts {
  /// Empty for devices that name none.
  var platform: String
  var own: AttemptCounts
  /// The newest first.
  var past: [AttemptCounts]
}

/// Harm that is likely on one platform, and that all together hide: nothing is called healthy then. It stops nothing, and so costs none
/// of the chance of a wrong stop.
extension VerdictEvidence {
  /// Of fewer devices, and of a single one that it happened to, no limit says anything.
  static let (fewestOnPlatform, fewestEvents) = (30, 2)

  /// The part that it happened to most often beyond its limit, where it is not likely of all.
  func likelier(_ all: Verdict.Reason, _ parts: [Verdict.Reason]) -> Verdict.Reason {
    guard all.decision != .stop, !all.isLikelyHarm else { return all }
    let likely = parts.filter {
      $0.isLikelyHarm && ($0.devices ?? 0) >= Self.fewestOnPlatform && ($0.events ?? 0) >= Self.fewestEvents
    }
    guard var worst = likely.max(by: { $0.excess < $1.excess }) else { return all }
    worst.sentence += besides(all, worst.platform ?? "")
    return worst
  }

  /// Which has none where devices name no platform.
  func besides(_ all: Verdict.Reason, _ platform: String) -> String {
    let whole = "; of all \(grouped(all.devices ?? 0)): \(share(all.value?.value ?? 0))"
    return platform.isEmpty ? whole : "\(whole); --platform \(named(platform)) judges these alone"
  }

  func likelier(_ all: Verdict.Reason) -> Verdict.Reason {
    guard attemptsApart.count > 1 else { return all }
    return likelier(all, attemptsApart.filter { $0.own.attempts >= max(minCell, 1) }.compactMap(attemptsReason))
  }

  /// nil where there is no limit.
  private func attemptsReason(_ one: PlatformAttempts) -> Verdict.Reason? {
    let past = one.past.reversed().map { Proportion(Int64($0.failed), of: Int64($0.attempts)) }
    guard options.limit != nil || past.contains(where: { $0.trials > 0 }) else { return nil }
    let limit = options.limit.map(FailureLimit.init(configured:)) ?? FailureLimit(past: past, level: level)
    let rate = Proportion(Int64(one.own.failed), of: Int64(one.own.attempts)).wilson(level: level)
    var reason = Verdict.Reason(
      .firstAttempts, .unsettled,
      "\(grouped(one.own.failed)) of \(counted(one.own.attempts, "first attempt")) on \(named(Self.name(one.platform))) failed: \(figure(rate))"
    )
    (reason.value, reason.events, reason.devices) = (rate, one.own.failed, one.own.attempts)
    (reason.limit, reason.limitFrom) = (limit.rate, options.limit == nil ? .history : .configured)
    reason.platform = one.platform
    reason.sentence += limitWords(reason, holds: true) + afterHalt
    return reason
  }

  static func name(_ platform: String) -> String { platform.isEmpty ? "devices that name no platform" : platform }
}

extension Verdict.Reason {
  /// Devices that it happened to beyond those that the limit permits.
  var excess: Double { Double(events ?? 0) - (limit ?? 0) * Double(devices ?? 0) }
}
