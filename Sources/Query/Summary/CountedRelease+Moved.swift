import Lifecycle
import Store

extension CountedRelease: Mergeable {
  var isEmpty: Bool {
    offered == 0 && attempts == 0 && launches == LaunchSums() && young.isEmpty && contacts.isEmpty && steady == 0
  }

  /// Of a release that ended only who runs it is moved on.
  mutating func keepRunning() {
    let (contacts, steady) = (contacts, steady)
    self = CountedRelease()
    (self.contacts, self.steady) = (contacts, steady)
  }

  /// The same at a later cutoff, with less that is pending.
  func moved(to cutOff: Timestamp, _ window: Milliseconds) -> CountedRelease {
    var moved = self
    let tally = tally(at: cutOff)
    (moved.attempts, moved.failed) = (tally.attempts, tally.failed)
    moved.young = young.filter { $0 >> 1 > (cutOff - PendingCounts.attemptAge).rawValue }
    moved.contacts = contacts.filter { $0 > (cutOff - window).rawValue }
    return moved
  }

  mutating func add(_ other: CountedRelease, times: Int) {
    offered += times * other.offered
    attempts += times * other.attempts
    failed += times * other.failed
    launches.add(other.launches, times: times)
    young.add(bag: other.young, times: times)
    contacts.add(bag: other.contacts, times: times)
    contacts.sort()
    steady += times * other.steady
  }
}
