public import Lifecycle

/// What decides at which devices a question looks beside a summary of all of them, which was made at an earlier cutoff and does not
/// know the last events.
///
/// Such a device is shown twice, as the summary knows it and as it is known now: what it counted there is taken out, what it counts
/// now is put in. Of all others nothing that was heard since bears on the answer; see `HeardDevices`.
public struct HeardSpan: Sendable {
  /// The number of the last event that the summary knows.
  public var last: Int64
  /// Of the question; no earlier than that of the summary, and no later by more than `longest`.
  public var cutOff: Int64
  /// Devices of which the summary knew more than counted at its cutoff; in order.
  public var unsettled: [UInt64]
  /// Releases that ended, of which the same is asked: their journeys are read only where they may tell something else by now.
  public var ended: ChangeSpan?
  /// By release those whose journeys do, and under 0 those that may say their first word about any yet; each in order.
  public var late: [Int64: [UInt64]] = [:]
  /// Who spoke so lately before the cutoff counts as reachable and waits until then, with or without another contact; somewhat less than
  /// the reach window.
  public var patience = silence
  /// Whether all devices are looked at that were heard of, and not only those that may count otherwise.
  public var looksAtAll = false
  /// Where a summary is moved on to the cutoff: who spoke since counts as reachable as long as the new one holds, and is not looked at
  /// where it is there as it was; see `MovedContacts`.
  public var steadySince: Int64?
  /// The cutoff of the summary, where nothing is asked of devices but what they run where, and no instant is asked about before it that
  /// the summary does not hold: see `ResumedDevice`.
  public var resumesSince: Int64?
  /// Whether unsettled devices are looked at where nothing was heard of them for long before the cutoff, but something after it.
  public var looksAtSleepers = false
  /// Releases whose journeys bear on nothing that is asked of others: those of a device are read where something was heard of them, or where
  /// it is another device than it was, or an emulator, of which it is asked what they know of all releases together.
  public var apart: Set<Int64> = []
  /// Whether some device is known to have spoken right before the cutoff and right after it: then it counts as heard at the cutoff.
  public var isNewestKnown = false

  public init(last: Int64, cutOff: Int64, unsettled: [UInt64]) {
    (self.last, self.cutOff, self.unsettled) = (last, cutOff, unsettled)
  }

  /// Who spoke so lately counts as reachable by whatever window is at least twice as long, with or without another contact.
  public static let silence = Milliseconds(rawValue: DeviceOutlines.longestSilence.rawValue * 2)
  public static let longest = DeviceOutlines.longestSilence
  /// Clocks may be wrong by so much: contacts that lie farther beyond the cutoff are counted as such.
  public static let tolerance = Milliseconds.minutes(5)

  func unsettled(in shard: Int) -> ArraySlice<UInt64> { unsettled.part(in: Shards.range(shard)) }

  /// Those that are looked at whatever was heard; in order.
  func listed(in shard: Int) -> [UInt64] {
    late(in: shard).values.reduce(Array(unsettled(in: shard))) { $0 + $1 }.unique
  }

  func late(in shard: Int) -> [Int64: ArraySlice<UInt64>] {
    late.mapValues { $0.part(in: Shards.range(shard)) }.filter { !$0.value.isEmpty }
  }
}

extension [UInt64] {
  fileprivate func part(in range: ClosedRange<UInt64>) -> ArraySlice<UInt64> {
    let first = firstPlace { $0 >= range.lowerBound }
    return self[first...].prefix { $0 <= range.upperBound }
  }
}
