internal import Console
import Lifecycle
import Store

extension Warning {
  /// A release that was halted on some platforms and goes on elsewhere: neither its state nor its verdict is about these.
  public static let haltedApart = "halted_apart"

  /// - Parameter platforms: that are looked at; empty for all.
  static func haltedApart(
    _ label: String, on channel: String, _ timeline: Timeline, _ platforms: [String], now: Timestamp
  ) -> Warning? {
    guard let id = timeline.record(ReleaseLabel(rawValue: label))?.id else { return nil }
    let halts = timeline.haltedApart(id, on: channel, platforms: platforms, at: now).filter { !$0.platform.isEmpty }
    guard !halts.isEmpty else { return nil }
    let ask = ShellCommand("--platform").argument(halts.map(\.platform).joined(separator: ","))
    return Warning(
      haltedApart,
      "\(named(label)) on \(named(channel)) was halted on \(firstFew(halts.map { "\(named($0.platform)) at \($0.at.words)" })), and goes on"
        + " elsewhere: its verdict is about the others; how it stands there says uptake verdict with \(ask)")
  }
}
