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

  /// Every publication and rollout step, the second before each step, and round instants from the first publication to the cutoff.
  func instants(until cutOff: Timestamp, _ points: Int) -> [Timestamp] {
    guard let first = starts.values.map(\.publishedAt).min(), first < cutOff else { return [cutOff] }
    let step = ReachGrid.step(over: cutOff - first, points: points)
    let all = starts.values.flatMap(\.turns) + ReachGrid.instants(step, after: first, before: cutOff) + [cutOff]
    return Set(all).filter { $0 <= cutOff }.sorted()
  }

  func starts(_ group: Group) -> [Timeline.Start] {
    starts.filter { place, _ in group.contains(place) }.map(\.value)
  }

  func publications(_ group: Group) -> [PublicationRow] {
    PublicationRow.rows(starts.filter { place, _ in group.contains(place) }, superseded)
  }
}

extension Timeline.Start {
  /// When the release came, and where each share of the rollout ends and the next one begins.
  fileprivate var turns: [Timestamp] {
    let steps = rollout.map(\.at).filter { $0 > publishedAt }
    return [publishedAt] + steps.flatMap { [max($0 - .seconds(1), publishedAt), $0] }
  }
}
