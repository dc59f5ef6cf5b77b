public import Lifecycle
public import Query
public import Report
public import Store

/// Which rollouts are told of.
public struct RolloutChoice: Sendable, Codable {
  /// nil for all apps.
  public var app: String?
  /// Empty: the newest of each channel, and those that changed within the horizon.
  public var releases: [String] = []
  /// Empty for all.
  public var channels: [String] = []
  /// What happened longer ago is not told.
  public var horizon = Milliseconds.days(7)
  /// By what releases are judged.
  public var judging = Verdict.Options()

  public init(app: String? = nil, releases: [String] = [], channels: [String] = []) {
    (self.app, self.releases, self.channels) = (app, releases, channels)
  }

  /// Whether something is of this choice; what is of no channel is of all.
  func covers(app: String, channel: String) -> Bool {
    (self.app.map { $0 == app } ?? true) && (channels.isEmpty || channel.isEmpty || channels.contains(channel))
  }

  func covers(_ fact: RolloutFact) -> Bool {
    covers(app: fact.app, channel: fact.channel) && (releases.isEmpty || releases.contains(fact.release))
  }

  /// What is known of them now.
  public func rollouts(path: String, now: Timestamp) throws -> [Rollout] {
    let snapshot = try Snapshot(path: path)
    let apps = try app.map { [try snapshot.vocabulary.chosenApp($0)] } ?? snapshot.vocabulary.apps
    var rollouts: [Rollout] = []
    for app in apps {
      let order = SiteOrder(database: path, app: app, judging: judging, now: now, version: "")
      let asking = try Asking(order, snapshot.vocabulary)
      rollouts += try asking.rollouts(snapshot, since: now - horizon, releases: releases, channels: channels)
    }
    return rollouts
  }

  /// Those of its channels that nothing was ever on, and the channels that there are. A slip in one tells nothing, run
  /// after run, and looks as if nothing had happened; no error, since the channel may be to come.
  public func strangeChannels(_ vocabulary: Vocabulary) -> (strange: [String], known: [String]) {
    let apps = app.map { [$0] } ?? vocabulary.apps
    let known = Set(apps.flatMap { vocabulary.channels(of: $0, and: Timeline(vocabulary, app: $0)) })
    return (channels.filter { !known.contains($0) }, known.sorted())
  }

  /// What is found in each app now, whatever was told; none where it is not told, or single releases are asked for.
  public func findings(_ kinds: Set<RolloutFact.Kind>, path: String, now: Timestamp) throws -> [FleetFindings] {
    guard kinds.contains(.finding), releases.isEmpty else { return [] }
    let snapshot = try Snapshot(path: path)
    let apps = try app.map { [try snapshot.vocabulary.chosenApp($0)] } ?? snapshot.vocabulary.apps
    return try apps.map { app in
      let answer = try Diagnosis.answer(snapshot, FleetScope(snapshot.vocabulary, app: app, now: now))
      return FleetFindings(answer, app: app, now: now, channels: channels)
    }
  }
}
