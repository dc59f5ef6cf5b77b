import Lifecycle
import Store

/// One device's spell, judged for one release.
struct Judgement {
  /// Which of the walk's releases.
  var target: Int
  var place: Group
  var rules: AtRiskRules
  var evidence: AtRiskRules.Evidence
  var found: AtRisk
  var view: DeviceView
}

/// Goes through all devices once and judges every spell for each of several releases.
struct RiskWalk {
  let selection: Selection
  let timeline: Timeline
  let targets: [ReleaseRecord]
  let cutOff: CutOff
  /// By channel and platform, one per target; nil where the release never came there.
  private(set) var rules: [Group: [AtRiskRules?]] = [:]
  /// The newest contact that was looked at.
  private(set) var dataThrough: Timestamp?

  init(_ vocabulary: Vocabulary, _ selection: Selection, _ timeline: Timeline, _ targets: [ReleaseRecord]) {
    self.selection = selection
    self.timeline = timeline
    self.targets = targets
    cutOff = CutOff(vocabulary, app: selection.app, now: selection.now)
  }

  /// On all cores, each collecting into a state of its own; in whatever order.
  ///
  /// - Parameters:
  ///   - device: is called once for each device, before its judgements.
  ///   - body: is called for each spell and release that have to do with each other.
  mutating func run<State>(
    _ snapshot: borrowing Snapshot, start: () -> State, device: (inout State, DeviceView) -> Void = { _, _ in },
    _ body: (inout State, Judgement) -> Void
  ) throws -> [State] {
    let (vocabulary, fresh) = (snapshot.vocabulary, self)
    let parts = try snapshot.eachDevice(
      app: selection.app, releases: releases, until: cutOff.at, start: { (walk: fresh, state: start()) }
    ) { part, view in
      device(&part.state, view)
      part.walk.add(view, vocabulary) { body(&part.state, $0) }
    }
    for part in parts {
      rules.merge(part.walk.rules) { known, _ in known }
      dataThrough = [dataThrough, part.walk.dataThrough].compactMap(\.self).max()
    }
    return parts.map(\.state)
  }

  /// Whose journeys judgements look at.
  private var releases: Set<Int64> {
    Set(selection.estimand == .speed ? targets.map(\.id) : timeline.releases.map(\.id))
  }

  private mutating func add(_ view: DeviceView, _ vocabulary: Vocabulary, _ body: (Judgement) -> Void) {
    let platform = view.history.platform
    for spell in view.history.spells {
      dataThrough = max(dataThrough ?? spell.lastContact, spell.lastContact)
      let place = Group(channel: vocabulary.name(spell.channel), platform: platform)
      guard selection.includes(place) else { continue }
      for (target, rule) in rules(at: place).enumerated() {
        guard let rule, let judged = judge(view, spell, place, target, rule) else { continue }
        body(judged)
      }
    }
  }

  private mutating func rules(at place: Group) -> [AtRiskRules?] {
    if let known = rules[place] { return known }
    let made = targets.map { AtRiskRules(selection, cutOff.at, timeline, $0.id, place) }
    rules[place] = made
    return made
  }

  private func judge(
    _ view: DeviceView, _ spell: Spell, _ place: Group, _ target: Int, _ rules: AtRiskRules
  ) -> Judgement? {
    let evidence = AtRiskRules.Evidence(
      history: view.history, spell: spell, journey: view.journey(rules.target, spell.channel),
      newerJourneys: selection.estimand == .speed
        ? [] : view.journeys.filter { rules.newer.contains($0.release) && $0.channel == spell.channel })
    return rules.judge(evidence).map {
      Judgement(target: target, place: place, rules: rules, evidence: evidence, found: $0, view: view)
    }
  }
}

/// What cells are kept apart by beyond channel and platform.
struct Splits: OptionSet {
  let rawValue: Int
  static let appVersion = Splits(rawValue: 1)
  /// The arm of a random experiment that the device named.
  static let arm = Splits(rawValue: 2)

  init(rawValue: Int) { self.rawValue = rawValue }
  init(_ selection: Selection) { self = selection.by.contains(.appVersion) ? .appVersion : [] }
}

extension Judgement {
  /// The cell of the judgement: the device as it was when it became eligible.
  func group(_ splits: Splits) -> Group {
    var group = place
    if splits.contains(.appVersion) { group.appVersion = view.history.property(\.appVersion, at: found.eligibleAt) }
    if splits.contains(.arm) { group.arm = view.history.property(\.arm, at: found.eligibleAt) }
    return group
  }
}
