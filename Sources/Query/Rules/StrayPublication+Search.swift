import Lifecycle
import Store

/// A channel, or a platform of it that gets releases of its own.
struct StrayPlace {
  let channel: String
  /// nil for all.
  var platform: String?

  func holds(_ sighting: Sighting) -> Bool {
    sighting.channel == channel && (platform == nil || sighting.platform == platform)
  }

  /// A platform's own come before those for all platforms.
  func publications(of record: ReleaseRecord) -> [Publication] {
    let all = record.publications.filter { $0.channel == channel }
    guard let platform else { return all }
    let own = all.filter { $0.platform == platform }
    return own.isEmpty ? all.filter { $0.platform == nil } : own
  }
}

extension StrayPublication.Fault {
  /// - Parameter judged: when the registered release came that counts as the newest.
  init?(_ record: ReleaseRecord, at place: StrayPlace, since: Timestamp, judged: Timestamp?, now: Timestamp) {
    let registered = place.publications(of: record).map(\.publishedAt)
    guard let first = registered.min() else {
      self.init(missing: record, at: place, isAnyJudged: judged != nil, now: now)
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

  /// Of one that is not registered there. Where it was taken back, what the channel got since says so.
  private init?(missing record: ReleaseRecord, at place: StrayPlace, isAnyJudged: Bool, now: Timestamp) {
    guard !record.publications.isEmpty else {
      guard isAnyJudged else { return nil }
      self =
        record.lastWithdrawal(near: place.channel, until: now).map { .withdrawn(from: $0.channel, at: $0.at) }
        ?? .unregistered
      return
    }
    guard record.withdrawnAt(place.channel, [place.platform].compactMap(\.self), until: now) == nil else { return nil }
    let others = record.publications.filter { $0.channel == place.channel }.compactMap(\.platform)
    if others.isEmpty {
      guard isAnyJudged else { return nil }
      self = .elsewhere(Set(record.publications.map(\.channel)).sorted())
    } else {
      self = .otherPlatforms(Set(others).sorted())
    }
  }
}

/// The newest registered release of a place that devices speak of.
struct RegisteredThere {
  let record: ReleaseRecord
  let at: Timestamp
  /// A newer one that no device ever named.
  let unheard: ReleaseLabel?

  init?(_ timeline: Timeline, at place: StrayPlace, now: Timestamp) {
    let all = timeline.releases.compactMap { record -> (record: ReleaseRecord, at: Timestamp)? in
      place.publications(of: record).map(\.publishedAt).filter { $0 <= now }.max().map { (record, $0) }
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
  /// So many of the newest are counted, and of the oldest, which no later label hides.
  private static let few = 5

  /// The newest first, without counts; by what is kept of releases, so that no device is looked at for it.
  ///
  /// - Parameters:
  ///   - channels: empty for all.
  ///   - platforms: likewise, of what is about one platform.
  static func all(
    _ vocabulary: Vocabulary, app: String, channels: [String], platforms: [String] = [], now: Timestamp
  ) -> [StrayPublication] {
    let timeline = Timeline(vocabulary, app: app, until: now)
    let looked = timeline.channels.filter { channels.isEmpty || channels.contains($0) }
    return looked.flatMap { channel -> [StrayPublication] in
      let whole = timeline.strays(on: channel, now: now)
      let apart = timeline.straysApart(on: channel, now: now).filter { one in
        platforms.include(one.platform) && !whole.contains { $0.release == one.release }
      }
      return [whole, apart].flatMap { strays -> [StrayPublication] in
        let sorted = strays.sorted { $0.since > $1.since }
        return sorted.prefix(few) + sorted.dropFirst(few).suffix(few)
      }
    }
  }
}

extension Timeline {
  fileprivate func strays(on channel: String, now: Timestamp) -> [StrayPublication] {
    let place = StrayPlace(channel: channel)
    let judged = RegisteredThere(self, at: place, now: now)
    return releases.filter { $0.id != judged?.record.id }.compactMap {
      StrayPublication($0, at: place, judged, now: now)
    }
  }

  /// Of each platform that devices name, where platforms get releases apart.
  fileprivate func straysApart(on channel: String, now: Timestamp) -> [StrayPublication] {
    let named = Set(releases.flatMap(\.publications).filter { $0.channel == channel }.compactMap(\.platform))
    if named.isEmpty { return [] }
    // Those that no publication names get the same.
    let rest = RegisteredThere(self, at: StrayPlace(channel: channel, platform: ""), now: now)
    let own = Dictionary(
      uniqueKeysWithValues: named.map { platform in
        (platform, RegisteredThere(self, at: StrayPlace(channel: channel, platform: platform), now: now))
      })
    let found = releases.flatMap { record -> [StrayPublication] in
      let heard = Set(record.sightings.filter { $0.channel == channel }.compactMap(\.platform)).sorted()
      return heard.compactMap { platform in
        let judged = own[platform] ?? rest
        if judged?.record.id == record.id { return nil }
        return StrayPublication(record, at: StrayPlace(channel: channel, platform: platform), judged, now: now)
      }
    }
    // On a platform that nothing was ever registered for, each release that devices ever took is one.
    let newest = Dictionary(found.map { ($0.platform, $0.since) }) { max($0, $1) }
    return found.filter { $0.judged != nil || $0.since == newest[$0.platform] }
  }
}

extension ReleaseRecord {
  /// By version number, where both have one.
  func isLower(than other: ReleaseRecord) -> Bool {
    guard let own = ReleaseNumber(label), let other = ReleaseNumber(other.label) else { return false }
    return own.isLower(than: other)
  }
}
