public import Lifecycle
public import Statistics
import Store

/// What answers can be split by: the parts that the selection did not ask for are nil.
public struct Group: Hashable, Sendable {
  public var channel: String?
  public var platform: String?
  public var appVersion: String?

  public init(channel: String? = nil, platform: String? = nil, appVersion: String? = nil) {
    self.channel = channel
    self.platform = platform
    self.appVersion = appVersion
  }
}

/// The life table of one group with everything that did not get into it.
public struct RiskTable: Sendable {
  public var table = LifeTable()
  /// Spells with time at risk; a device that moved to another channel has one in each.
  public var devices = 0
  public var excluded: [Exclusion: Int] = [:]
  public var remarks: [Remark: Int] = [:]
  var builder = LifeTable.Builder()
}

/// The time at risk of all devices for one release, by channel, platform and the other groupings asked for.
public struct RiskTables: Sendable {
  /// Cells are always apart by channel and platform, so that tests can be stratified by platform.
  public private(set) var cells: [Group: RiskTable] = [:]
  /// When the release came to each channel and platform that has a cell.
  public private(set) var starts: [Group: Timeline.Start] = [:]
  public private(set) var supersededAt: [Group: Timestamp] = [:]
  /// The newest contact that was looked at.
  public private(set) var dataThrough: Timestamp?
  public let cutOff: CutOff

  init(_ snapshot: borrowing Snapshot, _ selection: Selection, timeline: Timeline, target: ReleaseRecord) throws {
    cutOff = CutOff(snapshot.vocabulary, app: selection.app, now: selection.now)
    var rules: [Group: AtRiskRules?] = [:]
    let (vocabulary, until) = (snapshot.vocabulary, cutOff.at)
    var found: [Group: RiskTable] = [:]
    var through: Timestamp?
    let everything = Set(timeline.releases.map(\.id))
    let releases = selection.estimand == .speed ? [target.id] : everything
    try snapshot.eachDevice(app: selection.app, releases: releases, until: until) { view in
      let platform = view.history.platform
      for spell in view.history.spells {
        through = max(through ?? spell.lastContact, spell.lastContact)
        let place = Group(channel: vocabulary.name(spell.channel), platform: platform)
        guard selection.includes(place) else { continue }
        if rules[place] == nil { rules[place] = .some(AtRiskRules(selection, until, timeline, target.id, place)) }
        guard let rule = rules[place] ?? nil else { continue }
        let evidence = AtRiskRules.Evidence(
          history: view.history, spell: spell, journey: view.journey(target.id, spell.channel),
          newerJourneys: view.journeys.filter { rule.newer.contains($0.release) && $0.channel == spell.channel })
        guard let judged = rule.judge(evidence) else { continue }
        var group = place
        if selection.by.contains(.appVersion) {
          group.appVersion = view.history.property(\.appVersion, at: judged.eligibleAt)
        }
        found[group, default: RiskTable()].add(judged, hasFuture: view.history.hasFuture)
      }
    }
    cells = found.mapValues(\.finished)
    for (place, rule) in rules {
      starts[place] = rule?.start
      supersededAt[place] = rule?.supersededAt
    }
    dataThrough = through
  }
}

extension RiskTable {
  fileprivate mutating func add(_ judged: AtRisk, hasFuture: Bool) {
    for remark in judged.remarks { remarks[remark, default: 0] += 1 }
    if hasFuture { remarks[.future, default: 0] += 1 }
    if let exclusion = judged.exclusion {
      excluded[exclusion, default: 0] += 1
      return
    }
    devices += 1
    for interval in judged.intervals {
      builder.add(entry: interval.entry, exit: interval.exit, ending: interval.ending)
    }
  }

  fileprivate var finished: RiskTable {
    var copy = self
    copy.table = builder.build()
    copy.builder = LifeTable.Builder()
    return copy
  }

  /// Several cells as one.
  public static func merged(_ cells: [RiskTable]) -> RiskTable {
    var sum = RiskTable()
    sum.table = LifeTable.merged(cells.map(\.table))
    for cell in cells {
      sum.devices += cell.devices
      sum.excluded.merge(cell.excluded, uniquingKeysWith: +)
      sum.remarks.merge(cell.remarks, uniquingKeysWith: +)
    }
    return sum
  }
}

extension AtRiskRules {
  init?(_ selection: Selection, _ cutOff: Timestamp, _ timeline: Timeline, _ target: Int64, _ place: Group) {
    guard let channel = place.channel, let start = timeline.start(target, channel: channel, platform: place.platform)
    else { return nil }
    self.init(
      selection: selection, cutOff: cutOff, target: target, start: start,
      supersededAt: timeline.supersededAt(target, channel: channel, platform: place.platform),
      newer: timeline.newer(than: target, channel: channel, platform: place.platform))
  }
}

extension Selection {
  func includes(_ place: Group) -> Bool {
    (channels.isEmpty || place.channel.map(channels.contains) ?? false)
      && (platforms.isEmpty || place.platform.map(platforms.contains) ?? false)
  }
}
