internal import Answers
internal import Console
internal import Lifecycle
internal import Query
internal import Store

/// A publication whose time is not what the events say.
extension Invocation {
  /// Who halts a release, or goes back to it, means no other publication.
  func slip(ofMove publication: Publication, _ vocabulary: Vocabulary) -> String? {
    guard let before = vocabulary.registered(publication)?.publishedAt, before != publication.publishedAt else {
      return nil
    }
    return "\(publication.release.rawValue) was registered there at \(before.words): now it counts as published at"
      + " \(publication.publishedAt.words), and what devices did before as done before its publication; to keep the time add --at"
      + " \(before.rfc3339), and to halt it: \(pasted(publication.named("halt")))"
  }

  func slip(ofFuture publication: Publication) -> String? {
    let ahead = publication.publishedAt.rawValue - now.rawValue
    guard ahead > Milliseconds.minutes(1).rawValue else { return nil }
    let words = Console.duration(seconds: Double(ahead) / 1000)
    return "\(publication.release.rawValue) comes only in \(words), at \(publication.publishedAt.words)"
  }

  /// Devices had it before. Who goes back to a release that was registered in time is told by its move.
  func slip(ofSightings publication: Publication, _ snapshot: borrowing Snapshot) throws -> String? {
    let (at, before) = (publication.publishedAt, snapshot.vocabulary.registered(publication)?.publishedAt)
    let limit = min(at, before ?? at) - .minutes(5)
    guard at != before, let spoken = try times(of: publication, before: limit, snapshot), let first = spoken.first,
      spoken.before(limit) * 100 >= spoken.devices
    else { return nil }
    let begin = spoken.areMany(before: limit) ? spoken.begin : nil
    let have = spoken.before(limit) == 1 ? "has" : "have"
    let who = "\(grouped(spoken.before(limit))) of \(counted(spoken.devices, "device")) \(have) spoken of"
    let words =
      "\(who) \(publication.release.rawValue) on \(publication.channel) since \((begin ?? first).words),"
      + " \(words(at - (begin ?? first))) before"
    if let begin { return "\(words): is its time right (UTC)?\n\(setRight(publication, begin))" }
    return "\(words): so few may have slow clocks, or an early build"
  }

  /// Another release counts as newer, though devices took that one before this.
  func slip(ofOrder publication: Publication, _ snapshot: borrowing Snapshot) throws -> String? {
    let later = snapshot.vocabulary.newer(than: publication, until: instant)
    guard !later.isEmpty, publication.publishedAt != snapshot.vocabulary.registered(publication)?.publishedAt,
      let begin = try times(of: publication, before: .init(rawValue: .max), snapshot)?.begin,
      let newer = later.last(where: { $0.publishedAt < begin })
    else { return nil }
    return "\(newer.release.rawValue), published at \(newer.publishedAt.words), counts as newer than"
      + " \(publication.release.rawValue), which devices first spoke of \(words(begin - newer.publishedAt)) later, at"
      + " \(begin.words): is its time right (UTC)?\n\(setRight(publication, begin))"
  }

  /// nil where no device spoke of it before an instant: then none is looked at.
  private func times(
    of publication: Publication, before limit: Timestamp, _ snapshot: borrowing Snapshot
  ) throws -> SpokenTimes? {
    guard let first = snapshot.vocabulary.firstSpoken(of: publication), first < limit else { return nil }
    return try snapshot.spokenTimes(of: publication, until: max(instant, publication.publishedAt))
  }

  private func setRight(_ publication: Publication, _ first: Timestamp) -> String {
    let minute = Timestamp(rawValue: first.rawValue - first.rawValue % Milliseconds.minutes(1).rawValue)
    return "to set it right: \(pasted(publication.moved(to: minute, now: instant).command))"
  }

  private func words(_ length: Milliseconds) -> String { Console.duration(seconds: Double(length.rawValue) / 1000) }
}

extension Vocabulary {
  /// The publication that another takes the place of.
  func registered(_ publication: Publication) -> Publication? {
    record(of: publication)?.publications.first { $0.isSamePlace(as: publication) }
  }

  /// By events about the release: a device that merely runs it may have had it from a store.
  fileprivate func firstSpoken(of publication: Publication) -> Timestamp? {
    let sightings = record(of: publication)?.sightings ?? []
    return sightings.filter { seen in
      seen.channel == publication.channel && (publication.platform == nil || seen.platform == publication.platform)
    }.compactMap(\.firstSubjectAt).min()
  }

  /// In order of time. Releases of a lower version number are older, whoever registers them later.
  fileprivate func newer(than publication: Publication, until now: Timestamp) -> [Publication] {
    let own = ReleaseNumber(publication.release)
    return releases.filter { other in
      guard other.app == publication.app, other.label != publication.release else { return false }
      return own.flatMap { own in ReleaseNumber(other.label).map { !own.isLower(than: $0) } } ?? true
    }.flatMap(\.publications).filter { other in
      other.channel == publication.channel
        && (other.platform == nil || publication.platform == nil || other.platform == publication.platform)
        && other.publishedAt > publication.publishedAt && other.publishedAt <= now
    }.sorted { $0.publishedAt < $1.publishedAt }
  }
}

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
