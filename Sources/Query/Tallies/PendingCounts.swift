import Lifecycle
import Store

/// What of the counts of releases depends on the cutoff, as long as that lies after everything that was heard.
struct PendingCounts: Mergeable, Equatable {
  typealias Place = ReleaseCounts.Place
  /// Attempts too young to be counted: `begin << 1`, and 1 where it failed.
  var young: [Place: [Int64]] = [:]
  /// The last contacts of devices that count as reachable, by what they run.
  var contacts: [Place: [Int64]] = [:]

  static let attemptAge = Failures.Options().attemptAge

  mutating func note(_ attempt: Attempt, _ cutOff: Timestamp, _ place: Place, _ vocabulary: Vocabulary) {
    guard cutOff - attempt.start.at < Self.attemptAge else { return }
    let hasFailed = attempt.failure(by: cutOff, Failures.Options(), vocabulary) != nil
    young[place, default: []].append(attempt.start.at.rawValue << 1 | (hasFailed ? 1 : 0))
  }

  mutating func add(_ other: PendingCounts, times: Int) {
    for (place, more) in other.young { young[place, default: []].add(bag: more, times: times) }
    for (place, more) in other.contacts { contacts[place, default: []].add(bag: more, times: times) }
  }
}

/// The counts of one release on one channel, with what is pending put in for a cutoff.
struct CountedRelease {
  var offered = 0
  var attempts = 0
  var failed = 0
  var launches = LaunchSums()
  var young: [Int64] = []
  /// Ascending.
  var contacts: [Int64] = []
  /// How many are reachable beside these.
  var steady = 0
  /// nil where they depend on the cutoff.
  var figures: ReleaseFigures?
  /// What these rest on, where that is known.
  var ground: [Int64]?
  /// Of its journeys.
  var news: [Int64] = []
  var early: [Int64] = []
  var watch: JourneyWatch? { JourneyWatch(news: news, early: early) }

  func tally(at cutOff: Timestamp) -> AttemptCounts {
    let last = (cutOff - PendingCounts.attemptAge).rawValue
    let grown = young.filter { $0 >> 1 <= last }
    var tally = AttemptCounts()
    tally.attempts = attempts + grown.count
    tally.failed = failed + grown.count { $0 & 1 == 1 }
    return tally
  }

  func reachable(at cutOff: Timestamp, _ window: Milliseconds) -> Int {
    let limit = (cutOff - window).rawValue
    var (low, high) = (0, contacts.count)
    while low < high {
      let middle = (low + high) / 2
      if contacts[middle] > limit { high = middle } else { low = middle + 1 }
    }
    return contacts.count - low + steady
  }
}

extension ReleaseCounts {
  /// From what was counted before, for a cutoff after everything that was heard.
  init(_ counted: [Place: CountedRelease], cutOff: Timestamp, window: Milliseconds) {
    self.init(cutOff: cutOff)
    for (place, count) in counted {
      note(
        place, count, count.tally(at: cutOff), reachable: count.reachable(at: cutOff, window))
    }
  }
}
