import Lifecycle
import Statistics

/// The newest pushes to devices of a platform, by how long ago they were sent; sums only. In the whole period, what broke a few
/// days ago is hidden by the good days before.
///
/// A span holds the shorter ones. Spans of refused pushes end at the cutoff; those of pushes that are to wake the app a horizon before.
struct NewestPushes: Mergeable {
  static let spans: [Milliseconds] = [.days(1), .days(2), .days(4), .days(7)]
  /// Hours are kept so far back.
  static let longest = Milliseconds.days(30)

  /// Among all that were sent.
  var refused = [RateSums](repeating: RateSums(), count: spans.count)
  /// Among mature accepted ones that were neither replaced nor sent to a device that fell silent.
  var woke = [RateSums](repeating: RateSums(), count: spans.count)
  /// By the hour since 1970 in which they were sent.
  var acceptedByHour: [Int64: Int] = [:]
  var wokeByHour: [Int64: Int] = [:]

  mutating func add(_ other: NewestPushes, times: Int) {
    for index in refused.indices { refused[index].add(other.refused[index], times: times) }
    for index in woke.indices { woke[index].add(other.woke[index], times: times) }
    acceptedByHour.add(other.acceptedByHour, times: times)
    wokeByHour.add(other.wokeByHour, times: times)
  }

  mutating func add(_ device: NewestPushHistory) {
    for index in refused.indices { refused[index].add(device.refused[index], of: device.sent[index]) }
    for index in woke.indices { woke[index].add(device.woke[index], of: device.reached[index]) }
    for hour in device.acceptedHours { acceptedByHour[hour, default: 0] += 1 }
    for hour in device.wokeHours { wokeByHour[hour, default: 0] += 1 }
  }

  /// No push that was sent in an hour after the newest of these is among them; nil where there are none.
  static func end(of hours: [Int64: Int]) -> Timestamp? {
    hours.keys.max().map { Timestamp(seconds: ($0 + 1) * 3600) }
  }
}

/// The newest pushes to one device, by span.
struct NewestPushHistory {
  private(set) var sent: InlineArray<4, Int> = .init(repeating: 0)
  private(set) var refused: InlineArray<4, Int> = .init(repeating: 0)
  private(set) var reached: InlineArray<4, Int> = .init(repeating: 0)
  private(set) var woke: InlineArray<4, Int> = .init(repeating: 0)
  private(set) var acceptedHours: [Int64] = []
  private(set) var wokeHours: [Int64] = []

  /// - Parameter cutOff: no push is later.
  mutating func add(sent push: SentPush, until cutOff: Timestamp) {
    let age = cutOff - push.sent
    for (index, span) in NewestPushes.spans.enumerated() where age < span {
      sent[index] += 1
      if push.isRejected { refused[index] += 1 }
    }
    if !push.isRejected, age < NewestPushes.longest { acceptedHours.append(push.sent.seconds / 3600) }
  }

  /// - Parameters:
  ///   - push: an accepted one that was neither replaced nor sent to a device that fell silent.
  ///   - end: a horizon before the cutoff; no push is later.
  mutating func add(reached push: SentPush, woke isAwake: Bool, until end: Timestamp) {
    let age = end - push.sent
    for (index, span) in NewestPushes.spans.enumerated() where age < span {
      reached[index] += 1
      if isAwake { woke[index] += 1 }
    }
    if isAwake, age < NewestPushes.longest { wokeHours.append(push.sent.seconds / 3600) }
  }
}
