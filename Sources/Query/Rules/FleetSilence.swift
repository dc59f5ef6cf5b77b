import Console
import Glibc
import Lifecycle

/// That no device was heard of for long, though many events were usual: what stopped may be the way that they come in.
///
/// What is usual is known by the day alone, as receipts are counted by day and contacts that lie a day or less apart are one run: a quiet
/// day of the week before stands for the weekend, and nothing stands for the night. So it is said that hours are taken alike.
struct FleetSilence: Equatable {
  var since: Timestamp
  /// Events, by the days before, to one digit: nobody knows them better.
  var usual: Int
  /// Whether it is longer than a day, for which they are told then.
  var isOfADay: Bool

  /// So long nothing may come in, and so many events must be usual in that time.
  private static let (longest, fewest) = (Milliseconds.hours(1), 200)

  /// nil where it is no wonder, or nobody knows what is usual.
  ///
  /// - Parameter newest: contact that was looked at.
  init?(_ end: CutOff, newest: Timestamp?) {
    guard let newest, !end.isBackfilled, end.at - newest > Self.longest else { return nil }
    isOfADay = end.at - newest > .days(1)
    let events = end.usualEvents(in: min(end.at - newest, .days(1)), before: newest)
    guard events >= Self.fewest else { return nil }
    let digit = pow(10, log10(Double(events)).rounded(.down))
    (since, usual) = (newest, Int((Double(events) / digit).rounded() * digit))
  }

  var warning: Warning {
    Warning(
      Warning.silentFleet,
      "no device was heard of since \(since.words), \(isOfADay ? "and in a day" : "in which time") some"
        + " \(counted(usual, "event")) are usual\(isOfADay ? ":" : Self.hoursAlike) who updated since counts as waiting, so"
        + " adoption reads too low; look at what takes events in, and ask with --now \(since.rfc3339)"
    )
  }

  private static let hoursAlike =
    ", all hours of the day taken alike: unless these devices are always silent at this hour,"
}

extension CutOff {
  /// By the second quietest day of the week before an instant's day: one day may have been quiet because what takes events in stood.
  fileprivate func usualEvents(in length: Milliseconds, before instant: Timestamp) -> Int {
    let today = instant.seconds / 86_400
    let known = days.filter { (today - 7..<today).contains($0.key) }.map(\.value.events).sorted()
    guard let quiet = known.prefix(2).last else { return 0 }
    return Int(Double(quiet) * Double(length.rawValue) / Double(Milliseconds.days(1).rawValue))
  }
}

extension Warning {
  /// Events stopped coming in.
  public static let silentFleet = "silent_fleet"
}
