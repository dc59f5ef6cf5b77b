import Lifecycle
import Store

/// How long a device is silent at times, by its contacts up to an instant that lies a day before the cutoff.
///
/// Contacts are known to the day: what lies a day or less apart is one run of them.
struct ContactHabit {
  /// The last contact.
  let last: Int64
  /// The longest silence before it; never less than a day.
  let longestSilence: Int64

  /// Who was silent for longer is not asked about.
  static let recent = Milliseconds.days(7)
  /// Of who is known for a shorter time nobody knows what is usual.
  static let known = Milliseconds.days(7)
  /// So far back silences are looked at.
  static let history = Milliseconds.days(28)

  /// nil where the device was not heard of lately, or is not known long enough.
  ///
  /// - Parameter room: for the device's contacts, emptied first.
  init?(_ runs: RunColumns, _ device: Int, until end: Int64, _ room: inout [ClosedRange<Int64>]) {
    var (first, last) = (Int64.max, Int64.min)
    for run in runs.range(device) where runs.starts[run] <= end {
      (first, last) = (min(first, runs.starts[run]), max(last, min(runs.ends[run], end)))
    }
    guard last > end - Self.recent.rawValue, last - first >= Self.known.rawValue else { return nil }
    self.last = last
    let start = last - Self.history.rawValue
    room.removeAll(keepingCapacity: true)
    for run in runs.range(device) where runs.starts[run] <= end && runs.ends[run] > start {
      room.append(runs.starts[run]...runs.ends[run])
    }
    room.sort { $0.lowerBound < $1.lowerBound }
    longestSilence = Self.longestSilence(room, since: max(first, start))
  }

  /// - Parameters:
  ///   - contacts: in order of their begin.
  ///   - start: from when on the device is known, or asked about.
  private static func longestSilence(_ contacts: [ClosedRange<Int64>], since start: Int64) -> Int64 {
    var (longest, heard) = (Milliseconds.days(1).rawValue, start)
    for contact in contacts {
      longest = max(longest, contact.lowerBound - heard)
      heard = max(heard, contact.upperBound)
    }
    return longest
  }

  /// Devices of one kind are alike: heard of every day, about every other, every week, or less.
  var kind: Int { Self.kinds.firstIndex { longestSilence <= $0.rawValue } ?? Self.kinds.count }
  private static let kinds: [Milliseconds] = [.hours(36), .days(3), .days(8)]

  /// Whether it is silent at a cutoff, to which nothing more was heard of it, for longer than it ever was.
  func isOverdue(at cutOff: Int64) -> Bool { cutOff - last > longestSilence }
}
