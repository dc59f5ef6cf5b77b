import Lifecycle
import Statistics
import Store

/// What devices ran at all instants that questions about reach look at until a summary is made, for all releases at once; the same
/// for every shard.
final class ReachHistoryCounting {
  /// Of releases before these nothing is kept.
  private static let mostReleases = 64
  private static let mostDays: Int64 = 400

  private let selection: Selection
  let app: String
  let vocabulary: Vocabulary
  let timeline: Timeline
  let profiles: ProfileTable
  /// The summary's cutoff.
  let since: Timestamp
  let window: Milliseconds
  /// Ascending, all before the cutoff.
  let instants: [Int64]
  /// The releases that can be asked about.
  let targets: [ReleaseRecord]
  /// The greatest number of a release.
  let releases: Int
  /// By channel and platform, of those releases that were let to some devices only.
  private(set) var staged: [Group: [StagedRules]] = [:]

  private init(
    _ vocabulary: Vocabulary, _ app: String, _ timeline: Timeline, _ targets: [ReleaseRecord], _ instants: [Int64],
    since: Timestamp
  ) {
    (self.app, self.vocabulary, self.timeline, self.since) = (app, vocabulary, timeline, since)
    (self.targets, self.instants) = (targets, instants)
    selection = Selection(app: app, release: ReleaseLabel(rawValue: ""), now: since)
    window = selection.reachWindow
    profiles = ProfileTable(vocabulary)
    releases = vocabulary.greatestRelease
    for channel in vocabulary.channels(of: app) {
      for platform in profiles.platforms {
        let group = Group(channel: channel, platform: platform)
        staged[group] = targets.compactMap { StagedRules(ReachRules($0.id, timeline, group), self) }
      }
    }
  }

  /// Of those instants alone that are asked about.
  convenience init(_ asked: ReachCounting, since: Timestamp) {
    let chosen = asked.chosen
    self.init(
      asked.vocabulary, chosen.selection.app, chosen.timeline, [chosen.target],
      asked.moments.instants.filter { $0 < since.rawValue }, since: since)
  }

  /// Of those instants alone that another summary, at an earlier cutoff, may hold.
  convenience init(_ later: ReachHistoryCounting, since: Timestamp) {
    self.init(
      later.vocabulary, later.app, later.timeline, later.targets, later.instants.filter { $0 < since.rawValue },
      since: since)
  }

  /// Of all that are to be kept.
  convenience init(_ vocabulary: Vocabulary, _ timeline: Timeline, _ app: String, since: Timestamp) throws {
    let targets = Array(timeline.named.sorted { $0.id < $1.id }.suffix(Self.mostReleases))
    let days = ReachGrid.instants(.days(1), after: since - .days(Self.mostDays), before: since)
    var instants = Set(days)
    for target in targets {
      for channels in [[]] + timeline.channels(of: target.id).map({ [$0] }) {
        var chosen = try ReleaseScope(vocabulary, app: app, release: target.label, now: since)
        chosen.selection.channels = channels
        instants.formUnion(ReachStarts(vocabulary, chosen).instants(until: since, Reach.Options().points))
      }
    }
    self.init(
      vocabulary, app, timeline, targets, instants.filter { $0 < since }.map(\.rawValue).sorted(), since: since)
  }

  /// With offers of releases whose rollout an instant falls into.
  var need: Need {
    let offers = JourneyColumns(JourneyTable.offers + JourneyTable.update).union([.buckets, .claims])
    let limited = Set(staged.values.flatMap(\.self).map(\.release))
    return Need(
      app: app, selection.population, journeys: Dictionary(uniqueKeysWithValues: limited.map { ($0, offers) }),
      devices: [.runs, .buckets])
  }

  var start: ReachHistoryTally { ReachHistoryTally(self) }

  /// The moments at which a release was let to some devices only; nil where there are none and it is let to all at the cutoff.
  func staged(_ rules: ReachRules) -> Range<Int>? {
    let moments = moment(notBefore: rules.publishedAt)..<moment(notBefore: rules.completeAt)
    return moments.isEmpty && !isOpen(rules) ? nil : moments
  }

  /// Whether it is let to some devices only at the cutoff.
  func isOpen(_ rules: ReachRules) -> Bool {
    rules.publishedAt <= since.rawValue && since.rawValue < rules.completeAt
  }

  func moment(notBefore instant: Int64) -> Int { instants.partitioningIndex { $0 >= instant } }
}

extension Vocabulary {
  var greatestRelease: Int { Int(releases.map(\.id).max() ?? 0) }
}
