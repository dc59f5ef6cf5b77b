import Lifecycle
import Store

/// Counts what every device runs, now for several reach windows and at past instants for the first of them.
struct ReachCounting {
  struct Cell {
    var now: [ReachTally]
    var series: [ReachTally]
    var past: [ReachTally]
  }
  let chosen: Chosen
  let windows: [Milliseconds]
  let instants: [Timestamp]
  let past: [Timestamp]
  let cutOff: Timestamp
  private(set) var cells: [Group: Cell] = [:]
  private(set) var dataThrough: Timestamp?
  private var rules: [Group: ReachRules] = [:]

  init(_ chosen: Chosen, windows: [Milliseconds], instants: [Timestamp], past: [Timestamp], cutOff: Timestamp) {
    self.chosen = chosen
    self.windows = windows
    self.instants = instants
    self.past = past
    self.cutOff = cutOff
  }

  mutating func run(_ snapshot: borrowing Snapshot) throws {
    let vocabulary = snapshot.vocabulary
    try snapshot.eachDevice(app: chosen.selection.app, releases: [chosen.target.id], until: cutOff) { view in
      guard chosen.selection.includesEmulators || !view.history.isEmulator else { return }
      let running = RunningRelease(view.history)
      for (index, window) in windows.enumerated() {
        count(view, running, at: cutOff, window, vocabulary) { $0.now[index].add($1, $2, $3) }
      }
      for (index, instant) in instants.enumerated() {
        count(view, running, at: instant, windows[0], vocabulary) { $0.series[index].add($1, $2, $3) }
      }
      for (index, instant) in past.enumerated() {
        count(view, running, at: instant, windows[0], vocabulary) { $0.past[index].add($1, $2, $3) }
      }
      if let last = running.contact(at: cutOff)?.last { dataThrough = max(dataThrough ?? last, last) }
    }
  }

  var empty: Cell {
    Cell(
      now: Array(repeating: ReachTally(), count: windows.count),
      series: Array(repeating: ReachTally(), count: instants.count),
      past: Array(repeating: ReachTally(), count: past.count))
  }

  private mutating func count(
    _ view: DeviceView, _ running: RunningRelease, at instant: Timestamp, _ window: Milliseconds,
    _ vocabulary: Vocabulary, _ add: (inout Cell, Int64?, ReachStanding, ReachEligibility) -> Void
  ) {
    guard let contact = running.contact(at: instant), contact.last > instant - window else { return }
    let place = Group(channel: vocabulary.name(contact.channel), platform: view.history.platform)
    guard chosen.selection.includes(place) else { return }
    if rules[place] == nil { rules[place] = ReachRules(chosen.target.id, chosen.timeline, place) }
    guard let rules = rules[place] else { return }
    let release = running.release(at: instant)
    let standing = rules.standing(release)
    let eligibility = rules.eligibility(view, contact.channel, runs: standing, at: instant)
    var group = place
    if chosen.selection.by.contains(.appVersion) { group.appVersion = view.history.property(\.appVersion, at: instant) }
    let key = group.split(by: chosen.selection.by)
    if cells[key] == nil { cells[key] = empty }
    if let place = cells.index(forKey: key) { add(&cells.values[place], release, standing, eligibility) }
  }
}
