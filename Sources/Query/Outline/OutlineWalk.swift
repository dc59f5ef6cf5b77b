import Lifecycle
import Store

/// What a walk over outlines asks, the same for every shard.
struct OutlineQuestion {
  let selection: Selection
  let timeline: Timeline
  let targets: [ReleaseRecord]
  let cutOff: CutOff
  let vocabulary: Vocabulary
  let profiles: ProfileTable
  let splitsVersions: Bool
  /// Whether another cut-off is to be put into the tables later.
  let keepsWaiting: Bool

  /// Whether outlines tell enough for a question; else the contact runs of every device must be read.
  static func isEnough(_ selection: Selection, _ splits: Splits) -> Bool {
    selection.estimand == .speed && selection.censor == .window && !splits.contains(.arm)
      && selection.reachWindow >= DeviceOutlines.longestSilence
  }

  init(
    _ vocabulary: Vocabulary, _ selection: Selection, _ timeline: Timeline, _ targets: [ReleaseRecord],
    _ splits: Splits, cutOff fixed: CutOff? = nil, keepsWaiting: Bool = false
  ) {
    self.selection = selection
    self.timeline = timeline
    self.targets = targets
    self.vocabulary = vocabulary
    cutOff = fixed ?? CutOff(vocabulary, app: selection.app, now: selection.now)
    self.keepsWaiting = keepsWaiting
    profiles = ProfileTable(vocabulary.profiles)
    splitsVersions = splits.contains(.appVersion)
  }

  /// Buckets and offers count only where a release came in steps.
  var columns: ColumnChoice {
    let ids = Set(targets.map(\.id))
    let isStaged = timeline.releases.contains {
      ids.contains($0.id) && $0.publications.contains { !$0.rollout.isEmpty }
    }
    return ColumnChoice(
      OutlineJourneys.milestones + (isStaged ? OutlineJourneys.offers : []), profileTimes: splitsVersions,
      buckets: isStaged)
  }
}

/// A channel and platform with what is collected there.
struct OutlinePlace {
  /// A number of `name`.
  let channel: Int64
  let group: Group
  /// One per target; nil where the release never came here.
  let rules: [AtRiskRules?]
  let outlineRules: [OutlineRules?]
  let isIncluded: Bool
  /// One per target and version.
  var cells: [OutlineCell]
  /// The devices of the page at hand that are here, by their index.
  var members: [Int32] = []

  init(_ number: Int64, _ platform: String?, _ question: OutlineQuestion) {
    let channel = question.vocabulary.name(number)
    self.channel = number
    let group = Group(channel: channel, platform: platform)
    self.group = group
    isIncluded = question.selection.includes(group)
    let rules = question.targets.map {
      AtRiskRules(question.selection, question.cutOff.at, question.timeline, $0.id, group)
    }
    self.rules = rules
    outlineRules = rules.map { $0.map { OutlineRules($0, question.timeline, channel: channel) } }
    let versions = question.splitsVersions ? question.profiles.versions.count : 1
    cells = Array(
      repeating: OutlineCell(keepsWaiting: question.keepsWaiting), count: question.targets.count * versions)
  }
}

/// Judges device after device by its outline, and by all that is stored of it where that says too little.
struct OutlineWalk {
  let question: OutlineQuestion
  private(set) var places: [OutlinePlace] = []
  private var numbers: [Int: Int] = [:]
  /// The newest contact that was looked at.
  private(set) var dataThrough: Timestamp?
  /// Of each device of the page at hand: its place, or why it has none.
  private(set) var placeOf: [Int] = []
  private(set) var platformOf: [Int] = []
  private(set) var emulators: [Bool] = []
  private(set) var whole: DeviceShard?
  private var match = DeviceMatch()

  static let apart = -1
  static let absent = -2

  init(_ question: OutlineQuestion) { self.question = question }

  private mutating func number(_ channel: Int64, _ platform: Int) -> Int {
    let key = Int(channel) << 16 | platform
    if let known = numbers[key] { return known }
    numbers[key] = places.count
    places.append(OutlinePlace(channel, question.profiles.platforms[platform], question))
    return places.count - 1
  }

  mutating func add(_ page: OutlinePage, _ read: () throws -> DeviceShard) throws {
    whole = nil
    try sort(page.outlines, read)
    for (number, target) in question.targets.enumerated() {
      for index in judge(page, number, target) { try judgeWhole(index, only: number, page, read) }
    }
    for index in placeOf.indices where placeOf[index] == Self.apart {
      try judgeWhole(index, only: nil, page, read)
    }
  }

  mutating func shard(_ read: () throws -> DeviceShard) throws -> DeviceShard {
    if let whole { return whole }
    let made = try read()
    whole = made
    return made
  }
}

// MARK: places

extension OutlineWalk {
  /// Finds every device's place, and the newest contact.
  private mutating func sort(_ outlines: DeviceOutlines, _ read: () throws -> DeviceShard) throws {
    let (profiles, cutOff) = (question.profiles, question.cutOff.at.rawValue)
    for place in places.indices { places[place].members.removeAll(keepingCapacity: true) }
    placeOf.removeAll(keepingCapacity: true)
    platformOf.removeAll(keepingCapacity: true)
    emulators.removeAll(keepingCapacity: true)
    // Places of the channel at hand by platform: devices of several platforms take turns.
    var (recent, known) = (Int64(-1), profiles.platforms.map { _ in -1 })
    for index in outlines.devices.indices {
      let platform = profiles.platform(outlines, index)
      emulators.append(profiles.isEmulator(outlines, index))
      let channel = outlines.channels[index]
      guard let platform, channel != 0 else {
        placeOf.append(Self.apart)
        platformOf.append(platform ?? Self.apart)
        continue
      }
      platformOf.append(platform)
      guard outlines.spanStarts[outlines.spanOffsets[index]] <= cutOff else {
        placeOf.append(Self.absent)
        continue
      }
      if dataThrough.map({ $0.rawValue < cutOff }) ?? true { try note(contactOf: index, outlines, read) }
      if recent != channel {
        recent = channel
        for other in known.indices { known[other] = -1 }
      }
      if known[platform] < 0 { known[platform] = number(channel, platform) }
      let place = known[platform]
      placeOf.append(places[place].isIncluded ? place : Self.absent)
      if places[place].isIncluded { places[place].members.append(Int32(truncatingIfNeeded: index)) }
    }
  }

  private mutating func note(
    contactOf index: Int, _ outlines: DeviceOutlines, _ read: () throws -> DeviceShard
  ) throws {
    let cutOff = question.cutOff.at.rawValue
    var last = outlines.spanOffsets[index + 1] - 1
    while outlines.spanStarts[last] > cutOff { last -= 1 }
    var end = outlines.spanEnds[last]
    // A span may hold silences of days, and the cut-off may lie in one.
    if end > cutOff {
      end =
        try shard(read).runs(index).lazy.filter { $0.start.rawValue <= cutOff }
        .map { min($0.end.rawValue, cutOff) }.max() ?? end
    }
    dataThrough = max(dataThrough ?? Timestamp(rawValue: end), Timestamp(rawValue: end))
  }
}

extension OutlineWalk {
  /// Whether a device ran another release in a channel before an instant, so that a change came over the air.
  mutating func isChange(
    _ index: Int, to journeys: Snapshot.Journeys, since: Timestamp?, before instant: Timestamp,
    _ outlines: DeviceOutlines, _ read: () throws -> DeviceShard
  ) throws -> Bool {
    // The first it ever said was that it runs this one.
    if outlines.births[index] == journeys.release { return false }
    return try shard(read).runs(index)
      .ranAnother(than: journeys.release, in: journeys.channel, since: since, before: instant)
  }
}

// MARK: judgements

extension OutlineWalk {
  /// The devices that their outline says too little of.
  private mutating func judge(_ page: OutlinePage, _ number: Int, _ target: ReleaseRecord) -> [Int] {
    var unclear: [Int] = []
    var matched: Int64?
    for place in places.indices where places[place].isIncluded {
      guard let rules = places[place].outlineRules[number] else { continue }
      let channel = places[place].channel
      let journeys = page.journeys.first { $0.release == target.id && $0.channel == channel }
      if matched != channel {
        match.find(page.outlines.devices, in: journeys?.shard.devices ?? [])
        matched = channel
      }
      // Cells are taken out while they grow, or they would be copied.
      var cells: [OutlineCell] = []
      swap(&cells, &places[place].cells)
      judge(places[place].members, page.outlines, journeys.map(OutlineJourneys.init), rules, number, &cells, &unclear)
      swap(&cells, &places[place].cells)
    }
    return unclear
  }

  private func judge(
    _ members: [Int32], _ outlines: DeviceOutlines, _ journeys: OutlineJourneys?, _ rules: OutlineRules, _ target: Int,
    _ cells: inout [OutlineCell], _ unclear: inout [Int]
  ) {
    let (profiles, matches) = (question.profiles, match.places)
    let versions = question.splitsVersions ? profiles.versions.count : 1
    for member in members {
      let index = Int(member)
      let matched = matches[index]
      var journey: OutlineJourney?
      if matched >= 0, let journeys { journey = journeys.journey(Int(matched), isStaged: rules.isStaged) }
      let device = OutlineDevice(
        start: outlines.spanStarts[outlines.spanOffsets[index]], isEmulator: emulators[index],
        birth: outlines.births[index], bornAt: outlines.birthTimes[index], bucket: outlines.bucket(index))
      guard let found = rules.judge(device, journey) else {
        unclear.append(index)
        continue
      }
      let version = versions > 1 ? profiles.version(outlines, index, at: found.eligibleAt) : 0
      cells[target * versions + version].add(found, rules, outlines, index)
    }
  }

  /// - Parameter only: the target to judge for; nil for all, since the device has no place of its own.
  private mutating func judgeWhole(
    _ index: Int, only: Int?, _ page: OutlinePage, _ read: () throws -> DeviceShard
  ) throws {
    let shard = try shard(read)
    let history = DeviceHistory(shard, index, until: question.cutOff.at, question.vocabulary.profiles)
    let platform = question.profiles.number(ofPlatform: history.platform)
    platformOf[index] = platform
    for spell in history.spells {
      dataThrough = max(dataThrough ?? spell.lastContact, spell.lastContact)
      let place = number(spell.channel, platform)
      guard places[place].isIncluded else { continue }
      for target in only.map({ $0..<$0 + 1 }) ?? 0..<question.targets.count {
        judge(history, spell, place, target, page, shard.devices[index])
      }
    }
  }

  private mutating func judge(
    _ history: DeviceHistory, _ spell: Spell, _ place: Int, _ target: Int, _ page: OutlinePage, _ device: UInt64
  ) {
    guard let rules = places[place].rules[target] else { return }
    let journeys = page.journeys.first { $0.release == rules.target && $0.channel == spell.channel }
    let journey = journeys.flatMap { journeys in
      journeys.shard.search(device).map {
        JourneyView(release: rules.target, channel: spell.channel, shard: journeys.shard, place: $0)
      }
    }
    let evidence = AtRiskRules.Evidence(history: history, spell: spell, journey: journey, newerJourneys: [])
    guard let found = rules.judge(evidence) else { return }
    var (version, versions) = (0, 1)
    if question.splitsVersions {
      versions = question.profiles.versions.count
      version = question.profiles.number(ofVersion: history.property(\.appVersion, at: found.eligibleAt))
    }
    places[place].cells[target * versions + version].add(found, hasFuture: history.hasFuture)
  }
}
