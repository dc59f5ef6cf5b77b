internal import Console
import Lifecycle
import Store

/// A release that came after a cutoff: nothing that is counted up to there can tell of it.
struct TooNew {
  struct Publication: Hashable {
    var release: String
    var channel: String
    /// nil where it came to all that are looked at at once.
    var platform: String?
    var at: Timestamp
    /// Of a step.
    var percent: Double? = nil

    fileprivate var words: String {
      let step = percent.map { " to \(stepWords($0))" } ?? ""
      return "\(named(release)) on \(named(channel))\(platform.map { " of \(named($0))" } ?? "")\(step) at \(at.words)"
    }
  }

  private let published: [Publication]
  private let end: CutOff

  /// nil where there is none.
  init?(_ published: [Publication], now: Timestamp, _ end: CutOff) {
    let new = published.filter { CutOff.isTooNew($0.at, end.at, now: now) }
    if new.isEmpty { return nil }
    (self.published, self.end) = (new, end)
  }

  /// That some of it is still to come: no device there has it, and none waits.
  static func notYet(_ published: [Publication], now: Timestamp) -> Warning? {
    let later = published.filter { $0.at > now }
    guard !later.isEmpty else { return nil }
    return Warning(
      "not_published_yet",
      "published later than \(now.words): \(list(later)); until then no device there may have it, and none waits")
  }

  static func list(_ published: [Publication]) -> String {
    published.sorted { ($0.at, $0.release, $0.channel) < ($1.at, $1.release, $1.channel) }
      .prefix(3).map(\.words).joined(separator: ", ")
      + (published.count > 3 ? " and \(published.count - 3) more" : "")
  }

  /// - Parameter what: is not counted, and what is.
  func warning(_ what: String) -> Warning {
    Warning("published_after_data", "published after the cutoff (\(end.words)): \(Self.list(published)); \(what)")
  }
}

extension ReleaseScope {
  /// Where it came after a cutoff, of the channels that are looked at.
  func tooNew(_ end: CutOff) -> TooNew? { TooNew(published(target), now: selection.now, end) }

  /// Whether it came after a cutoff, and is not out before that wherever it is looked at.
  func isTooNew(_ end: CutOff) -> Bool { tooNew(end) != nil && published(target).allSatisfy { $0.at >= end.at } }

  /// On the channels and platforms that are looked at, each instant of a channel once.
  func published(_ record: ReleaseRecord) -> [TooNew.Publication] {
    let channels = selection.channels.isEmpty ? timeline.channels : selection.channels
    return channels.flatMap { channel in
      record.platforms(on: channel, selection.platforms).compactMap { platform in
        timeline.start(record.id, channel: channel, platform: platform).map {
          TooNew.Publication(
            release: record.label.rawValue, channel: channel, platform: platform, at: $0.publishedAt)
        }
      }
      .alike
    }
  }
}

extension ReleaseRecord {
  /// Those that are looked at, else those that it was published for there; nil is all others.
  func platforms(on channel: String, _ asked: [String]) -> [String?] {
    if !asked.isEmpty { return asked.map(Optional.some) }
    let told = Set(publications.filter { $0.channel == channel }.map(\.platform))
    return told.isEmpty ? [nil] : told.sorted { ($0 ?? "") < ($1 ?? "") }
  }
}

extension [TooNew.Publication] {
  /// One where they differ in nothing but the platform.
  var alike: [TooNew.Publication] {
    let all = Set(
      map { one in
        var copy = one
        copy.platform = nil
        return copy
      })
    return all.count == 1 ? Array(all) : self
  }
}

extension CutOff {
  /// `2026-01-03 13:00 UTC: 99 % of events arrive within 7.4h`
  var words: String { "\(at.words): 99 % of events arrive within \(duration(seconds: Double(lag.rawValue) / 1000))" }
}

extension Releases {
  static func tooNew(_ rows: [Releases], now: Timestamp, _ end: CutOff) -> [Warning] {
    let new = TooNew(
      rows.map { TooNew.Publication(release: $0.release, channel: $0.channel, at: $0.publishedAt) }, now: now, end)
    return [
      new?.warning("adoption, attempts and reach are not counted yet; launches, crashes and rollbacks are, until now")
    ].compactMap(\.self)
  }
}

extension Question {
  func tooNew(_ end: CutOff) -> [Warning] {
    guard let asked = self as? any AboutRelease else { return [] }
    let (published, now) = (asked.releases.flatMap(asked.chosen.published), asked.chosen.selection.now)
    let new = TooNew(published, now: now, end)?.warning("nothing is counted of it there yet; \(asked.instead)")
    // Reach is of all devices, whatever they could have.
    let steps = self is Reach.Question ? [] : asked.releases.flatMap { asked.chosen.widened($0, end) }
    let widened = Warning.widened(
      steps, end,
      "what is counted is of the devices that could have it before; \(asked.instead)")
    return [new, widened, TooNew.notYet(published, now: now)].compactMap(\.self)
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
