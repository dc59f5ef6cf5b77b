public import Console
public import Lifecycle
internal import Store

/// A release that devices take and that is not registered on their channel as of when they began to take it: an older one counts as the
/// newest there.
public struct StrayPublication: Equatable, Sendable {
  public enum Fault: Equatable, Sendable {
    case unregistered
    /// It was, and was taken back from everywhere: from this channel, or from another one that devices came from.
    case withdrawn(from: String, at: Timestamp)
    /// On other channels alone, and devices took it that were never on any of these.
    case elsewhere([String])
    /// There for other platforms alone.
    case otherPlatforms([String])
    /// For a time that lies ahead.
    case ahead(Timestamp)
    /// For a time before the release that is judged, which counts as what replaced it.
    case replaced(Timestamp)
  }
  public let app: String
  public let release: ReleaseLabel
  public let channel: String
  /// nil where it is about all of the channel.
  public let platform: String?
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
  init?(_ record: ReleaseRecord, at place: StrayPlace, _ judged: RegisteredThere?, now: Timestamp) {
    let sightings = record.sightings.filter(place.holds)
    guard let since = sightings.compactMap(\.firstSubjectAt).min(), judged?.leaves(sightings, since, record) ?? true,
      let fault = Fault(record, at: place, since: since, judged: judged?.at, now: now)
    else { return nil }
    (app, release, channel, platform) = (record.app, record.label, place.channel, place.platform)
    (self.since, self.fault, self.judged, unheard) = (since, fault, judged?.record.label, judged?.unheard)
    steps = place.publications(of: record).first { !$0.rollout.isEmpty }.map { $0.rollout.words(since: $0.publishedAt) }
  }

  /// nil with so few devices that it may be a developer's build.
  func with(_ rows: [Failures], _ spoken: SpokenTimes) -> StrayPublication? {
    var copy = self
    copy.devices = rows.reduce(0) { $0 + $1.attempts + $1.tooYoung }
    // The others may have brought it from where it is registered.
    if case .elsewhere = fault { copy.devices = min(copy.devices, spoken.devices) }
    copy.since = spoken.begin ?? since
    return copy.devices >= SpokenTimes.fewest ? copy : nil
  }

  /// As if it had been registered when devices began to take it; nil where it is registered there, or was withdrawn.
  var assumed: Publication? {
    guard fault == .unregistered else { return lacking }
    return Publication(app: app, release: release, channel: channel, platform: platform, publishedAt: since)
  }

  /// Whether devices took it in the same place after the other.
  func replaces(_ other: StrayPublication) -> Bool {
    if case .withdrawn = fault { return false }
    return channel == other.channel && platform == other.platform && since > other.since
  }

  /// With which it has a verdict there; nil where it has one without.
  public var lacking: Publication? {
    switch fault {
    case .elsewhere, .otherPlatforms:
      Publication(app: app, release: release, channel: channel, platform: platform, publishedAt: since)
    case .unregistered, .withdrawn, .ahead, .replaced: nil
    }
  }
}

extension [StrayPublication] {
  /// Of each place those that most devices took, in the order that they stand in: labels that somebody made up hide none of these.
  var mostTaken: [StrayPublication] {
    let places = Dictionary(grouping: self) { [$0.channel, $0.platform == nil ? "" : "apart"] }
    let shown = places.values.flatMap { $0.sorted { $0.devices > $1.devices }.prefix(3) }
    return filter(shown.contains)
  }
}

extension StrayPublication {
  /// `production (android)`.
  public var place: String { named(channel) + (platform.map { " (\(named($0)))" } ?? "") }

  /// - Parameter hasRow: whether a verdict is about it as well, or may be.
  public func words(hasRow: Bool) -> String {
    let who = "\(counted(devices, "device")) on \(place) took \(named(release.rawValue)) since \(since.words)"
    let other = unheard.map { "; \(named($0.rawValue)), which is registered there, no device names" } ?? ""
    return switch fault {
    case .unregistered:
      "\(who), which nobody registered there\(other): \(newest(unheard ?? judged, hasRow))"
    case .withdrawn(let place, let at):
      "\(who), and its publication\(place == channel ? "" : " on \(named(place))") was withdrawn at \(at.words): verdicts are about"
        + " \(judgedName(judged)), and an update server may still offer it"
    case .elsewhere(let channels):
      "\(who), which is registered on \(list(channels)) alone, where they never were: \(newest(judged, hasRow))"
    case .otherPlatforms(let platforms):
      "\(who), which is registered there for \(list(platforms)) alone: "
        + (hasRow
          ? "for them \(newest(judged, hasRow))"
          : judged == nil ? "no verdict is about them" : "verdicts on them are about \(judgedName(judged))")
    case .ahead(let at): "\(who), and it is registered for \(at.words), which lies ahead, as a local time may"
    case .replaced(let at):
      "\(who), and it is registered as of \(at.words), so \(judgedName(judged)) counts as what replaced it"
    }
  }

  private func newest(_ label: ReleaseLabel?, _ hasRow: Bool) -> String {
    hasRow ? "\(judgedName(label)) counts as the newest" : "verdicts are about \(judgedName(label))"
  }

  private func list(_ names: [String]) -> String { names.map(named).joined(separator: ", ") }
  private func judgedName(_ label: ReleaseLabel?) -> String { label.map { named($0.rawValue) } ?? "none" }

  /// What mends it; of one that was withdrawn, which is not to be published, who runs it.
  public var command: ShellCommand {
    if case .withdrawn = fault {
      return ShellCommand("uptake", "reach").argument(release.rawValue).option("app", app).option("channel", channel)
    }
    var command = ShellCommand("uptake", "release", "publish").argument(release.rawValue)
      .option("app", app).option("channel", channel)
    if let platform { command = command.option("platform", platform) }
    command = command.option("at", since.rfc3339)
    return steps.map { command.option("rollout", $0) } ?? command
  }
}

extension StrayPublication {
  /// Without the command, which would register it in another database than the one that was named.
  func warning(hasRow: Bool) -> Warning {
    let place =
      if case .withdrawn = fault { "what ends it stands in uptake diagnose" } else {
        "what registers it stands in uptake status"
      }
    return Warning(Warning.strayPublication, "\(words(hasRow: hasRow)); \(place)")
  }
}

extension Warning {
  /// What devices take is not registered as of then, so that an older release counts as the newest.
  public static let strayPublication = "stray_publication"
}

extension [Verdict] {
  /// What was withdrawn is not to be published.
  func tell(of stray: StrayPublication) -> Bool {
    contains { row in
      row.channel == stray.channel
        && row.othersStillRun.contains { $0.fault == .withdrawn && $0.release == stray.release.rawValue }
    }
  }
}
