public import Lifecycle
import Store

/// A summary of the newest releases, and of what devices run, made anew again and again while events come in.
///
/// It knows what is sorted, and counts it at the cutoff of the instant that it is made at; what is left open is kept, so that later
/// cutoffs can be put in. Devices of which more is known than counts at its own cutoff are listed: a question looks at these, and
/// at those that were heard of since, and takes all others from here. See `OpenTables` and `OpenCatalogue`. Of releases that ended it
/// keeps what `releases` tells of them.
public enum OpenSummary {
  /// - Parameters:
  ///   - now: whose cutoff it is made at.
  ///   - end: no further than this event, where what was known at it can be told.
  public static func refresh(path: String, now: Timestamp, upTo end: Int64? = nil) throws {
    try refresh(path: path, now: now, upTo: end, ReachLimits())
  }

  static func refresh(path: String, now: Timestamp, upTo end: Int64? = nil, _ limits: ReachLimits) throws {
    var apps: ArraySlice<String>?
    repeat {
      let snapshot = try Snapshot(path: path)
      let rest = apps ?? snapshot.vocabulary.apps[...]
      guard let last = snapshot.lastSorted(upTo: end), let app = rest.first else { return }
      apps = rest.dropFirst()
      let moment = try OpenMoment(snapshot, app, now: now, last: last, limits)
      try summarise(snapshot, moment)
    } while apps?.isEmpty == false
  }

  private static func summarise(_ snapshot: consuming Snapshot, _ moment: OpenMoment) throws {
    guard let making = try OpenMaking(snapshot, moment) else { return }
    let state = SummaryState(
      folded: moment.last, since: moment.cutOff, until: moment.until, dataThrough: making.newest,
      ground: moment.timeline.openGround)
    try snapshot.keep(state, making.parts, app: moment.app, as: .open)
  }
}

/// What an open summary is made of, and when.
struct OpenMoment {
  let vocabulary: Vocabulary
  let app: String
  /// The number of the last event that is looked at.
  let last: Int64
  private(set) var cutOff: Timestamp
  let timeline: Timeline
  let limits: ReachLimits
  /// The summary in place, where it holds at the cutoff: what it keeps can be moved on.
  let before: SummaryState?
  /// The last cutoff that it holds for. What is kept depends on it, so that of the summary before stays until half of its time is over.
  let until: Timestamp

  init(
    _ snapshot: borrowing Snapshot, _ app: String, now: Timestamp, last: Int64, _ limits: ReachLimits = ReachLimits()
  ) throws {
    (vocabulary, self.app, self.last, self.limits) = (snapshot.vocabulary, app, last, limits)
    let cutOff = CutOff(vocabulary, app: app, now: now).at
    let timeline = Timeline(vocabulary, app: app)
    let state = try snapshot.earlierSummaryState(app: app, .open)
    let before = state.flatMap { state in
      state.ground == timeline.openGround && cutOff >= state.since && cutOff < state.until ? state : nil
    }
    let longest = cutOff + HeardSpan.longest
    let latest = min(longest, timeline.next(from: cutOff) ?? longest)
    (self.cutOff, self.timeline, self.before) = (cutOff, timeline, before)
    until = before.flatMap { $0.until == latest || $0.until - cutOff >= Self.leastTime ? $0.until : nil } ?? latest
  }

  private static let leastTime = Milliseconds(rawValue: HeardSpan.longest.rawValue / 2)

  /// The same at another cutoff.
  func at(_ cutOff: Timestamp) -> OpenMoment {
    var copy = self
    copy.cutOff = cutOff
    return copy
  }

  /// - Parameter targets: of which time at risk is counted, with the cutoff left open.
  func risk(_ targets: [ReleaseRecord]) -> RiskCounting {
    let pairs = timeline.newestPairs(of: app, at: cutOff).filter { pair in
      [pair.first, pair.second].allSatisfy { id in targets.contains { $0.id == id } }
    }
    return RiskCounting(open: targets, vocabulary, app, timeline, cutOff, pairs: pairs)
  }

  /// The same at this cutoff alone.
  func settled(_ targets: [ReleaseRecord]) -> RiskCounting {
    let selection = Selection(app: app, release: ReleaseLabel(rawValue: ""), now: cutOff)
    return RiskCounting(vocabulary, selection, timeline, targets, [], cutOff: CutOff(at: cutOff))
  }
}

// MARK: releases

extension OpenMoment {
  /// Some releases with the newest ones, as far as outlines and journeys on these tell what a device first said after they were published.
  func told(_ some: [ReleaseRecord]) -> [ReleaseRecord] {
    let wanted = Set((some + timeline.newest(at: cutOff)).map(\.id))
    return timeline.releases.filter { release in
      wanted.contains(release.id)
        && rules(release).allSatisfy { $0.allSatisfy { $0.areNewerLate || wanted.isSuperset(of: $0.newerReleases) } }
    }
  }

  /// Whether the chance to update to it ended so long ago that hardly any event bears on it.
  func hasEnded(_ release: ReleaseRecord) -> Bool {
    let limit = (cutOff - EndedReleases.watched - ChangeSpan.margin).rawValue
    let rules = rules(release)
    return !rules.isEmpty && rules.allSatisfy { $0.allSatisfy { $0.endedAt < limit } }
  }

  /// Of each channel.
  private func rules(_ release: ReleaseRecord) -> [[RiskRules]] {
    let question = settled([])
    return timeline.channels(of: release.id).map { question.rules(of: release.id, on: $0) }
  }

  /// When some releases were published last, with those that count as newer: who said before that it runs one may say it again.
  func published(_ releases: [ReleaseRecord]) -> [Int64: Int64] {
    var published: [Int64: Int64] = [:]
    for rules in releases.flatMap(rules).flatMap(\.self) {
      for release in [rules.target] + rules.newerReleases {
        published[release] = max(published[release] ?? .min, rules.publishedAt)
      }
    }
    return published
  }
}

extension Timeline {
  /// All that an open summary rests on beside events, in words.
  var openGround: String { "open 7\n" + ground }

  /// The newest releases of each channel with those that they are held against.
  func newest(_ count: Int = 3, at cutOff: Timestamp) -> [ReleaseRecord] {
    var found: Set<Int64> = []
    for channel in channels {
      let came = releases.compactMap { record in
        start(record.id, channel: channel, platform: nil).map { (at: $0.publishedAt, id: record.id) }
      }.filter { $0.at < cutOff }
      found.formUnion(came.sorted { ($0.at, $0.id) < ($1.at, $1.id) }.suffix(count).map(\.id))
    }
    return releases.filter { found.contains($0.id) }
  }
}

extension RiskCounting {
  /// With the cutoff left open.
  convenience init(
    open targets: [ReleaseRecord], _ vocabulary: Vocabulary, _ app: String, _ timeline: Timeline, _ cutOff: Timestamp,
    channels: [String] = [], pairs: Set<ReleasePair> = []
  ) {
    var selection = Selection(app: app, release: ReleaseLabel(rawValue: ""), now: cutOff)
    selection.channels = channels
    self.init(
      vocabulary, selection, timeline, targets, [], cutOff: CutOff(at: cutOff), keepsWaiting: true,
      pairs: pairs)
  }
}
