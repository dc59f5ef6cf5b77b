internal import Console
internal import Lifecycle
internal import Query
internal import Store

/// A publication whose time is not what the events say.
extension PublicationDraft {
  /// Who halts a release, or goes back to it, means no other publication.
  var move: PublicationSlip? {
    guard let before = before?.publishedAt, before != publication.publishedAt else { return nil }
    guard let passed = passed(since: before) else {
      return .init(
        .moved, "\(moved(from: before)); to keep the time \(.keepTime(before)), and to halt it: \(.halt(publication))")
    }
    let other = passed.release.rawValue
    return .init(
      .moved,
      """
      \(moved(from: before)). \(other) counts as older than it from then on: devices that leave it are no more counted as waiting, its \
      limits no longer come from \(name), and its figures change. Who goes back to \(name) need not publish it: once \(other) is halted \
      all get \(name) again
      to keep the time \(.keepTime(before)), and to halt \(other): \(.halt(passed))
      """)
  }

  private func moved(from before: Timestamp) -> String {
    "\(name) was registered there at \(before.words): now it counts as published at \(publication.publishedAt.words), and what"
      + " devices did before as done before its publication"
  }

  /// The newest of those that were published after it, and before its new time.
  private func passed(since before: Timestamp) -> Publication? {
    vocabulary.releases.filter { $0.app == publication.app && $0.label != publication.release }.flatMap(\.publications)
      .filter { other in
        other.channel == publication.channel
          && (other.platform == nil || publication.platform == nil || other.platform == publication.platform)
          && other.publishedAt > before && other.publishedAt <= publication.publishedAt
      }.max { $0.publishedAt < $1.publishedAt }
  }

  var future: PublicationSlip? {
    let ahead = publication.publishedAt - now
    guard ahead > .minutes(1) else { return nil }
    return .init(.future, "\(name) comes only in \(lengthWords(ahead)), at \(publication.publishedAt.words)")
  }

  fileprivate var name: String { publication.release.rawValue }

  /// By events about the release: a device that merely runs it may have had it from a store.
  fileprivate var firstSpoken: Timestamp? {
    let sightings = vocabulary.record(of: publication)?.sightings ?? []
    return sightings.filter { seen in
      seen.channel == publication.channel && (publication.platform == nil || seen.platform == publication.platform)
    }.compactMap(\.firstSubjectAt).min()
  }

  /// In order of time. Releases of a lower version number are older, whoever registers them later.
  fileprivate var newer: [Publication] {
    let own = ReleaseNumber(publication.release)
    return vocabulary.releases.filter { other in
      guard other.app == publication.app, other.label != publication.release else { return false }
      return own.flatMap { own in ReleaseNumber(other.label).map { !own.isLower(than: $0) } } ?? true
    }.flatMap(\.publications).filter { other in
      other.channel == publication.channel
        && (other.platform == nil || publication.platform == nil || other.platform == publication.platform)
        && other.publishedAt > publication.publishedAt && other.publishedAt <= now
    }.sorted { $0.publishedAt < $1.publishedAt }
  }

  /// At the whole minute of that instant.
  fileprivate func setRight(_ first: Timestamp) -> SlipWords.Deed {
    let minute = Timestamp(rawValue: first.rawValue - first.rawValue % Milliseconds.minutes(1).rawValue)
    return .register(publication.moved(to: minute, now: now))
  }
}

extension Snapshot {
  /// Devices had it before. Who goes back to a release that was registered in time is told by its move.
  borrowing func sightings(of draft: PublicationDraft) throws -> PublicationSlip? {
    let (at, before) = (draft.publication.publishedAt, draft.before?.publishedAt)
    let limit = min(at, before ?? at) - .minutes(5)
    guard at != before, let spoken = try times(of: draft, before: limit), let first = spoken.first,
      spoken.before(limit) * 100 >= spoken.devices
    else { return nil }
    let begin = spoken.areMany(before: limit) ? spoken.begin : nil
    let words = """
      \(grouped(spoken.before(limit))) of \(counted(spoken.devices, "device")) \
      \(spoken.before(limit) == 1 ? "has" : "have") spoken of \(draft.name) on \
      \(draft.publication.channel) since \((begin ?? first).words), \(lengthWords(at - (begin ?? first))) before
      """
    return .init(
      .devicesBefore,
      begin.map { "\(words): is its time right (UTC)?\nto set it right: \(draft.setRight($0))" }
        ?? "\(words): \(spoken.haveSlowClocks ? "so long before all others they" : "so few") may have slow clocks, or an early build"
    )
  }

  /// Another release counts as newer, though devices took that one before this.
  borrowing func order(of draft: PublicationDraft) throws -> PublicationSlip? {
    let later = draft.newer
    guard !later.isEmpty, draft.publication.publishedAt != draft.before?.publishedAt,
      let begin = try times(of: draft, before: .init(rawValue: .max))?.begin,
      let newer = later.last(where: { $0.publishedAt < begin })
    else { return nil }
    return .init(
      .countsAsOlder,
      """
      \(newer.release.rawValue), published at \(newer.publishedAt.words), counts as newer than \(draft.name), which devices first \
      spoke of \(lengthWords(begin - newer.publishedAt)) later, at \(begin.words): is its time right (UTC)?
      to set it right: \(draft.setRight(begin))
      """)
  }

  /// nil where no device spoke of it before an instant: then none is looked at.
  private borrowing func times(of draft: PublicationDraft, before limit: Timestamp) throws -> SpokenTimes? {
    guard let first = draft.firstSpoken, first < limit else { return nil }
    return try spokenTimes(of: draft.publication, until: max(draft.now, draft.publication.publishedAt))
  }
}

private func lengthWords(_ length: Milliseconds) -> String { duration(seconds: Double(length.rawValue) / 1000) }

extension Publication {
  /// Its steps move along, but for one that was to begin now.
  fileprivate func moved(to instant: Timestamp, now: Timestamp) -> Publication {
    var copy = self
    copy.publishedAt = instant
    for index in copy.rollout.indices where rollout[index].at != now || publishedAt == now {
      copy.rollout[index].at = instant + (rollout[index].at - publishedAt)
    }
    return copy
  }
}
