public import Console
import Lifecycle
import Store

/// A channel with releases whose devices went to one on which no release is registered: no verdict is about what they run there.
public struct LeftChannel: Equatable, Sendable {
  public let app: String
  public let channel: String
  /// Where they are now.
  public let other: String
  /// Devices heard of in the last week: those that went, and those that are on the channel.
  public let gone, stayed: Int
  private let release: String
  private let start: Timeline.Start

  /// nil with so few that it may be developers, or people who tried another channel.
  init?(_ target: FleetCounting.Target, to other: String, app: String, gone: Int, stayed: Int) {
    guard gone >= SpokenTimes.fewest, gone * 10 >= gone + stayed else { return nil }
    (self.app, channel, self.other) = (app, target.channel, other)
    (self.gone, self.stayed, release, start) = (gone, stayed, target.label, target.start)
  }

  public var words: String {
    "\(grouped(gone)) of \(counted(gone + stayed, "device")) went from \(named(channel)) to \(named(other)), where no release is"
      + " registered: no verdict is about what they do there"
  }

  /// What has them judged where they are.
  public var command: ShellCommand {
    let command = ShellCommand("uptake", "release", "publish").argument(release)
      .option("app", app).option("channel", other).option("at", start.publishedAt.rfc3339)
    return start.rollout.isEmpty
      ? command : command.option("rollout", start.rollout.words(since: start.publishedAt))
  }
}

extension DiagnosisEvidence {
  /// Those that most devices left first.
  var leftChannels: [LeftChannel] {
    if fleet.moves.isEmpty { return [] }
    let (app, vocabulary) = (counting.extent.app, counting.names.vocabulary)
    let judged = LookedChannels(vocabulary, Timeline(vocabulary, app: app, until: counting.extent.now)).channels
    let still = Dictionary(sums { $0.channel }.map { ($0.key, $0.counts.active) }) { $0 + $1 }
    let found = fleet.moves.compactMap { move, devices -> LeftChannel? in
      guard let target = target(of: move.from), !judged.contains(channel(move.to)) else { return nil }
      let came = fleet.moves.reduce(0) { $1.key.to == move.from ? $0 + $1.value : $0 }
      return LeftChannel(
        target, to: channel(move.to), app: app, gone: devices, stayed: (still[move.from] ?? 0) + came)
    }
    return found.sorted { ($1.gone, $0.channel, $0.other) < ($0.gone, $1.channel, $1.other) }
  }
}

extension [RolloutStep] {
  /// `10%@0h,50%@24h`, as `--rollout` takes it.
  func words(since publishedAt: Timestamp) -> String {
    map { step in
      let minutes = Swift.max(0, (step.at - publishedAt).rawValue / 60_000)
      let after = minutes % 60 == 0 ? "\(minutes / 60)h" : "\(minutes)m"
      return "\(step.percent == step.percent.rounded() ? "\(Int(step.percent))" : "\(step.percent)")%@\(after)"
    }.joined(separator: ",")
  }
}
