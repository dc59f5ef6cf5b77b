import Lifecycle
import Store

/// Releases that ended long enough ago for a summary that does not know the last events to tell of them.
///
/// Their chance to update ended with the next release, so that of what was heard since, or lies beyond the cutoff, hardly
/// anything bears on them. The devices of which it may are counted twice: as they were known then, which is taken out, and as
/// they are now, which is put in. So an answer is what all devices say, to the byte. Costs a scan and as much of the
/// rules as the other releases do. Tested in Tests/QueryTests/EndedReleasesTests.
struct EndedReleases {
  let catalogue: CatalogueCounting
  /// When it was summarised: right after the newest contact that is in it.
  let since: Timestamp
  /// As they were then.
  private(set) var counted: [ReleaseCounts.Place: CountedRelease] = [:]
  private(set) var ended: [ReleaseRecord] = []
  private(set) var others: [ReleaseRecord] = []
  private(set) var changes: ChangeSpan

  /// A release has ended for so long before the summary that nothing of it is young; and before an earlier cutoff, that who was there
  /// lately is known to have been there after the end.
  private let age: Milliseconds

  /// Attempts and launches are watched for no longer.
  static let watched = max(
    LaunchCounts.watched, Failures.Options().attemptAge, Failures.Options().rollbackAge)
  private static let numbers: Set<Int64> = [
    SummaryPart.counted, SummaryPart.figures, SummaryPart.ground, SummaryPart.news, SummaryPart.early,
  ]

  /// nil where there are none.
  init?(_ snapshot: borrowing Snapshot, _ catalogue: CatalogueCounting) throws {
    let (risk, selection) = (catalogue.risk, catalogue.risk.selection)
    guard selection.isByDefaultRules,
      selection.platforms.isEmpty, selection.level == ReleaseFigures.level,
      let state = try snapshot.earlierSummaryState(app: selection.app), state.ground == risk.timeline.ground,
      let parts = try snapshot.summary(
        app: selection.app, releases: catalogue.releases.map(\.id), SummaryPart.ofCounts)
    else { return nil }
    (self.catalogue, since) = (catalogue, state.since)
    let margin = risk.cutOff.at >= state.since ? 0 : ChangeSpan.margin.rawValue
    age = Milliseconds(rawValue: Self.watched.rawValue + margin)
    changes = ChangeSpan(
      last: state.folded, limit: min(state.since, risk.cutOff.at).rawValue, watched: Self.watched)
    var counted: [ReleaseCounts.Place: CountedRelease] = [:]
    for part in parts where Self.numbers.contains(part.number) {
      counted[.init(part.release, part.channel), default: .init()].take(part)
    }
    let numbers = risk.vocabulary.numbers
    for record in catalogue.releases { sort(record, counted, numbers) }
    if ended.isEmpty { return nil }
  }

  /// Puts a release where it belongs: it ended on every channel that it came to, or is counted from devices.
  private mutating func sort(
    _ record: ReleaseRecord, _ counted: [ReleaseCounts.Place: CountedRelease], _ numbers: [String: Int64]
  ) {
    let channels = catalogue.risk.timeline.channels(of: record.id)
    let rules = channels.map { catalogue.risk.rules(of: record.id, on: $0) }
    var found: [ReleaseCounts.Place: CountedRelease] = [:]
    for (channel, rules) in zip(channels, rules) {
      let place = ReleaseCounts.Place(record.id, channel)
      guard let known = counted[place], known.figures != nil, known.ground == rules.ground,
        rules.allSatisfy({ $0.endedAt < changes.limit - age.rawValue })
      else { break }
      found[place] = known
    }
    guard !channels.isEmpty, found.count == channels.count, channels.allSatisfy({ numbers[$0] != nil }) else {
      return others.append(record)
    }
    ended.append(record)
    self.counted.merge(found) { $1 }
    changes.releases.insert(record.id)
    for (channel, rules) in zip(channels, rules) {
      guard let number = numbers[channel] else { continue }
      let place = ReleaseCounts.Place(record.id, channel)
      changes.watches[.init(release: record.id, channel: number)] = found[place]?.watch
      for rules in rules {
        changes.ended = max(changes.ended, rules.endedAt)
        changes.areNewerLate = changes.areNewerLate && rules.areNewerLate
        changes.early.note(rules, number)
      }
    }
  }
}
