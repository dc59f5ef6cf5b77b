import Lifecycle
import Store

/// What the figures of a release on a channel rest on beside devices and what is registered: events say it, and later ones may
/// say otherwise.
extension SummaryPart {
  static let ground: Int64 = 64

  /// nil where the release came to no platform there.
  init?(grounding figures: SummaryPart, _ question: RiskCounting) {
    let rules = question.rules(of: figures.release, on: figures.channel)
    if rules.isEmpty { return nil }
    self.init(
      release: figures.release, channel: figures.channel, platform: "", number: Self.ground, values: rules.ground)
  }
}

extension RiskCounting {
  /// Of a release on a channel, by platform; of those that it came to.
  func rules(of release: Int64, on channel: String) -> [RiskRules] {
    profiles.platforms.compactMap {
      RiskRules(selection, cutOff.at, timeline, release, Group(channel: channel, platform: $0))
    }
  }
}

extension [RiskRules] {
  /// A platform that is new is one more.
  var ground: [Int64] {
    flatMap { rules in
      let newer = rules.newerReleases
      return [rules.publishedAt, rules.endedAt, rules.areNewerLate ? 1 : 0, Int64(newer.count)] + newer
    }
  }
}
