internal import Console
public import Lifecycle
public import Store

/// That no device of an app was heard of for more than an hour, as `status` and pages say it.
public struct AppSilence: Equatable, Sendable {
  /// nil where no device was heard of.
  public let since: Timestamp?
  private let now: Timestamp

  /// So long nothing may be heard.
  private static let longest = Milliseconds.hours(1)

  /// By time of receipt, as clocks of devices are wrong; by contact where that is unknown. Of the past the newest rows need not
  /// have the last receipt before it, as after an import: there the later of both counts.
  public init?(_ receipt: NewestReceipt?, _ contact: Timestamp?, now: Timestamp) {
    let told = receipt.flatMap { !$0.isBeforeImports && $0.at <= now + Self.longest ? $0 : nil }
    self.now = now
    since = told?.hasLater == false ? told?.at : [told?.at, contact].compactMap(\.self).max()
    if let since, now - since <= Self.longest { return nil }
  }

  public var words: String {
    since.map { "no device was heard of for \(lengthWords(now - $0)), since \($0.words)" }
      ?? "no device was heard of yet"
  }
}

extension AppSilence {
  /// Whether it is longer than a day, and than the silences of the four weeks before, which are known by the day: so nights and weekends
  /// are usual. Of what was silent for four weeks nobody expects a word.
  public func isUnusual(in vocabulary: Vocabulary, app: String) -> Bool {
    guard let since, now - since < .days(28) else { return false }
    let last = since.seconds / 86_400
    let days = Set(vocabulary.lags.lazy.filter { $0.app == app && $0.events > 0 }.map(\.day)).sorted()
      .filter { (last - 28...last).contains($0) }
    guard !days.isEmpty else { return false }
    let longest = zip(days, days.dropFirst()).map { $1 - $0 }.max() ?? 1
    return now - since > .days(longest)
  }
}
