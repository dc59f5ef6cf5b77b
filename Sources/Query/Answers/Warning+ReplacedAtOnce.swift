internal import Console
import Lifecycle
import Store

extension Warning {
  /// Two releases were registered on one channel minutes apart, as if to be tried side by side: the later one ends the earlier one's turn.
  public static let replacedAtOnce = "replaced_at_once"

  /// Of the earlier one, on the channels and platforms that are looked at; nil where none took its place so soon.
  static func replacedAtOnce(_ chosen: ReleaseScope) -> Warning? {
    let (selection, timeline) = (chosen.selection, chosen.timeline)
    let own = chosen.target.publications.filter {
      (selection.channels.isEmpty || selection.channels.contains($0.channel)) && $0.looksAt(selection.platforms)
    }
    return own.lazy.compactMap { earlier in
      timeline.releases.lazy.flatMap(\.publications).first { $0.endsAtOnce(earlier, by: selection.now) }
        .map { replaced(earlier, by: $0) }
    }.first
  }

  /// Of the later one, for a week: on the channel and platforms of its verdict.
  static func replacedAtOnce(_ row: Verdict, _ timeline: Timeline, now: Timestamp) -> Warning? {
    guard let record = timeline.record(ReleaseLabel(rawValue: row.release)) else { return nil }
    let own = record.publications.filter {
      $0.channel == row.channel && $0.looksAt(row.platforms) && now - $0.publishedAt < .days(7)
    }
    return own.lazy.compactMap { later in
      timeline.releases.lazy.flatMap(\.publications).first { later.endsAtOnce($0, by: now) }
        .map { replaced($0, by: later) }
    }.first
  }

  private static func replaced(_ earlier: Publication, by later: Publication) -> Warning {
    let length = lengthWords(later.publishedAt - earlier.publishedAt)
    let (old, new) = (named(earlier.release.rawValue), named(later.release.rawValue))
    return Warning(
      replacedAtOnce,
      "\(new) was published on \(named(later.channel)) \(length) after \(old), and ends its turn: adoption of \(old) is counted up to"
        + " then alone; releases that are to be out side by side need a channel each")
  }
}

extension Publication {
  fileprivate func looksAt(_ platforms: [String]) -> Bool { platform == nil || platforms.include(platform) }

  /// Within ten minutes, on any of the other's platforms.
  fileprivate func endsAtOnce(_ other: Publication, by now: Timestamp) -> Bool {
    let gap = publishedAt - other.publishedAt
    return other.channel == channel && other.release != release && publishedAt <= now
      && gap > .seconds(0) && gap < .minutes(10)
      && (platform == nil || other.platform == nil || platform == other.platform)
  }
}
