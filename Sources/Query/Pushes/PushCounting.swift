import Lifecycle
import Store

/// Sorts the pushes of device after device into the groups asked for.
struct PushCounting: PageCounting {
  var newest: NewestContact
  var tallies = GroupTallies { PushTally() }
  private let question: Question
  private var match = PushMatch()
  private var wakeUps: [WakeUp] = []
  private var judged: [(place: Int, push: JudgedPush)] = []
  /// Those of one group.
  private var own: [JudgedPush] = []

  /// What is asked, the same for every shard; a class, so that nobody copies all that it holds.
  final class Question {
    let names: GroupNames
    let extent: Extent
    let options: Push.Options
    let cutOff: Timestamp
    let labels: [Int64: ReleaseLabel]
    /// The number of the release whose pushes are asked for; nil for all.
    let release: Int64?

    init(_ vocabulary: Vocabulary, _ extent: Extent, _ options: Push.Options, until cutOff: Timestamp) {
      (self.extent, self.options, self.cutOff) = (extent, options, cutOff)
      names = GroupNames(vocabulary)
      let records = Timeline(vocabulary, app: extent.app).releases
      labels = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0.label) })
      release = extent.release.flatMap { label in records.first { $0.label == label }?.id }
    }
  }

  init(_ question: Question) {
    self.question = question
    newest = NewestContact(until: question.cutOff)
    if question.options.by.isEmpty { _ = tallies.place(of: Labels()) }
  }

  mutating func add(_ page: inout DevicePage, _ contacts: () throws -> ContactTimes) throws {
    try newest.note(page.outlines, contacts)
    var devices = PageDevices(page.outlines, question.names)
    var journeys = page.journeys.map(PushedJourneys.init)
    while let device = page.wakes.next() {
      let place = devices.place(of: device)
      if let place, !question.extent.includesEmulators, devices.isEmulator(place) { continue }
      let facts = page.wakes.facts
      guard facts.contains(where: { $0.stage == .pushSent || $0.trigger == .silentPush }) else { continue }
      WakeUp.collect(facts, of: .silentPush, into: &wakeUps)
      match.match(facts, wakeUps) { question.names(of: $0) }
      for index in journeys.indices {
        if let place = journeys[index].place(of: device) {
          match.credit(journeys[index], place, until: question.cutOff)
        }
      }
      try judge(facts, place, &devices, contacts)
      count(place, devices)
    }
  }

  private mutating func judge(
    _ facts: [WakeFact], _ place: Int?, _ devices: inout PageDevices, _ contacts: () throws -> ContactTimes
  ) throws {
    judged.removeAll(keepingCapacity: true)
    let (horizon, cutOff) = (question.options.horizon, question.cutOff)
    for (push, outcome) in zip(match.pushes, match.outcomes) where question.includes(push) {
      let key = question.key(push, place, devices)
      guard let group = tallies.place(of: key, { question.labels(key) }) else { continue }
      let state = try push.state(horizon: horizon, until: cutOff) {
        try place.map { try devices.spoke($0, after: push.sent, until: cutOff, contacts) } ?? false
      }
      judged.append(
        (
          group,
          JudgedPush(
            push: push, state: state, isMature: push.isMature(horizon, until: cutOff), outcome: outcome,
            ranAfterwards: state == .lost && Self.ran(facts, after: push.sent, within: horizon))
        ))
    }
  }

  /// Whether a background refresh woke the app.
  private static func ran(_ facts: [WakeFact], after instant: Timestamp, within horizon: Milliseconds) -> Bool {
    facts[facts.firstPlace { $0.at > instant }...].prefix { $0.at <= instant + horizon }
      .contains { $0.trigger == .bgRefresh }
  }

  /// A device counts once in each of its groups.
  private mutating func count(_ place: Int?, _ devices: PageDevices) {
    while let group = judged.first?.place {
      own.removeAll(keepingCapacity: true)
      for one in judged where one.place == group { own.append(one.push) }
      tallies.tallies[group].add(own, until: question.cutOff)
      judged.removeAll { $0.place == group }
    }
    guard question.release == nil else { return }
    for orphan in match.orphans where question.extent.includes(orphan.at) {
      let key = question.key(orphan.at, channel: orphan.channel, place, devices)
      if let group = tallies.place(of: key, { question.labels(key) }) { tallies.tallies[group].orphans += 1 }
    }
  }

  static func counted(_ question: Question, _ snapshot: borrowing Snapshot) throws -> PushCounting {
    let (extent, release) = (question.extent, question.release)
    let releases = release.map { [$0] } ?? Array(question.labels.keys)
    let choice = PageChoice(
      app: extent.app, milestones: Dictionary(uniqueKeysWithValues: releases.map { ($0, PushedJourneys.milestones) }),
      isOfPushed: true, wakes: .init(from: extent.earliestFact, until: question.cutOff, pushedAbout: release))
    return try counted(choice, snapshot) { PushCounting(question) }
  }
}

extension PushCounting.Question {
  func includes(_ push: SentPush) -> Bool {
    extent.includes(push.sent) && (release.map { push.release == $0 } ?? true)
  }

  func names(of push: SentPush) -> [String] {
    let vocabulary = names.vocabulary
    return [labels[push.release]?.rawValue ?? "", vocabulary.name(push.channel), vocabulary.name(push.platform)]
  }

  func key(_ push: SentPush, _ place: Int?, _ devices: PageDevices) -> GroupKey {
    var key = key(push.sent, channel: push.channel, place, devices)
    if key.platform == 0 { key.platform = -Int(push.platform) }
    if options.by.contains(.release) { key.kind = push.release }
    return key
  }

  func key(_ at: Timestamp, channel: Int64, _ place: Int?, _ devices: PageDevices) -> GroupKey {
    var key = GroupKey(channel: channel)
    guard let place else { return key }
    key.platform = devices.platform(place)
    if options.by.contains(.appVersion) { key.version = devices.version(place, at: at) }
    return key
  }

  /// nil where that is not asked for.
  func labels(_ key: GroupKey) -> Labels? {
    guard extent.includes(key, names) else { return nil }
    return names.labels(key, by: options.by, kind: labels[key.kind]?.rawValue)
  }
}
