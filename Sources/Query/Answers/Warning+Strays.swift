internal import Console
import Lifecycle
import Store

extension Warning {
  /// What is registered in one way and named by devices in another.
  public static let (strayRelease, strayPlatform) = ("stray_release", "stray_platform")
  public static let unregisteredChannel = "unregistered_channel"

  /// - Parameters:
  ///   - releases: that an answer is about; nil for all of the app.
  ///   - channels: that it looks at; empty for all.
  static func strays(
    _ vocabulary: Vocabulary, app: String, now: Timestamp, about releases: Set<String>? = nil, on channels: [String]
  ) -> [Warning] {
    let all = StrayReleases(vocabulary, app: app, now: now)
    let stray = releases.map { all?.about($0) } ?? all
    return [
      stray.map { Warning(strayRelease, $0.words) },
      StrayPlatforms(vocabulary, app: app, now: now).map { Warning(strayPlatform, $0.words) },
      UnregisteredChannels(vocabulary, app: app, now: now, about: releases, on: channels)
        .map { Warning(unregisteredChannel, $0.words, command: $0.command) },
    ].compactMap(\.self)
  }
}

extension Warning {
  /// Where one of these releases is registered in one way and named by devices in another.
  static func misspelt(
    _ vocabulary: Vocabulary, app: String, now: Timestamp, _ releases: Set<String>
  ) -> [Warning] {
    StrayReleases(vocabulary, app: app, now: now)?.about(releases).map { [Warning(strayRelease, $0.words)] } ?? []
  }
}

extension Warning {
  /// A release that was taken back from a channel, though its devices have it.
  public static let withdrawnRelease = "withdrawn_release"

  /// - Parameters:
  ///   - channels: on which it may have been.
  ///   - devices: how many run it there; nil where nobody counted.
  static func withdrawn(
    _ record: ReleaseRecord, from channels: [String], _ platforms: [String], now: Timestamp,
    running devices: (String) -> Int? = { _ in nil }
  ) -> [Warning] {
    if record.withdrawals.isEmpty { return [] }
    return channels.compactMap { channel in
      guard record.sightings.contains(where: { $0.channel == channel && $0.firstAt <= now }),
        let at = record.withdrawnAt(channel, platforms, until: now)
      else { return nil }
      let (name, running) = (named(record.label.rawValue), devices(channel))
      if let running, running < SpokenTimes.fewest { return nil }
      let ask = ShellCommand("uptake", "reach").argument(record.label.rawValue).option("channel", channel)
      return Warning(
        withdrawnRelease,
        "the publication of \(name) on \(named(channel)) was withdrawn at \(at.words), and "
          + (running.map { "\(counted($0, "device")) still run it there" } ?? "devices have it there")
          + (record.publications.isEmpty ? "" : ": it has no verdict and no row there")
          + (running == nil ? "; how many run it: \(ask)" : ""))
    }
  }
}
