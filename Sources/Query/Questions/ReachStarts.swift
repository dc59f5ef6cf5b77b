import Lifecycle
import Store

/// When the release came to the channels and platforms that a question looks at.
struct ReachStarts {
  let starts: [Group: Timeline.Start]
  private let superseded: [Group: Timestamp]

  init(_ vocabulary: Vocabulary, _ chosen: ReleaseScope) {
    var (starts, superseded): ([Group: Timeline.Start], [Group: Timestamp]) = ([:], [:])
    let platforms = ProfileTable(vocabulary).namedPlatforms
    for channel in chosen.timeline.channels {
      for platform in platforms {
        let place = Group(channel: channel, platform: platform)
        guard chosen.selection.includes(place),
          let start = chosen.timeline.start(chosen.target.id, channel: channel, platform: platform)
        else { continue }
        starts[place] = start
        superseded[place] = chosen.timeline.supersededAt(chosen.target.id, channel: channel, platform: platform)
      }
    }
    self.starts = starts
    self.superseded = superseded
  }

  /// Every publication and rollout step, and so many instants spread evenly from the first to the cut-off.
  func instants(until cutOff: Timestamp, _ points: Int) -> [Timestamp] {
    let steps = starts.values.flatMap { start in [start.publishedAt] + start.rollout.map(\.at) }
    guard let first = starts.values.map(\.publishedAt).min(), first < cutOff else { return [cutOff] }
    let span = (cutOff - first).rawValue
    let spread = (0...max(points, 1)).map {
      first + Milliseconds(rawValue: span / 1000 * Int64($0) / Int64(max(points, 1)) * 1000)
    }
    return Set(steps + spread + [cutOff]).filter { $0 <= cutOff }.sorted()
  }

  func starts(_ group: Group) -> [Timeline.Start] {
    starts.filter { place, _ in group.contains(place) }.map(\.value)
  }

  func publications(_ group: Group) -> [PublicationRow] {
    PublicationRow.rows(starts.filter { place, _ in group.contains(place) }, superseded)
  }
}
