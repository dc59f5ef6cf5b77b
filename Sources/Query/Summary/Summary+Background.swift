import Lifecycle
import Store

extension BackgroundCounting {
  /// Exact, or not used at all: rates count by device, so what is kept of all channels and platforms does not tell of some.
  func stored(_ snapshot: borrowing Snapshot) throws -> BackgroundTally? {
    guard !keepsOpen, !splitsPlatforms, let summary = try Summary(snapshot, extent),
      let read = try snapshot.summary(app: extent.app, releases: [0], SummaryPart.ofBackground),
      let pushes = try snapshot.summary(app: extent.app, releases: [0], SummaryPart.ofPushCounts),
      let counts = KeptPushes.counts(pushes), let kept = OpenBackground.Kept(read, pushes: counts),
      summary.cutOff.at > kept.newestFact, extent.includes(all: kept.channels)
    else { return nil }
    return BackgroundTally(self, kept)
  }
}

extension WakeCounting {
  /// Exact, or not used at all.
  func stored(_ snapshot: borrowing Snapshot) throws -> WakeTally? {
    guard !keepsOpen, Set(options.by) == Set(WakeUps.Options().by), let summary = try Summary(snapshot, extent),
      let read = try snapshot.summary(app: extent.app, releases: [0], SummaryPart.ofWakeUps),
      let kept = KeptWakeUps(read), cutOff > kept.newestFact, extent.includes(all: kept.channels)
    else { return nil }
    return WakeTally(self, kept, dataThrough: summary.state.dataThrough)
  }
}

extension PushCounting {
  /// Exact, or not used at all.
  func stored(_ snapshot: borrowing Snapshot) throws -> PushTally? {
    guard !keepsOpen, options.by.isEmpty, options.horizon == Push.Options().horizon,
      let summary = try Summary(snapshot, extent),
      let read = try snapshot.summary(app: extent.app, releases: [0], SummaryPart.ofPushes),
      let kept = KeptPushes(read), cutOff > kept.newestFact, extent.includes(all: kept.channels)
    else { return nil }
    return PushTally(self, kept, dataThrough: summary.state.dataThrough)
  }
}

extension Summary {
  /// nil where the question must be answered from the devices.
  fileprivate init?(_ snapshot: borrowing Snapshot, _ extent: FleetScope) throws {
    var whole = try FleetScope(snapshot.vocabulary, app: extent.app, now: extent.now)
    whole.channels = extent.channels
    guard extent.countsAlike(whole) else { return nil }
    try self.init(
      snapshot, Selection(app: extent.app, release: ReleaseLabel(rawValue: ""), now: extent.now),
      Timeline(snapshot.vocabulary, app: extent.app, until: extent.now))
  }

  /// The columns about background work, whatever the release.
  ///
  /// - Parameter since: right after the newest contact.
  static func background(_ snapshot: borrowing Snapshot, _ app: String, since: Timestamp) throws -> [SummaryPart] {
    let vocabulary = snapshot.vocabulary
    let extent = try FleetScope(vocabulary, app: app, now: since)
    let background = BackgroundCounting(vocabulary, extent, since, keepsOpen: true)
    let wakeUps = WakeCounting(vocabulary, extent, cutOff: CutOff(at: since), keepsOpen: true)
    let pushes = PushCounting(vocabulary, extent, cutOff: CutOff(at: since), keepsOpen: true)
    // All of these read the same facts.
    var need = pushes.need.union(wakeUps.need)?.union(background.need) ?? pushes.need
    need.onlyPushedReleases = true
    let found = try snapshot.count(need) {
      BackgroundSummary(background: background.start, wakeUps: wakeUps.start, pushes: pushes.start)
    }
    return found.background.parts(vocabulary)
      + (found.wakeUps.open?.parts(found.wakeUps.groups, vocabulary) ?? [])
      + (found.pushes.open?.parts(found.pushes.groups.first?.value ?? PushCounts(), vocabulary) ?? [])
  }
}

/// What one scan counts of background work.
private struct BackgroundSummary: Tally {
  var background: BackgroundTally
  var wakeUps: WakeTally
  var pushes: PushTally

  mutating func count(_ page: borrowing ShardPage) throws {
    try background.count(page)
    try wakeUps.count(page)
    try pushes.count(page)
  }

  mutating func add(_ other: BackgroundSummary, times: Int) {
    background.add(other.background, times: times)
    wakeUps.add(other.wakeUps, times: times)
    pushes.add(other.pushes, times: times)
  }
}

extension FleetScope {
  fileprivate func includes(all channels: Set<String>) -> Bool {
    self.channels.isEmpty || channels.isSubset(of: self.channels)
  }
}
