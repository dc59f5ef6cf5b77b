import Console
import Lifecycle
import Statistics
import Store

/// All that findings rest on.
struct DiagnosisEvidence {
  var fleet: FleetTally
  var losses: PushLossTally
  var recent: RecentEvents
  var impossible: ImpossibleDevices
  /// By trigger and platform.
  var wakeUps: [WakeUps]
  var verdicts: [Verdict]
  var funnels: [(channel: String, release: String, funnel: Funnel)]
  var strays: [StrayPublication] = []
  let counting: FleetCounting
  /// The confidence of limits that are shown.
  let level: Double
  /// Where some were sent after the cutoff.
  var refused: RefusedTally?

  var warnings: [Warning] {
    let active = fleet.cells.values.reduce(fleet.moves.values.reduce(0, +)) { $0 + $1.active }
    guard active < Diagnosis.fewest else { return receiptWarnings }
    return receiptWarnings + [
      Warning(
        Diagnosis.fewDevices,
        "\(counted(active, "device")) heard of within a week: of fewer than \(Diagnosis.fewest) nothing is said")
    ]
  }

  /// Where pushes were sent to devices that were heard of, and nothing says whether any arrived.
  private var receiptWarnings: [Warning] {
    let devices = losses.platforms.values.reduce(0) { $0 + Int($1.woke.ratio.clusters) }
    guard losses.areReceiptsReported else { return devices < Diagnosis.fewest ? [] : [.noReceipts] }
    let untold = pushesByPlatform.filter {
      $0.losses.devices >= Diagnosis.fewest && !areReceiptsReported(on: $0.platform)
    }
    return untold.isEmpty ? [] : [.receiptsMissing(of: untold.map { Labels(["platform": $0.platform]) })]
  }

  /// Whether it is known of a platform what arrives: not where devices have releases by pushes of which none says that it arrived.
  func areReceiptsReported(on name: String) -> Bool {
    guard losses.areReceiptsReported, let own = pushesByPlatform.first(where: { $0.platform == name })?.losses,
      !own.isAnyReceived
    else { return losses.areReceiptsReported }
    let brought = fleet.cells.reduce(0) { $0 + (platform($1.key.platform) == name ? $1.value.pushed : 0) }
    // One device of many may mean another push than it says.
    return brought * 20 < own.devices
  }

  /// What is counted of devices, summed by something they have in common.
  func sums<Key: Hashable>(by key: (FleetKey) -> Key?) -> [(key: Key, counts: FleetCounts)] {
    var sums: [Key: FleetCounts] = [:]
    for (cell, counts) in fleet.cells { if let key = key(cell) { sums[key, default: FleetCounts()].add(counts) } }
    return sums.map { (key: $0.key, counts: $0.value) }
  }

  /// The releases that are looked at: the one that is named, or the newest ones, in order of name.
  var looked: [String] { Set(counting.targets.map(\.label)).sorted() }

  func platform(_ number: Int) -> String? { counting.names.platform(GroupKey(platform: number)) }
  func channel(_ number: Int64) -> String { counting.names.vocabulary.name(number) }
  func target(of channel: Int64) -> FleetCounting.Target? {
    let name = self.channel(channel)
    return counting.targets.first { $0.channel == name }
  }

  /// Platforms with what became of pushes to their devices, in order of name.
  var pushesByPlatform: [(platform: String, losses: PushLosses)] { byPlatform(losses.platforms) }
  /// Likewise of pushes about the releases that are looked at.
  var ownPushesByPlatform: [(platform: String, losses: PushLosses)] { byPlatform(losses.own) }

  /// A device that never spoke has its platform from the push: under another number, which is the same platform.
  private func byPlatform(_ losses: [Int: PushLosses]) -> [(platform: String, losses: PushLosses)] {
    var named: [String: PushLosses] = [:]
    for (number, losses) in losses {
      if let platform = platform(number) { named[platform, default: PushLosses()].add(losses) }
    }
    return named.map { (platform: $0.key, losses: $0.value) }.sorted { $0.platform < $1.platform }
  }

  /// nil where it was not counted.
  ///
  /// - Parameter isOwn: only pushes for the releases that are looked at.
  func refusedPushes(_ name: String, isOwn: Bool) -> RefusedPushes? {
    guard let refused else { return nil }
    return (isOwn ? refused.own : refused.platforms).filter { platform($0.key) == name }
      .reduce(into: RefusedPushes()) { $0.add($1.value) }
  }

  /// A question about the app; it is named where there are several.
  func asking(_ question: String) -> ShellCommand {
    let (app, command) = (counting.extent.app, ShellCommand("uptake", question))
    return counting.names.vocabulary.apps.count > 1 ? command.option("app", app) : command
  }

  /// A question about a release, of the devices that were looked at, or of those of one platform.
  func filtered(_ question: String, platform: String? = nil) -> ShellCommand {
    var command = asking(question)
    let platforms = platform.map { [$0] } ?? counting.extent.platforms
    if !platforms.isEmpty { command = command.option("platform", platforms.joined(separator: ",")) }
    for filter in counting.extent.only { command = command.option("where", filter.text) }
    for (name, isGiven) in populations where isGiven { command = command.option(name) }
    return command
  }

  /// A question about pushes, wake-ups or findings of a platform, of the devices and of the time that were looked at.
  ///
  /// - Parameter start: of a shorter time.
  func asking(_ question: String, platform: String, since start: Timestamp? = nil) -> ShellCommand {
    let extent = counting.extent
    var command = asking(question)
    if !extent.channels.isEmpty { command = command.option("channel", extent.channels.joined(separator: ",")) }
    for filter in extent.only { command = command.option("where", filter.text) }
    if let since = start ?? extent.since { command = command.option("since", sinceWords(since)) }
    for (name, isGiven) in populations where isGiven { command = command.option(name) }
    // Of devices that name none nothing can be asked apart.
    return platform == Group.unnamed ? command : command.option("platform", platform)
  }

  private func sinceWords(_ since: Timestamp) -> String {
    counting.extent.now - since == Diagnosis.period ? age(seconds: Diagnosis.period.rawValue / 1000) : since.rfc3339
  }

  private var populations: [(String, Bool)] {
    let extent = counting.extent
    return [
      ("emulators", extent.includesEmulators), ("without-impossible", extent.population.leavesOutImpossible),
      ("only-attested", extent.population.isAttested),
    ]
  }

  func wakeUps(_ trigger: Trigger, _ platform: String) -> WakeUps? {
    wakeUps.first { $0.group.parts == ["trigger": trigger.rawValue, "platform": platform] }
  }
}

/// A share that is held against a limit.
struct JudgedShare {
  let count: Int
  let of: Int
  /// That they belong to.
  let devices: Int
  /// With the limits that are shown.
  let shown: Estimate
  /// With `Diagnosis.confidence`.
  let lo: Double
  private let hi: Double

  init(_ count: Int, of all: Int, level: Double) {
    (self.count, self.of, devices) = (count, all, all)
    let proportion = Proportion(Int64(count), of: Int64(all))
    let strict = proportion.wilson(level: Diagnosis.confidence)
    (lo, hi) = (strict.lo ?? 0, strict.hi ?? 1)
    shown = proportion.wilson(level: level)
  }

  /// Of things that come several per device.
  init(_ sums: RateSums, level: Double) {
    let (rate, strict) = (sums.rate(level: level), sums.rate(level: Diagnosis.confidence).share)
    (count, of, devices, shown) = (rate.count, rate.of, rate.devices, rate.share)
    // A share of none, or of all, has no limits from the variance between devices: then each device counts as one.
    let each = Proportion(rate.count == 0 ? 0 : Int64(rate.devices), of: Int64(rate.devices))
    let plain = each.wilson(level: Diagnosis.confidence)
    lo = strict.lo ?? plain.lo ?? 0
    hi = strict.hi ?? plain.hi ?? 1
  }

  func isAbove(_ limit: Double) -> Bool { of > 0 && lo > limit }
  func isBelow(_ limit: Double) -> Bool { of > 0 && hi < limit }
  /// `12.4% (11.4–13.5) of 1,200`.
  var words: String { "\(figure(shown)) of \(grouped(of))" }

  func evidence(_ what: String, _ command: ShellCommand) -> Diagnosis.Evidence {
    Diagnosis.Evidence(what: what, share: shown, count: count, of: of, command: command)
  }
}

extension FindingRule {
  /// A finding of this rule.
  ///
  /// - Parameter command: that shows what to check; it follows the words.
  static func found(
    _ name: Diagnosis.Name, _ level: Diagnosis.Level, _ group: [String: String] = [:], devices: Int, _ sentence: String,
    causes: [String], check: String, with command: ShellCommand? = nil, _ evidence: Diagnosis.Evidence...
  ) -> Diagnosis {
    Diagnosis(
      finding: name, level: level, group: Labels(group), devices: devices, sentence: sentence, causes: causes,
      check: Diagnosis.Check(words: check, command: command), evidence: evidence)
  }
}
