internal import Console
import Lifecycle
import Store

/// Where a release came to one channel later than to another, the curve of both goes on with the devices of one.
func agesWarning(_ tables: RiskTables, _ chosen: ReleaseScope) -> [Warning] {
  guard !chosen.selection.by.contains(.channel) else { return [] }
  let followed = followed(tables)
  guard let (shortest, longest) = followed.extremes, shortest.length < 7 * 86_400,
    shortest.length * 2 < longest.length
  else { return [] }
  return [
    Warning(
      "channels_of_different_age",
      "\(named(chosen.selection.release.rawValue)) was followed for \(duration(seconds: Double(shortest.length))) on"
        + " \(named(shortest.channel)), and longer on \(named(longest.channel)): beyond that age the curve is made of"
        + " fewer channels; ask with --by channel")
  ]
}

/// Seconds from the publication to where the data, or the release's turn, end, by channel with eligible devices.
private func followed(_ tables: RiskTables) -> [String: Int64] {
  // Cells may be apart by more than channel and platform.
  let eligible = Set(
    tables.cells.lazy.filter { $1.sums.devices > 0 }.map { Group(channel: $0.key.channel, platform: $0.key.platform) })
  var found: [String: Int64] = [:]
  for (group, start) in tables.starts where eligible.contains(group) {
    guard let channel = group.channel else { continue }
    let end = min(tables.cutOff.at, tables.endedAt[group] ?? tables.cutOff.at)
    found[channel] = max(found[channel] ?? 0, (end - start.publishedAt).rawValue / 1000)
  }
  return found
}

extension [String: Int64] {
  fileprivate typealias Channel = (channel: String, length: Int64)

  fileprivate var extremes: (shortest: Channel, longest: Channel)? {
    let ordered = sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map { (channel: $0.key, length: $0.value) }
    guard let first = ordered.first, let last = ordered.last else { return nil }
    return (first, last)
  }
}
