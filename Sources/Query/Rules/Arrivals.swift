import Lifecycle
import Store

/// When an app's releases came to each channel and platform, and their version numbers: found once for all that is asked of a timeline,
/// or every release of thousands would be held against each other anew, text by text.
struct Arrivals: Sendable {
  struct Arrival: Sendable {
    /// Of the record.
    let place: Int
    let start: Timeline.Start
    /// When anything first spoke of it on the channel; nil where nothing did.
    let heard: Timestamp?
  }
  private struct Target: Hashable {
    let channel: String
    let platform: String?
  }
  private let known: [Target: [Arrival]]
  private let platforms: Set<String>
  /// By the place of the record, of those that nobody registered: of others the publication says which is newer.
  private let numbers: [ReleaseNumber?]
  /// By the place of the record, when anything first spoke of it; nil where nothing did.
  private let heard: [Timestamp?]

  /// - Parameter heard: the platforms of devices.
  init(_ records: [ReleaseRecord], _ heard: Set<String>) {
    platforms = heard.union(records.flatMap(\.publications).compactMap(\.platform))
    let asked = platforms.map(Optional.some) + [nil]
    var known: [Target: [Arrival]] = [:]
    for (place, record) in records.enumerated() {
      let isAlike = record.publications.allSatisfy { $0.platform == nil }
      for channel in Set(record.publications.map(\.channel) + record.sightings.map(\.channel)) {
        let (own, heard) = (record.start(on: channel, nil), record.heard(on: channel))
        for platform in asked {
          guard let start = isAlike ? own : record.start(on: channel, platform) else { continue }
          let arrival = Arrival(place: place, start: start, heard: heard)
          known[Target(channel: channel, platform: platform), default: []].append(arrival)
        }
      }
    }
    self.known = known
    numbers = records.map { $0.publications.isEmpty ? ReleaseNumber($0.label) : nil }
    self.heard = records.map { $0.sightings.map(\.firstAt).min() }
  }

  /// Nothing spoke of the release before the instant.
  func isUnseen(_ place: Int, before instant: Timestamp) -> Bool { heard[place].map { $0 >= instant } ?? true }

  /// Whether the number of one that nobody registered is lower than another.
  func isLower(_ place: Int, than other: ReleaseNumber?) -> Bool {
    guard let own = numbers[place], let other else { return false }
    return own.isLower(than: other)
  }

  /// In the order of the records.
  func there(_ channel: String, _ platform: String?, of records: [ReleaseRecord]) -> [Arrival] {
    if platform.map(platforms.contains) ?? true { return known[Target(channel: channel, platform: platform)] ?? [] }
    return records.enumerated().compactMap { place, record in
      record.start(on: channel, platform).map {
        Arrival(place: place, start: $0, heard: record.heard(on: channel))
      }
    }
  }
}

extension ReleaseRecord {
  fileprivate func heard(on channel: String) -> Timestamp? {
    sightings.filter { $0.channel == channel }.map(\.firstAt).min()
  }

  /// A registered publication counts, the platform's own before one for all platforms. Only for a release of which no
  /// publication at all is registered, the first event about it on the channel stands in.
  func start(on channel: String, _ platform: String?) -> Timeline.Start? {
    guard publications.isEmpty else {
      let onChannel = publications.filter { $0.channel == channel }
      let own = onChannel.first { $0.platform == platform } ?? onChannel.first { $0.platform == nil }
      return (own ?? (platform == nil ? onChannel.min { $0.publishedAt < $1.publishedAt } : nil))
        .map(Timeline.Start.init)
    }
    let first = sightings.filter { $0.channel == channel }.compactMap(\.firstSubjectAt).min()
    return first.map { Timeline.Start(publishedAt: $0, rollout: [], mandatory: false, isInferred: true) }
  }
}
