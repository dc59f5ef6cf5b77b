internal import Console
import Lifecycle
import Store

/// Where a release came to one channel or platform later than to another, the curve of both goes on with the devices of one.
///
/// - Parameter asked: ages that it is to be told at.
func agesWarning(_ tables: RiskTables, _ chosen: ReleaseScope, at asked: [Milliseconds] = []) -> [Warning] {
  agesWarning(tables, of: chosen.target, by: chosen.selection.by, at: asked)
}

func agesWarning(
  _ tables: RiskTables, of release: ReleaseRecord, by groupings: [Grouping], at asked: [Milliseconds] = []
) -> [Warning] {
  let channels = groupings.contains(.channel) ? [] : [tables.followed(by: \.channel)]
  // Channels apart: that one has fewer platforms is another matter.
  let platforms =
    groupings.contains(.platform)
    ? [] : Set(tables.starts.keys.compactMap(\.channel)).sorted().map { tables.followed(by: \.platform, on: $0) }
  let ages = asked.map { $0.rawValue / 1000 }
  return warning(channels, "channel", release, ages) + warning(platforms, "platform", release, ages)
}

/// - Parameter followed: of each place that is looked at by itself; the first whose parts are far apart is told of.
private func warning(
  _ followed: [[FollowedPart]], _ noun: String, _ release: ReleaseRecord, _ ages: [Int64]
) -> [Warning] {
  let label = release.label.rawValue
  return Array(followed.lazy.compactMap { $0.agesWarning(noun, label, ask: "--by \(noun)", at: ages) }.prefix(1))
}

/// A channel or a platform that a release came to.
struct FollowedPart {
  var name: String
  /// With time at risk.
  var devices: Int
  var publishedAt: Timestamp
  /// Seconds from the publication to where the data, or the release's turn, end.
  var length: Int64
  /// Whether its turn is over.
  var isOver = false
}

extension RiskTables {
  /// By channel or by platform, the one followed for the shortest time first; fewer than one device in a hundred bend no curve.
  func followed(by part: KeyPath<Group, String?>, on channel: String? = nil) -> [FollowedPart] {
    var devices: [Group: Int] = [:]
    // Cells may be apart by more than channel and platform.
    for (group, cell) in cells {
      devices[Group(channel: group.channel, platform: group.platform), default: 0] += cell.sums.devices
    }
    var found: [String: FollowedPart] = [:]
    for (group, start) in starts where channel == nil || channel == group.channel {
      guard let count = devices[group], count > 0 else { continue }
      let end = min(cutOff.at, endedAt[group] ?? cutOff.at)
      let one = FollowedPart(
        name: group[keyPath: part] ?? Group.unnamed, devices: count, publishedAt: start.publishedAt,
        length: (end - start.publishedAt).rawValue / 1000, isOver: end < cutOff.at)
      found[one.name] = found[one.name]?.with(one) ?? one
    }
    let all = found.values.reduce(0) { $0 + $1.devices }
    return found.values.filter { $0.devices * 100 >= all }.sorted { ($0.length, $0.name) < ($1.length, $1.name) }
  }
}

extension FollowedPart {
  /// Both as one, followed for as long as any of them.
  fileprivate func with(_ other: Self) -> Self {
    Self(
      name: name, devices: devices + other.devices, publishedAt: min(publishedAt, other.publishedAt),
      length: max(length, other.length), isOver: isOver && other.isOver)
  }
}

extension [FollowedPart] {
  /// - Parameters:
  ///   - option: that tells the parts from each other.
  ///   - ages: asked for, in seconds.
  func agesWarning(_ noun: String, _ release: String, ask option: String, at ages: [Int64] = []) -> Warning? {
    (farApart ?? parted(at: ages)).map { shortest, longest in
      Warning(
        "\(noun)s_of_different_age",
        "\(named(release)) was followed for \(duration(seconds: Double(shortest.length))) on"
          + " \(named(shortest.name)), and longer on \(named(longest.name)): beyond that age "
          + (shortest.isOver ? "the curve is made of fewer \(noun)s" : "nothing is estimated of them together")
          + "; ask with \(option)")
    }
  }

  /// The same where an age lies between.
  private func parted(at ages: [Int64]) -> (shortest: FollowedPart, longest: FollowedPart)? {
    guard let first, let last, ages.contains(where: { $0 > first.length && $0 <= last.length }) else { return nil }
    return (first, last)
  }

  /// The first and the last, where the last was followed for more than twice as long within a week.
  private var farApart: (shortest: FollowedPart, longest: FollowedPart)? {
    guard let first, let last, first.length < 7 * 86_400, first.length * 2 < last.length else { return nil }
    return (first, last)
  }
}
