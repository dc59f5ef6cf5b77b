public import Lifecycle
public import Statistics
public import Store

/// How many devices it takes to see an effect of a given size, and whether one rollout has them, by what past releases of a channel did.
public struct ExperimentPlan: Sendable {
  public struct Options: Sendable {
    /// A difference of adoption, as a share.
    public var effect = 0.02
    public var power = 0.9
    public var alpha = 0.05
    /// The age at which adoption is compared.
    public var at = Milliseconds.hours(24)
    /// Of devices that are in the smaller arm.
    public var share = 0.5
    public init() {}
  }

  public let channel: String
  /// The releases that it rests on, the newest first.
  public let releases: [String]
  /// Newer than the oldest of these, and halted or at 0 % for a time: their adoption says how long devices were let wait.
  public let leftOut: [String]
  /// Adoption at that age without the effect: the mean over the releases, each by its devices.
  public let baseline: Double
  /// Eligible devices of one release: the median.
  public let devices: Int
  /// For one look at the end.
  public let oneLook: Effort
  /// For whoever looks as often as they like.
  public let allLooks: Effort

  /// What it takes.
  public struct Effort: Sendable {
    /// nil where the share with the effect is none.
    public let size: SampleSize?
    /// 1; nil where one rollout has too few devices. The next one has the same devices in the same arms, with the same habits, so that
    /// several rollouts are not as many more.
    public let rollouts: Int?
    /// nil where one rollout has too few devices.
    public let duration: Milliseconds?

    init(_ size: SampleSize?, devices: Int, at age: Milliseconds) {
      let isEnough = size.map { $0.total <= devices } ?? false
      self.size = size
      rollouts = isEnough ? 1 : nil
      duration = isEnough ? age : nil
    }
  }
}

extension ExperimentPlan {
  /// Releases that are looked at, at most.
  static let past = 5

  /// nil where no release is old enough.
  public init?(_ snapshot: borrowing Snapshot, _ extent: FleetScope, _ options: Options = Options()) throws {
    try extent.check(snapshot.vocabulary)
    let timeline = Timeline(snapshot.vocabulary, app: extent.app)
    let channels = extent.channels.isEmpty ? timeline.channels : extent.channels
    guard let channel = channels.contains("production") ? "production" : channels.first else { return nil }
    let (histories, leftOut) = try Self.histories(snapshot, extent, timeline, channel, options)
    let all = histories.reduce(0) { $0 + $1.devices }
    guard all > 0 else { return nil }
    (self.channel, self.leftOut) = (channel, leftOut)
    releases = histories.map(\.release)
    baseline = histories.reduce(0) { $0 + $1.share * Double($1.devices) } / Double(all)
    let devices = max(histories.map(\.devices).sorted()[histories.count / 2], 1)
    self.devices = devices
    let baseline = baseline
    func effort(atAllLooks: Bool) -> Effort {
      let size = SampleSize(
        from: baseline, to: baseline + options.effect, power: options.power, alpha: options.alpha,
        share: options.share, atAllLooks: atAllLooks)
      return Effort(size, devices: devices, at: options.at)
    }
    (oneLook, allLooks) = (effort(atAllLooks: false), effort(atAllLooks: true))
  }

  private typealias History = (release: String, devices: Int, share: Double)

  private static func histories(
    _ snapshot: borrowing Snapshot, _ extent: FleetScope, _ timeline: Timeline, _ channel: String, _ options: Options
  ) throws -> (found: [History], leftOut: [String]) {
    guard let newest = timeline.newest(on: channel, at: extent.now) else { return ([], []) }
    var chosen = try ReleaseScope(snapshot.vocabulary, app: extent.app, release: newest.label, now: extent.now)
    (chosen.selection.channels, chosen.selection.platforms) = ([channel], extent.platforms)
    var (found, leftOut, stopped) = ([History](), [String](), [String]())
    // Each is a scan, whatever it finds.
    var asked = 0
    for record in [newest] + timeline.before(newest, chosen.selection) where asked < past {
      guard let start = timeline.start(record.id, channel: channel, platforms: extent.platforms),
        extent.now - start.publishedAt >= options.at
      else { continue }
      if timeline.stoodStill(record.id, on: channel, extent.platforms, until: extent.now) {
        stopped.append(record.label.rawValue)
        continue
      }
      asked += 1
      if let history = try history(record, snapshot, extent, channel, options) {
        found.append(history)
        (leftOut, stopped) = (leftOut + stopped, [])
      }
    }
    return (found, leftOut)
  }

  private static func history(
    _ record: ReleaseRecord, _ snapshot: borrowing Snapshot, _ extent: FleetScope, _ channel: String, _ options: Options
  ) throws -> History? {
    var own = try ReleaseScope(snapshot.vocabulary, app: extent.app, release: record.label, now: extent.now)
    (own.selection.channels, own.selection.platforms, own.selection.only) = ([channel], extent.platforms, extent.only)
    own.selection.population = extent.population
    var aged = Adoption.Options()
    (aged.ages, aged.baseline, aged.points) = ([options.at], .none, 2)
    let row = try Adoption.answer(snapshot, own, aged).data.first
    guard let row, let share = row.figures.ages.first?.share.value, row.counts.devices > 0 else { return nil }
    return (record.label.rawValue, row.counts.devices, share)
  }
}

extension Timeline {
  /// Whether its rollout was halted by then, or stood at 0 % for a time, on some of the platforms.
  fileprivate func stoodStill(_ id: Int64, on channel: String, _ platforms: [String], until now: Timestamp) -> Bool {
    isHaltedSomewhere(id, channel: channel, platforms: platforms, at: now)
      || starts(id, channel: channel, platforms: platforms).contains { !$0.start.pauses(until: now).isEmpty }
  }
}
