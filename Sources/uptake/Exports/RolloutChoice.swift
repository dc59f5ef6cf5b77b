internal import Lifecycle
internal import Query
internal import Report
internal import Store

/// Which rollouts are told of.
struct RolloutChoice: Sendable {
  /// nil for all apps.
  var app: String?
  /// Empty: the newest of each channel, and those that changed within the horizon.
  var releases: [String] = []
  /// Empty for all.
  var channels: [String] = []
  /// What happened longer ago is not told.
  var horizon = Milliseconds.days(7)

  /// What is known of them now.
  func rollouts(path: String, now: Timestamp) throws -> [Rollout] {
    let snapshot = try Snapshot(path: path)
    let apps = try app.map { [try snapshot.vocabulary.chosenApp($0)] } ?? snapshot.vocabulary.apps
    var rollouts: [Rollout] = []
    for app in apps {
      let order = SiteOrder(database: path, app: app, now: now, version: "")
      let asking = try Asking(order, snapshot.vocabulary)
      rollouts += try asking.rollouts(snapshot, since: now - horizon, releases: releases, channels: channels)
    }
    return rollouts
  }
}
