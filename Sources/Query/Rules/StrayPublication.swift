public import Console
public import Lifecycle
public import Store

/// A release that devices take and nobody judges, as it is not registered on their channel as of when they began to take it: an older
/// one counts as the newest there.
public struct StrayPublication: Equatable, Sendable {
  public enum Fault: Equatable, Sendable {
    case unregistered
    /// It was, and was taken back from everywhere: from this channel, or from another one that devices came from.
    case withdrawn(from: String, at: Timestamp)
    /// For a time that lies ahead.
    case ahead(Timestamp)
    /// For a time before the release that is judged, which counts as what replaced it.
    case replaced(Timestamp)
  }
  public let app: String
  public let release: ReleaseLabel
  public let channel: String
  /// When devices began to speak of it there, other than by running it.
  public private(set) var since: Timestamp
  public let fault: Fault
  /// The registered release that counts as the newest one in its place; nil where none is out.
  public let judged: ReleaseLabel?
  /// What is registered there since, and no device names.
  public let unheard: ReleaseLabel?
  /// Shares and how long after the publication, as it was registered.
  private let steps: String?
  /// That tried to get it.
  public internal(set) var devices = 0

  /// nil where all is well with the release there, or it is no news.
  ///
  /// - Parameter judged: nil where no registered release is out: then one that nobody registered is judged itself.
  private init?(_ record: ReleaseRecord, on channel: String, _ judged: Registered?, now: Timestamp) {
    let sightings = record.sightings.filter { $0.channel == channel }
    guard let since = sightings.compactMap(\.firstSubjectAt).min(), judged?.leaves(sightings, since, record) ?? true
    else { return nil }
    let publications = record.publications.filter { $0.channel == channel }
    guard
      let fault = Fault(
        publications.map(\.publishedAt), record, on: channel, since: since, judged: judged?.at, now: now)
    else { return nil }
    (app, release, self.channel, self.since) = (record.app, record.label, channel, since)
    (self.fault, self.judged, unheard) = (fault, judged?.record.label, judged?.unheard)
    steps = publications.first { !$0.rollout.isEmpty }.map { $0.rollout.words(since: $0.publishedAt) }
  }
}

extension StrayPublication.Fault {
  /// - Parameter registered: when the release came to the channel, as far as somebody registered that.
  fileprivate init?(
    _ registered: [Timestamp], _ record: ReleaseRecord, on channel: String, since: Timestamp, judged: Timestamp?,
    now: Timestamp
  ) {
    guard let first = registered.min() else {
      // Registered on other channels it may have come with a device from there.
      guard record.publications.isEmpty, judged != nil else { return nil }
      self =
        record.lastWithdrawal(near: channel, until: now).map { .withdrawn(from: $0.channel, at: $0.at) }
        ?? .unregistered
      return
    }
    guard first <= now else {
      self = .ahead(first)
      return
    }
    let last = registered.filter { $0 <= now }.max() ?? first
    guard let judged, last < judged, since - last >= .days(1) else { return nil }
    self = .replaced(last)
  }
}

/// The newest registered release of a channel that devices speak of.
private struct Registered {
  var record: ReleaseRecord
  var at: Timestamp
  /// A newer one that no device ever named.
  var unheard: ReleaseLabel?

  init?(_ timeline: Timeline, on channel: String, now: Timestamp) {
    let all = timeline.releases.compactMap { record -> (record: ReleaseRecord, at: Timestamp)? in
      let published = record.publications.filter { $0.channel == channel && $0.publishedAt <= now }
      return published.map(\.publishedAt).max().map { (record, $0) }
    }.sorted { ($0.at, $0.record.label.rawValue) < ($1.at, $1.record.label.rawValue) }
    guard let newest = all.last(where: { !$0.record.sightings.isEmpty }) else { return nil }
    (record, at) = newest
    unheard = all.last.flatMap { $0.record.id == newest.record.id ? nil : $0.record.label }
  }

  /// Whether another release is one that devices took after it, and no older one.
  func leaves(_ sightings: [Sighting], _ since: Timestamp, _ other: ReleaseRecord) -> Bool {
    since > at && sightings.allSatisfy { $0.firstAt >= at } && !other.isLower(than: record)
  }
}

extension StrayPublication {
  /// The newest first, without counts; by what is kept of releases, so that no device is looked at for it.
  ///
  /// - Parameter channels: empty for all.
  static func all(_ vocabulary: Vocabulary, app: String, channels: [String], now: Timestamp) -> [StrayPublication] {
    let timeline = Timeline(vocabulary, app: app, until: now)
    let looked = timeline.channels.filter { channels.isEmpty || channels.contains($0) }
    return looked.flatMap { channel -> [StrayPublication] in
      let judged = Registered(timeline, on: channel, now: now)
      let found = timeline.releases.filter { $0.id != judged?.record.id }.compactMap {
        StrayPublication($0, on: channel, judged, now: now)
      }
      return found.sorted { $0.since > $1.since }.prefix(3).map(\.self)
    }
  }

  /// What counts the devices that tried to get it, and since when.
  func counting(_ vocabulary: Vocabulary, now: Timestamp) throws -> StrayCounting {
    var chosen = try ReleaseScope(vocabulary, app: app, release: release, now: now)
    chosen.selection.channels = [channel]
    return StrayCounting(
      stray: self, attempts: Failures.Question(vocabulary, chosen),
      spoken: SpokenCounting(vocabulary, chosen.target, on: channel, until: now))
  }

  /// nil with so few devices that it may be a developer's build.
  fileprivate func with(_ rows: [Failures], _ spoken: SpokenTimes) -> StrayPublication? {
    var copy = self
    copy.devices = rows.reduce(0) { $0 + $1.attempts + $1.tooYoung }
    copy.since = spoken.begin ?? since
    return copy.devices >= SpokenTimes.fewest ? copy : nil
  }

  public var words: String {
    let who = "\(counted(devices, "device")) on \(named(channel)) took \(named(release.rawValue)) since \(since.words)"
    let other = unheard.map { "; \(named($0.rawValue)), which is registered there, no device names" } ?? ""
    return switch fault {
    case .unregistered:
      "\(who), which nobody registered there\(other): verdicts are about \(judgedName(unheard ?? judged))"
    case .withdrawn(let place, let at):
      "\(who), and its publication\(place == channel ? "" : " on \(named(place))") was withdrawn at \(at.words): verdicts are about"
        + " \(judgedName(judged)), and an update server may still offer it"
    case .ahead(let at): "\(who), and it is registered for \(at.words), which lies ahead, as a local time may"
    case .replaced(let at):
      "\(who), and it is registered as of \(at.words), so \(judgedName(judged)) counts as what replaced it"
    }
  }

  private func judgedName(_ label: ReleaseLabel?) -> String { label.map { named($0.rawValue) } ?? "none" }

  /// What mends it; of one that was withdrawn, which is not to be published, who runs it.
  public var command: ShellCommand {
    if case .withdrawn = fault {
      return ShellCommand("uptake", "reach").argument(release.rawValue).option("app", app).option("channel", channel)
    }
    let command = ShellCommand("uptake", "release", "publish").argument(release.rawValue)
      .option("app", app).option("channel", channel).option("at", since.rfc3339)
    return steps.map { command.option("rollout", $0) } ?? command
  }
}

extension StrayPublication {
  /// Without the command, which would register it in another database than the one that was named.
  var warning: Warning {
    let place =
      if case .withdrawn = fault { "what ends it stands in uptake diagnose" } else {
        "what registers it stands in uptake status"
      }
    return Warning(Warning.strayPublication, "\(words); \(place)")
  }
}

extension Warning {
  /// What devices take is not registered as of then, so that an older release is judged.
  public static let strayPublication = "stray_publication"
}

extension [Verdict] {
  /// What was withdrawn is not to be published.
  public func tell(of stray: StrayPublication) -> Bool {
    contains { row in
      row.channel == stray.channel
        && row.othersStillRun.contains { $0.fault == .withdrawn && $0.release == stray.release.rawValue }
    }
  }
}

extension Snapshot {
  /// What devices of an app take and nobody judges, with how many devices.
  public func strayPublications(of app: String, channels: [String], now: Timestamp) throws -> [StrayPublication] {
    let strays = try StrayPublication.all(vocabulary, app: app, channels: channels, now: now).map {
      try $0.counting(vocabulary, now: now)
    }
    let ledger = Ledger()
    try count(strays.map(\.counts), into: ledger)
    return strays.compactMap { $0.found(ledger) }
  }
}

/// A release whose devices are to be counted.
struct StrayCounting {
  let stray: StrayPublication
  let attempts: Failures.Question
  let spoken: SpokenCounting

  var counts: Counts { Counts(attempts.counts.all + [spoken]) }

  func found(_ ledger: Ledger) -> StrayPublication? { stray.with(attempts.findings(ledger).rows, ledger[spoken]) }
}

extension ReleaseRecord {
  /// By version number, where both have one.
  func isLower(than other: ReleaseRecord) -> Bool {
    guard let own = ReleaseNumber(label), let other = ReleaseNumber(other.label) else { return false }
    return own.isLower(than: other)
  }
}
