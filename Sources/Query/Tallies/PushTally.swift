import Lifecycle
import Store

/// Sorts the pushes of device after device into the groups asked for.
struct PushTally: GroupTally {
  var newest: NewestContact
  var counts: GroupCounts<PushCounts>
  /// Where another cutoff is to be put in later: what it takes of the one group that an answer that is not split has.
  private(set) var open: OpenPushes?
  /// Where one release's pushes are asked for: signs that others arrived.
  private var otherReceipts = 0
  /// Devices of the channels that are asked for whose pushes name other channels. What is stored of pushes tells none: it answers
  /// only where all were asked for.
  private(set) var namingOthers = 0
  private let question: PushCounting
  private var places: IncludedPlaces
  private var match = PushMatch()
  private var wakeUps: [WakeUp] = []
  private var judged: [(group: Int, push: JudgedPush)] = []
  /// Those of one group.
  private var own: [JudgedPush] = []

  init(_ question: PushCounting) {
    self.question = question
    newest = NewestContact(until: question.cutOff)
    places = IncludedPlaces(question.extent, question.names)
    let keepsOpen = question.keepsOpen
    counts = GroupCounts { PushCounts(keepsWaiting: keepsOpen) }
    if keepsOpen { open = OpenPushes() }
    if question.options.by.isEmpty { _ = counts.index(of: Labels()) }
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    try newest.note(page)
    let question = question
    var releases = PushedReleases(page)
    try page.eachInBackground(includesEmulators: question.extent.includesEmulators) { device, index, facts in
      guard facts.contains(where: { $0.stage == .pushSent || $0.trigger == .silentPush }) else { return }
      open?.facts.note(facts)
      WakeUp.collect(facts, of: .silentPush, into: &wakeUps)
      match.match(facts, wakeUps) { question.names(of: $0) }
      match.credit(&releases, device, until: question.cutOff)
      try judge(facts, index, page)
      if judged.isEmpty, let index, namesOthers(index, page) { namingOthers += 1 }
      count(index, page)
    }
  }

  /// Whether a device would be asked for if its pushes named the channel where it is.
  private func namesOthers(_ index: Int, _ page: borrowing ShardPage) -> Bool {
    let channel = page.devices.channels[index]
    guard !question.extent.channels.isEmpty, channel != 0 else { return false }
    for push in match.pushes where question.includes(push) && push.channel != channel {
      guard let key = question.key(push.sent, channel: channel, index, page) else { continue }
      if question.extent.includes(key, question.names) { return true }
    }
    return false
  }

  private mutating func judge(
    _ facts: [WakeFact], _ index: Int?, _ page: borrowing ShardPage
  ) throws {
    judged.removeAll(keepingCapacity: true)
    let (horizon, cutOff) = (question.options.horizon, question.cutOff)
    for (place, push) in match.pushes.enumerated() where question.includes(push) {
      let key = question.key(push, index, page)
      guard let key, let group = counts.index(of: key, { question.labels(key) }) else { continue }
      let (now, isMature) = (try state(push, index, page, until: cutOff), push.isMature(horizon, until: cutOff))
      let last = isMature || open == nil ? nil : try state(push, index, page, until: push.sent + horizon)
      judged.append(
        (
          group,
          JudgedPush(
            push: push, state: now, isMature: isMature, outcome: match.outcomes[place],
            isBrought: match.areBrought[place], last: last,
            ranAfterwards: (last ?? now) == .lost && Self.ran(facts, after: push.sent, within: horizon))
        ))
    }
  }

  private func state(
    _ push: SentPush, _ index: Int?, _ page: borrowing ShardPage, until end: Timestamp
  ) throws -> PushState {
    try push.state(horizon: question.options.horizon, until: end) {
      try index.map { try page.spoke($0, after: push.sent.rawValue, until: end.rawValue) } ?? false
    }
  }

  /// Whether a background refresh woke the app.
  private static func ran(_ facts: [WakeFact], after instant: Timestamp, within horizon: Milliseconds) -> Bool {
    facts[facts.firstPlace { $0.at > instant }...].prefix { $0.at <= instant + horizon }
      .contains { $0.trigger == .bgRefresh }
  }

  /// A device counts once in each of its groups.
  private mutating func count(_ index: Int?, _ page: borrowing ShardPage) {
    while let group = judged.first?.group {
      own.removeAll(keepingCapacity: true)
      for one in judged where one.group == group { own.append(one.push) }
      counts.list[group].add(own, until: question.cutOff)
      open?.add(own, PushCounts.rates(own))
      judged.removeAll { $0.group == group }
    }
    guard question.release == nil else { return noteOthers(index, page) }
    for orphan in match.orphans where question.extent.includes(orphan.at) {
      let key = question.key(orphan.at, channel: orphan.channel, index, page)
      if let key, let group = counts.index(of: key, { question.labels(key) }) { counts.list[group].orphans += 1 }
    }
  }
}

extension PushTally {
  /// Whether any device that was looked at reports that pushes arrive; the pushes of a group without any are lost then.
  var areReceiptsReported: Bool { otherReceipts + counts.list.reduce(0) { $0 + $1.receipts } > 0 }

  private mutating func noteOthers(_ index: Int?, _ page: borrowing ShardPage) {
    func isAskedFor(_ at: Timestamp, _ channel: Int64, _ platform: Int64 = 0) -> Bool {
      guard question.extent.includes(at), let key = question.key(at, channel: channel, index, page) else {
        return false
      }
      return places.contains(channel, key.platform == 0 ? -Int(platform) : key.platform)
    }
    for push in match.pushes where push.receipt != nil && !push.isRejected && push.release != question.release {
      if isAskedFor(push.sent, push.channel, push.platform) { otherReceipts += 1 }
    }
    for orphan in match.orphans where isAskedFor(orphan.at, orphan.channel) { otherReceipts += 1 }
  }

  mutating func add(_ other: Self, times: Int) {
    newest.add(other.newest, times: times)
    otherReceipts += times * other.otherReceipts
    namingOthers += times * other.namingOthers
    counts.add(other.counts, times: times)
    if let more = other.open { open?.add(more) }
  }

  /// As it was counted before, at a cutoff.
  init(_ question: PushCounting, _ kept: KeptPushes, dataThrough: Timestamp?) {
    self.init(question)
    dataThrough.map { newest.note($0) }
    let group = counts.index(of: Labels())
    counts.list[group].add(kept.counts(at: question.cutOff, question.options.horizon))
  }
}

extension PushCounting {
  func includes(_ push: SentPush) -> Bool {
    extent.includes(push.sent) && (release.map { push.release == $0 } ?? true)
  }

  func names(of push: SentPush) -> [String] { names.names(of: push, labels) }

  /// nil for a device that is left out.
  func key(_ push: SentPush, _ index: Int?, _ page: borrowing ShardPage) -> GroupKey? {
    guard var key = key(push.sent, channel: push.channel, index, page) else { return nil }
    if key.platform == 0 { key.platform = -Int(push.platform) }
    if options.by.contains(.release) { key.kind = push.release }
    return key
  }

  func key(_ at: Timestamp, channel: Int64, _ index: Int?, _ page: borrowing ShardPage) -> GroupKey? {
    var key = GroupKey(channel: channel)
    if let index { key.platform = Int(page.platforms[index]) }
    return splits.fill(&key, at: at, index, page) ? key : nil
  }

  /// nil where that is not asked for.
  func labels(_ key: GroupKey) -> Labels? {
    guard extent.includes(key, names) else { return nil }
    return names.labels(key, by: options.by, splits.slices, kind: labels[key.kind]?.rawValue)
  }
}

/// What is asked, the same for every shard; a class, so that nobody copies all that it holds.
final class PushCounting {
  let names: GroupNames
  let extent: FleetScope
  let options: Push.Options
  let end: CutOff
  var cutOff: Timestamp { end.at }
  let labels: [Int64: ReleaseLabel]
  /// The number of the release whose pushes are asked for; nil for all.
  let release: Int64?
  let splits: SliceSplits

  /// Whether another cutoff is to be put in later: then facts after this one are read, too.
  let keepsOpen: Bool

  init(
    _ vocabulary: Vocabulary, _ extent: FleetScope, _ options: Push.Options = Push.Options(),
    cutOff fixed: CutOff? = nil, keepsOpen: Bool = false
  ) {
    (self.extent, self.options, self.keepsOpen) = (extent, options, keepsOpen)
    end = fixed ?? CutOff(vocabulary, app: extent.app, now: extent.now)
    names = GroupNames(vocabulary)
    splits = SliceSplits(options.by, only: extent.only, names.profiles)
    let timeline = Timeline(vocabulary, app: extent.app, until: extent.now)
    labels = timeline.labels
    release = extent.release.flatMap { timeline.record($0)?.id }
  }

  /// Journeys only where the shard has pushes about the release.
  var need: Need {
    let columns = JourneyColumns(PushedJourneys.milestones)
    let releases = release.map { [$0] } ?? Array(labels.keys)
    let end = keepsOpen ? OpenBackground.endOfTime : cutOff
    var need = Need(
      app: extent.app, extent.population, journeys: Dictionary(uniqueKeysWithValues: releases.map { ($0, columns) }),
      devices: splits.needs, wakes: .init(from: extent.earliestFact, until: end, pushedAbout: release))
    need.onlyPushedReleases = true
    return need
  }
}
