internal import Console
import Lifecycle
import Store

/// A release that came after a cutoff: nothing that is counted up to there can tell of it.
struct TooNew {
  /// Where it came, and when; the earliest first.
  private let published: [(label: String, channel: String, at: Timestamp)]
  private let end: CutOff

  /// nil where there is none.
  init?(_ published: [(label: String, channel: String, at: Timestamp)], now: Timestamp, _ end: CutOff) {
    let new = published.filter { $0.at >= end.at && $0.at < now }
    if new.isEmpty { return nil }
    (self.published, self.end) = (new.sorted { ($0.at, $0.label, $0.channel) < ($1.at, $1.label, $1.channel) }, end)
  }

  /// - Parameter what: is not counted, and what is.
  func warning(_ what: String) -> Warning {
    let all = published.prefix(3).map { "\(named($0.label)) on \(named($0.channel)) at \($0.at.words)" }
    let more = published.count > 3 ? " and \(published.count - 3) more" : ""
    let usual = duration(seconds: Double(end.lag.rawValue) / 1000)
    return Warning(
      "published_after_data",
      "published after the cutoff (\(end.at.words): 99 % of events arrive within \(usual)): \(all.joined(separator: ", "))\(more);"
        + " \(what)")
  }
}

extension ReleaseScope {
  /// Where it came after a cutoff, of the channels that are looked at.
  func tooNew(_ end: CutOff) -> TooNew? { TooNew(published(target), now: selection.now, end) }

  /// Whether it came after a cutoff, or is still to come, wherever it is looked at.
  func isTooNew(_ end: CutOff) -> Bool { tooNew(end) != nil && published(target).allSatisfy { $0.at >= end.at } }

  /// On the channels that are looked at; of one platform, where only that is.
  func published(_ record: ReleaseRecord) -> [(label: String, channel: String, at: Timestamp)] {
    let channels = selection.channels.isEmpty ? timeline.channels : selection.channels
    let platform = selection.platforms.count == 1 ? selection.platforms[0] : nil
    return channels.compactMap { channel in
      timeline.start(record.id, channel: channel, platform: platform).map {
        (record.label.rawValue, channel, $0.publishedAt)
      }
    }
  }
}

extension Releases {
  static func tooNew(_ rows: [Releases], now: Timestamp, _ end: CutOff) -> [Warning] {
    let new = TooNew(rows.map { ($0.release, $0.channel, $0.publishedAt) }, now: now, end)
    return [
      new?.warning("adoption, attempts and reach are not counted yet; launches, crashes and rollbacks are, until now")
    ].compactMap(\.self)
  }
}

extension Question {
  func tooNew(_ end: CutOff) -> [Warning] {
    guard let asked = self as? any AboutRelease,
      let new = TooNew(asked.releases.flatMap(asked.chosen.published), now: asked.chosen.selection.now, end)
    else { return [] }
    return [new.warning("nothing is counted of it there yet; \(asked.instead)")]
  }
}

/// What is asked about one release.
private protocol AboutRelease {
  var chosen: ReleaseScope { get }
  var releases: [ReleaseRecord] { get }
  /// What tells of the time since.
  var instead: String { get }
}

extension AboutRelease {
  var releases: [ReleaseRecord] { [chosen.target] }
  var instead: String { "adoption and reach count until now with --provisional" }
}

extension Adoption.Question: AboutRelease {
  fileprivate var instead: String { "--provisional counts until now" }
}
extension Compare.Question: AboutRelease {
  fileprivate var releases: [ReleaseRecord] { [chosen.target, other] }
}
extension Failures.Question: AboutRelease {
  fileprivate var instead: String { "the verdict has crashes and rollbacks until now" }
}
extension Forecast.Question: AboutRelease {}
extension Funnel.Question: AboutRelease {}
extension Mechanisms.Question: AboutRelease {}
extension Reach.Question: AboutRelease {
  fileprivate var instead: String { "--provisional counts until now" }
}
extension TimeToUpdate.Question: AboutRelease {}
