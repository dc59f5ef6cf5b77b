internal import Console
import Lifecycle
import Store

extension Warning {
  /// Nothing that is counted up to a cut-off can tell of a release that came after it.
  ///
  /// - Parameter releases: with when they were published.
  static func tooNew(_ releases: [(label: String, publishedAt: Timestamp)], _ end: CutOff) -> Warning? {
    guard let first = releases.map(\.publishedAt).min() else { return nil }
    let labels = Set(releases.map(\.label)).sorted()
    let names = labels.prefix(3).map(named).joined(separator: ", ") + (labels.count > 3 ? " and others" : "")
    let usual = duration(seconds: Double(end.lag.rawValue) / 1000)
    return Warning(
      "published_after_data",
      "\(names) \(labels.count > 1 ? "were" : "was") published at \(first.words)\(labels.count > 1 ? " or later" : ""),"
        + " after the cutoff (\(end.at.words): 99 % of events arrive within \(usual)): nothing is counted of"
        + " \(labels.count > 1 ? "them" : "it") yet; adoption and reach count until now with --provisional")
  }
}

extension Question {
  func tooNew(_ end: CutOff) -> [Warning] {
    guard let chosen = (self as? any AboutRelease)?.chosen else { return [] }
    guard chosen.isTooNew(end) else { return [] }
    return [.tooNew(chosen.starts.map { (chosen.target.label.rawValue, $0.publishedAt) }, end)].compactMap(\.self)
  }
}

extension ReleaseScope {
  /// Whether it came after a cut-off, wherever it is looked at.
  func isTooNew(_ end: CutOff) -> Bool {
    !starts.isEmpty && starts.allSatisfy { $0.publishedAt >= end.at && $0.publishedAt < selection.now }
  }
}

extension Releases {
  static func tooNew(_ rows: [Releases], now: Timestamp, _ end: CutOff) -> [Warning] {
    let new = rows.filter { $0.publishedAt >= end.at && $0.publishedAt < now }
    return [.tooNew(new.map { ($0.release, $0.publishedAt) }, end)].compactMap(\.self)
  }
}

/// What is asked about one release.
private protocol AboutRelease {
  var chosen: ReleaseScope { get }
}

extension Adoption.Question: AboutRelease {}
extension Failures.Question: AboutRelease {}
extension Forecast.Question: AboutRelease {}
extension Funnel.Question: AboutRelease {}
extension Mechanisms.Question: AboutRelease {}
extension Reach.Question: AboutRelease {}
extension TimeToUpdate.Question: AboutRelease {}
