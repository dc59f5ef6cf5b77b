internal import Console
import Lifecycle
import Store

/// A release that devices ran before this one came, and that was published once more after it: it counts as newer, and who goes back to
/// it as having got past this one.
func publishedAgain(_ chosen: ReleaseScope, _ starts: [Group: Timeline.Start]) -> Warning? {
  let found = starts.sorted { $0.key < $1.key }.flatMap { place, start in
    again(chosen, place.channel ?? "", place.platform, start)
  }.first
  return found.map { release, at in
    let (old, own) = (named(release), named(chosen.selection.release.rawValue))
    return Warning(
      "published_again",
      "\(old) was there before \(own), and was published again at \(at.words): it counts as newer since, so devices that run it are left"
        + " out or done, and figures of \(own) are of the others; once a release is halted all get the one before without that"
    )
  }
}

private func again(
  _ chosen: ReleaseScope, _ channel: String, _ platform: String?, _ start: Timeline.Start
) -> [(release: String, at: Timestamp)] {
  let timeline = chosen.timeline
  return timeline.newer(than: chosen.target.id, channel: channel, platform: platform).compactMap { id in
    guard let record = timeline.record(id), let own = timeline.start(id, channel: channel, platform: platform),
      !own.isInferred, own.publishedAt <= chosen.selection.now,
      record.sightings.contains(where: { $0.channel == channel && $0.firstAt < start.publishedAt })
    else { return nil }
    return (record.label.rawValue, own.publishedAt)
  }.sorted { ($0.at, $0.release) < ($1.at, $1.release) }
}
