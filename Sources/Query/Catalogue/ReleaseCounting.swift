import Lifecycle
import Store

/// What one walk over an app's devices collects for all of its releases.
struct ReleaseCounting {
  struct Place: Hashable {
    var release: Int64
    var channel: String
  }
  private(set) var tables: [RiskTables] = []
  private(set) var offered: [Place: Int] = [:]
  private(set) var attempts: [Place: AttemptWalk.Tally] = [:]
  /// Reachable devices by what they run; release 0 where they never said.
  private(set) var running: [Place: Int] = [:]
  private(set) var reachable: [String: Int] = [:]
  private(set) var targets: [ReleaseRecord]
  private(set) var cutOff: CutOff

  init(_ snapshot: borrowing Snapshot, _ selection: Selection, _ timeline: Timeline) throws {
    targets = timeline.releases
    var walk = RiskWalk(snapshot.vocabulary, selection, timeline, timeline.releases)
    cutOff = walk.cutOff
    var cells = RiskCells([], targets: targets.count)
    let vocabulary = snapshot.vocabulary
    var sums = self
    try walk.run(snapshot, device: { sums.add($0, selection, vocabulary) }, { cells.add($0) })
    self = sums
    tables = cells.tables(walk)
  }

  private mutating func add(_ view: DeviceView, _ selection: Selection, _ vocabulary: Vocabulary) {
    guard selection.includesEmulators || !view.history.isEmulator else { return }
    let platform = view.history.platform
    for journey in view.journeys {
      let channel = vocabulary.name(journey.channel)
      guard selection.includes(Group(channel: channel, platform: platform)) else { continue }
      let place = Place(release: journey.release, channel: channel)
      guard let start = journey.attemptStart ?? journey.offer, start.at <= cutOff.at else { continue }
      offered[place, default: 0] += 1
      if let start = journey.attemptStart, start.at <= cutOff.at {
        attempts[place, default: .init()].add(journey, start, cutOff.at, Failures.Options(), vocabulary)
      }
    }
    let now = RunningRelease(view.history)
    guard let contact = now.contact(at: cutOff.at), contact.last > cutOff.at - selection.reachWindow else { return }
    let channel = vocabulary.name(contact.channel)
    guard selection.includes(Group(channel: channel, platform: platform)) else { return }
    reachable[channel, default: 0] += 1
    running[Place(release: now.release(at: cutOff.at) ?? 0, channel: channel), default: 0] += 1
  }
}

extension JourneyView {
  fileprivate var offer: FirstTime? {
    let available = first(.available)
    return available.happened ? available : nil
  }
}
