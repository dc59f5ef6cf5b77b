internal import Console
public import Lifecycle
public import Store

/// That no device of an app was heard of for more than an hour, as `status` and pages say it.
public struct AppSilence: Equatable, Sendable {
  /// nil where no device was ever heard of.
  public let since: Timestamp?
  private let now: Timestamp

  /// So long nothing may be heard.
  private static let longest = Milliseconds.hours(1)

  /// By time of receipt, as clocks of devices are wrong; by contact where that is unknown, or the past is asked about.
  public init?(_ receipt: NewestReceipt?, _ contact: Timestamp?, now: Timestamp) {
    let isTold = receipt.map { !$0.isBeforeImports && $0.at <= now + Self.longest } ?? false
    (since, self.now) = (isTold ? receipt?.at : contact, now)
    if let since, now - since <= Self.longest { return nil }
  }

  public var words: String {
    since.map { "no device was heard of for \(lengthWords(now - $0)), since \($0.words)" }
      ?? "no device was ever heard of"
  }
}
