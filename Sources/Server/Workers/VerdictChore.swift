internal import Answers
internal import Console
internal import Lifecycle
internal import Query
internal import Store

/// Judges the newest release of each channel of one app, as `uptake status` does.
struct VerdictChore: Chore {
  static let name = "verdicts"
  var database: String
  var app: String
  var judging: Query.Verdict.Options
  /// Channels at most.
  var room: Int

  /// How an app stands.
  struct Done: Codable, Sendable {
    var app: String
    var releases: [ReleaseStanding] = []
    /// Nil where no device was ever heard of.
    var newestContact: Timestamp?
    /// Nil where nobody knows when events were received.
    var newestReceipt: Timestamp?
    /// How many of each finding that is looked for without being asked.
    var findings: [String: Int] = [:]
    var judgedAt: Timestamp
    /// Channels for which there was no room.
    var leftOut = 0
  }

  func done(_ clock: @Sendable () -> Instant) throws -> Done {
    let snapshot = try Snapshot(path: database)
    let now = Timestamp(clock)
    let (channels, leftOut) = told(snapshot.vocabulary, now)
    let receipt = try snapshot.newestReceipts(now: now)[app]?.at
    var done = Done(app: app, newestReceipt: receipt, judgedAt: now, leftOut: leftOut)
    guard !channels.isEmpty || leftOut == 0 else { return done }
    var scope = try FleetScope(snapshot.vocabulary, app: app, now: now)
    scope.channels = channels
    let answer = try Verdict.answer(snapshot, scope, judging)
    let end = CutOff(snapshot.vocabulary, app: app, now: now).at
    done.releases = answer.data.oneEach.map {
      ReleaseStanding($0, isTooNew: CutOff.isTooNew($0.publishedAt, end, now: now))
    }
    done.newestContact = answer.dataThrough
    // Of a warehouse that would read devices as often as metrics are.
    guard snapshot.isFile else { return done }
    let outages = try Outages(snapshot, scope)
    for name in Outages.names { done.findings[name.rawValue] = outages.findings.count { $0.finding == name } }
    return done
  }

  /// Channels with a release, those that somebody registered one for first: whoever makes up channels pushes none of them out,
  /// and is looked at no further than there is room.
  private func told(_ vocabulary: Vocabulary, _ now: Timestamp) -> (channels: [String], leftOut: Int) {
    let timeline = Timeline(vocabulary, app: app)
    let registered = Set(timeline.releases.flatMap { $0.publications.map(\.channel) })
    let looked = LookedChannels(vocabulary, timeline)
    let inOrder =
      looked.channels.filter(registered.contains) + looked.channels.filter { !registered.contains($0) }
      + looked.leftOut
    var (channels, rest) = ([String](), inOrder[...])
    while channels.count < room, let channel = rest.popFirst() {
      if timeline.newest(on: channel, at: now) != nil { channels.append(channel) }
    }
    return (channels, rest.count)
  }
}

extension [Query.Verdict] {
  /// One of a release on a channel, as labels of metrics name them: that of platforms where nobody registered it, and where it is to be
  /// stopped, before that of the others.
  fileprivate var oneEach: [Query.Verdict] {
    reduce(into: []) { told, row in
      let known = told.firstIndex { $0.channel == row.channel && $0.release == row.release }
      guard let known else { return told.append(row) }
      if told[known].decision != .stop { told[known] = row }
    }
  }
}

/// What metrics say of a release on a channel, in the words of `uptake verdict`'s JSON.
struct ReleaseStanding: Codable, Sendable {
  var channel: String
  var release: String
  var decision: String
  var condition: String
  var publishedAt: Timestamp
  /// nil, too, where platforms differ.
  var rolloutPercent: Double?
  var rolloutByPlatform: [PlatformShare]?
  /// nil, too, where only those that were offered the release are counted.
  var observedShare: Double?
  /// nil where it was published after the cutoff: nobody is counted yet. Likewise `events`.
  var devices: Int?
  var events: Int?
  var harms: [Harm]

  struct Harm: Codable, Sendable {
    var kind: String
    var share: Double?
    var devices: Int?
    var limit: Double?
  }

  struct PlatformShare: Codable, Sendable {
    var platform: String
    var percent: Double
  }

  init(_ verdict: Query.Verdict, isTooNew: Bool) {
    (channel, release) = (verdict.channel, verdict.release)
    (decision, condition) = (verdict.decision.rawValue, verdict.condition.rawValue)
    (publishedAt, rolloutPercent) = (verdict.publishedAt, verdict.rolloutPercent)
    observedShare = verdict.observedReason == nil ? verdict.observedShare : nil
    rolloutByPlatform = verdict.rolloutByPlatform.compactMap { part in
      part.percent.map { PlatformShare(platform: part.platform ?? "others", percent: $0) }
    }
    if !isTooNew { (devices, events) = (verdict.devices, verdict.events) }
    harms = verdict.reasons.filter(\.subject.isHarm).map {
      Harm(kind: $0.subject.rawValue, share: $0.share, devices: $0.devices, limit: $0.limit)
    }
  }
}
