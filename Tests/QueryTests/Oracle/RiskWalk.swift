import Lifecycle
import Store
import Statistics
@testable import Store

@testable import Query

/// One device's spell, judged for one release.
struct SpellJudgement {
  /// Which of the walk's releases.
  var target: Int
  var place: Group
  var rules: AtRiskRules
  var evidence: AtRiskRules.Evidence
  var found: AtRisk
  var view: DeviceView
}

/// Goes through all devices, one object after another, and judges every spell for each of several releases.
///
/// What `RiskTally` says by columns of numbers is held against this.
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
    (self.selection, self.timeline, self.targets) = (selection, timeline, targets)
    cutOff = CutOff(vocabulary, app: selection.app, now: selection.now)
  }

  /// - Parameters:
  ///   - device: is called once for each device, before its judgements.
  ///   - body: is called for each spell and release that have to do with each other.
  mutating func run(
    _ snapshot: borrowing Snapshot, device: (DeviceView) -> Void = { _ in }, _ body: (SpellJudgement) -> Void
  ) throws {
    let vocabulary = snapshot.vocabulary
    let releases = Set(timeline.releases.map(\.id))
    try snapshot.eachDevice(app: selection.app, releases: releases, until: cutOff.at) { view in
      device(view)
      judge(view, vocabulary, body)
    }
  }

  private mutating func judge(_ view: DeviceView, _ vocabulary: Vocabulary, _ body: (SpellJudgement) -> Void) {
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
  ) -> SpellJudgement? {
    let evidence = AtRiskRules.Evidence(
      history: view.history, spell: spell, journey: view.journey(rules.target, spell.channel),
      newerJourneys: view.journeys.filter { rules.newer.contains($0.release) && $0.channel == spell.channel })
    return rules.judge(evidence).map {
      SpellJudgement(target: target, place: place, rules: rules, evidence: evidence, found: $0, view: view)
    }
  }
}

extension SpellJudgement {
  /// The cell of the judgement: the device as it was when it became eligible.
  func group(_ splits: Splits) -> Group {
    var group = place
    if splits.contains(.slice) {
      group.slices = [Group.Slice(.appVersion, view.history.property(\.appVersion, at: found.eligibleAt))]
    }
    if splits.contains(.arm) {
      group.arm = view.history.arm(at: found.eligibleAt, before: evidence.journey?.sign, until: rules.cutOff)
    }
    return group
  }
}
