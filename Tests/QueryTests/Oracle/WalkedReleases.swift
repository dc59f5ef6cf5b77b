import Lifecycle
@testable import Store

@testable import Query

/// Offers, first attempts and running releases of every release, in words, from one device after another.
struct WalkedReleases {
  private(set) var offered: [String: Int] = [:]
  private(set) var attempts: [String: AttemptCounts] = [:]
  private(set) var running: [String: Int] = [:]

  init(_ snapshot: borrowing Snapshot, _ selection: Selection, _ timeline: Timeline) throws {
    let (vocabulary, cutOff) = (
      snapshot.vocabulary, CutOff(snapshot.vocabulary, app: selection.app, now: selection.now)
    )
    let releases = Set(timeline.releases.map(\.id))
    try snapshot.eachDevice(app: selection.app, releases: releases, until: cutOff.at) { view in
      guard selection.includesEmulators || !view.history.isEmulator else { return }
      for journey in view.journeys { count(journey, view, selection, timeline, vocabulary, cutOff.at) }
      countRunning(view.history, selection, vocabulary, cutOff.at)
    }
  }

  private mutating func count(
    _ journey: JourneyView, _ view: DeviceView, _ selection: Selection, _ timeline: Timeline,
    _ vocabulary: Vocabulary, _ cutOff: Timestamp
  ) {
    let (channel, platform) = (vocabulary.name(journey.channel), view.history.platform)
    guard selection.includes(Group(channel: channel, platform: platform)) else { return }
    let since = timeline.changesSince(journey.release, channel: channel, platform: platform)
    let attempt = view.history.attempt(journey, since: since)
    let offer = journey.first(.available).happened ? journey.first(.available) : nil
    let signs = [attempt?.start, offer].compactMap(\.self)
    guard let first = signs.map(\.at).min(), first <= cutOff else { return }
    offered["\(journey.release) \(channel)", default: 0] += 1
    if let attempt, attempt.start.at <= cutOff {
      attempts["\(journey.release) \(channel)", default: .init()].add(
        attempt, cutOff, Failures.Options(), vocabulary)
    }
  }

  private mutating func countRunning(
    _ history: DeviceHistory, _ selection: Selection, _ vocabulary: Vocabulary, _ cutOff: Timestamp
  ) {
    let device = RunningRelease(history)
    guard let contact = device.contact(at: cutOff), contact.last > cutOff - selection.reachWindow else { return }
    let channel = vocabulary.name(contact.channel)
    guard selection.includes(Group(channel: channel, platform: history.platform)) else { return }
    running["\(device.release(at: cutOff) ?? 0) \(channel)", default: 0] += 1
  }
}
