import Lifecycle

/// What a device waits for.
enum Due: Int, CaseIterable { case arrival, open, refresh, location, campaign, delivery, notice, flush, departure }

/// One alarm of each kind; `.never` when it is not set.
struct Timers {
  private var alarms: InlineArray<9, Timestamp> = .init(repeating: .never)

  subscript(due: Due) -> Timestamp {
    get { alarms[due.rawValue] }
    set { alarms[due.rawValue] = newValue }
  }

  /// The earliest alarm; of several at once the first in the order of the kinds.
  var next: (due: Due, at: Timestamp) {
    var first = 0
    for index in 1..<alarms.count where alarms[index] < alarms[first] { first = index }
    return (Due(rawValue: first) ?? .arrival, alarms[first])
  }

  mutating func clear() { alarms = .init(repeating: .never) }
}
