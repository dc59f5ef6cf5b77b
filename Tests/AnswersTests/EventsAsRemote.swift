import Lifecycle
import Store

/// An engine as plain as can be: all events in memory, gone through for every request. Its numbers are other ones than the
/// file's, in another order.
struct EventsAsRemote: RemoteDatabase {
  let address: String
  let vocabulary: Vocabulary
  private let rows: [Row]
  /// By the first bits of the device.
  private let near: [UInt64: [Row]]

  private struct ReleaseName: Hashable {
    var app: String
    var label: String
  }

  init(file path: String) throws(StoreError) {
    let snapshot = try Snapshot(path: path)
    let events = try snapshot.events(after: 0, app: nil, limit: .max)
    let words = Set(events.flatMap { [$0.app, $0.channel, $0.platform, $0.reason].compactMap(\.self) })
    let numbers = Self.number(words.union(snapshot.vocabulary.apps).sorted().reversed())
    let profiles = Self.number(Set(events.map(\.profile)).sorted { "\($0)" > "\($1)" })
    let releases = Self.number(
      snapshot.vocabulary.releases.reversed().map { ReleaseName(app: $0.app, label: $0.label.rawValue) })
    var records = snapshot.vocabulary.releases
    for index in records.indices {
      records[index].id = releases[ReleaseName(app: records[index].app, label: records[index].label.rawValue)] ?? 0
    }
    vocabulary = Vocabulary(
      names: Dictionary(uniqueKeysWithValues: numbers.map { ($1, $0) }),
      profiles: Dictionary(uniqueKeysWithValues: profiles.map { ($1, $0) }), releases: records,
      lags: snapshot.vocabulary.lags, places: snapshot.vocabulary.places)
    address = "events://" + path
    rows = Self.rows(events, numbers, profiles, releases)
    near = Dictionary(grouping: rows) { $0.device >> 58 }
  }

  private static func number<Name: Hashable>(_ names: some Sequence<Name>) -> [Name: Int64] {
    Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, Int64($0) * 3 + 5) })
  }

  /// An event with its numbers.
  private struct Row {
    var event: StoredEvent
    var app, channel, platform, profile, reason, release, week: Int64
    var place: RemoteJourneys.Place?
    var bucket: Int64?
    var device: UInt64 { event.device.rawValue }
  }

  private static func rows(
    _ events: [StoredEvent], _ numbers: [String: Int64], _ profiles: [DeviceProfile: Int64],
    _ releases: [ReleaseName: Int64]
  ) -> [Row] {
    func number(_ word: String?) -> Int64 { word.flatMap { numbers[$0] } ?? 0 }
    return events.map { event in
      let release = event.release.flatMap { releases[ReleaseName(app: event.app, label: $0)] } ?? 0
      let channel = number(event.channel)
      let hasPlace = release != 0 && Milestone(event.stage) != nil
      return Row(
        event: event, app: number(event.app), channel: channel, platform: number(event.platform),
        profile: profiles[event.profile] ?? 0, reason: number(event.reason), release: release,
        week: min(max(event.at.seconds / 604_800, 2087), 6783),
        place: hasPlace ? RemoteJourneys.Place(release: release, channel: channel) : nil,
        bucket: event.bucket.map { event.at.rawValue << 7 | $0 })
    }
  }

  private func rows(_ range: DeviceRange) -> [Row] {
    let isWide = range.hashes.upperBound >> 58 != range.hashes.lowerBound >> 58
    let candidates = isWide ? rows : near[range.hashes.lowerBound >> 58] ?? []
    return candidates.filter { $0.app == range.app && range.hashes.contains($0.device) }
  }

  func journeyPlaces(_ app: Int64) -> [RemoteJourneys.Place] {
    Array(Set(rows.filter { $0.app == app }.compactMap(\.place)))
  }

  func profiles(_ app: Int64) -> Set<Int64> {
    Set(rows.filter { $0.app == app && $0.event.stage.isContact }.map(\.profile))
  }

  func weeks(_ app: Int64) -> [Int64] {
    Array(Set(rows.filter { $0.app == app && Self.wakeStages.contains($0.event.stage) }.map(\.week)))
  }

  func devices(_ range: DeviceRange) -> RemoteDevices {
    var found = RemoteDevices()
    // Everything twice and backwards: none of it may matter.
    let rows = rows(range).filter(\.event.stage.isContact)
    for row in (rows + rows).reversed() {
      let claim = Claim(row.event.stage, namesRelease: row.release != 0)
      found.contacts.append(
        .init(
          device: row.device, channel: row.channel, claim: claim, release: row.release, first: row.event.at,
          last: row.event.at))
      found.profiles.append(.init(device: row.device, profile: row.profile, first: row.event.at))
      if let bucket = row.bucket { found.buckets.append(.init(device: row.device, packed: bucket)) }
    }
    return found
  }

  func journeys(_ range: DeviceRange, on releases: [Int64]) -> RemoteJourneys {
    var found = RemoteJourneys()
    for row in rows(range).reversed() {
      guard let place = row.place, releases.contains(place.release), let milestone = Milestone(row.event.stage) else {
        continue
      }
      found.firsts[place, default: []].append(
        .init(
          device: row.device, milestone: milestone, first: FirstTime(row.event.at, row.event.trigger),
          reason: row.reason))
      if let bucket = row.bucket {
        found.buckets[place, default: []].append(.init(device: row.device, packed: bucket))
      }
    }
    return found
  }

  private static let wakeStages: Set<Stage> = [.pushSent, .pushReceived, .wakeStarted, .wakeFinished, .check]

  func wakes(_ range: DeviceRange, in weeks: [Int64]) -> [RemoteWake] {
    rows(range).filter { Self.wakeStages.contains($0.event.stage) && weeks.contains($0.week) }.map { row in
      let event = row.event
      return RemoteWake(
        week: row.week, device: row.device, at: event.at, stage: event.stage, trigger: event.trigger,
        outcome: event.outcome, network: event.network.map { Network($0).rawValue } ?? 0, push: event.push ?? 0,
        milliseconds: event.duration.map { Int32(clamping: $0.rawValue) } ?? -1, release: row.release,
        channel: row.channel, platform: row.platform)
    }
  }

  /// Keeps no tallies.
  func settledState() -> Int64? { nil }
  func summaryState(_ app: Int64) -> SummaryState? { nil }
  func summary(_ app: Int64, on releases: [Int64], _ numbers: Range<Int64>) -> [SummaryPart]? { nil }
  func keep(_ state: SummaryState, _ parts: [SummaryPart], _ app: Int64) {}

  func nodes(quietSince instant: Timestamp) -> QuietNodes { QuietNodes() }

  func deviceCount() -> Int { Set(rows.map(\.device)).count }

  func trail(of device: DeviceHash, app: String, limit: Int) -> [TrailEvent] {
    rows.reversed().lazy.map(\.event).filter { $0.device == device && $0.app == app }.prefix(limit).map { event in
      TrailEvent(
        at: event.at, stage: event.stage, trigger: event.trigger, outcome: event.outcome, release: event.release,
        reason: event.reason, duration: event.duration, channel: event.channel, network: event.network)
    }
  }
}

extension StoredEvent {
  fileprivate var profile: DeviceProfile {
    DeviceProfile(
      platform: platform, osVersion: osVersion, appVersion: appVersion, sdkVersion: sdkVersion, arm: arm,
      emulator: isEmulator, traits: traits.text)
  }
}
