public import Lifecycle
public import Store

/// A release whose devices are to be counted.
struct StrayCounting {
  let stray: StrayPublication
  let attempts: Failures.Question
  let spoken: SpokenCounting

  var counts: Counts { Counts(attempts.counts.all + [spoken]) }

  func found(_ ledger: Ledger) -> StrayPublication? { stray.with(attempts.findings(ledger).rows, ledger[spoken]) }
}

extension StrayPublication {
  /// What counts the devices that tried to get it, and since when.
  func counting(_ vocabulary: Vocabulary, now: Timestamp) throws -> StrayCounting {
    var chosen = try ReleaseScope(vocabulary, app: app, release: release, now: now)
    chosen.selection.channels = [channel]
    chosen.selection.platforms = [platform].compactMap(\.self)
    let known: [String] = if case .elsewhere(let channels) = fault { channels } else { [] }
    return StrayCounting(
      stray: self, attempts: Failures.Question(vocabulary, chosen),
      spoken: SpokenCounting(
        vocabulary, chosen.target, on: channel, platform: platform, neverOn: known, until: now))
  }
}

extension Snapshot {
  /// What devices of an app take and is not registered as of then, with how many devices.
  public func strayPublications(of app: String, channels: [String], now: Timestamp) throws -> [StrayPublication] {
    let strays = try StrayPublication.all(vocabulary, app: app, channels: channels, now: now).map {
      try $0.counting(vocabulary, now: now)
    }
    let ledger = Ledger()
    try count(strays.map(\.counts), into: ledger)
    return strays.compactMap { $0.found(ledger) }.mostTaken
  }
}
