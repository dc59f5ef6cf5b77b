import Lifecycle
import Statistics
import Store

/// What is counted of devices that are alike, for a diagnosis; sums only.
struct FleetCounts: Mergeable {
  /// Heard of within the last week.
  var active = 0
  /// Active, and known for days: of these a background refresh should have been seen.
  var settled = 0
  /// Of the settled, those that a background refresh woke, or brought the newest release.
  var refreshed = 0
  /// Of the settled, those that ever reported what happened in the background.
  var reporting = 0
  /// Active, and brought the newest release by a silent push in the time that is looked at.
  var pushed = 0
  /// Active, on a channel whose newest release they could have for days, and heard of since.
  var eligible = 0
  /// Of the eligible, those of which anything about that release was seen.
  var touched = 0
  /// Of the eligible, those that run it or a newer one.
  var updated = 0
  /// Active, and said that they applied the newest release since it was published, and it goes on.
  var applied = 0
  /// Of these, those of which nothing was heard before a stage of that update.
  var unheard = 0
  /// Of these, those that said later that they run an older release, and never that it was rolled back.
  var undone = 0
  /// Known devices whose newest contact lies ahead of the present.
  var ahead = 0
  var known = 0
  /// Heard of in the week before the last day, or before and after it.
  var visitors = 0
  /// Of the visitors, those that were never heard of before or after one hour.
  var brief = 0
  /// Heard of in the last hours, in the same hours a day before, and a week before.
  var lately = 0
  var aDayBefore = 0
  var aWeekBefore = 0

  mutating func add(_ other: FleetCounts, times: Int) {
    active += times * other.active
    settled += times * other.settled
    refreshed += times * other.refreshed
    reporting += times * other.reporting
    pushed += times * other.pushed
    eligible += times * other.eligible
    touched += times * other.touched
    updated += times * other.updated
    applied += times * other.applied
    unheard += times * other.unheard
    undone += times * other.undone
    ahead += times * other.ahead
    known += times * other.known
    visitors += times * other.visitors
    brief += times * other.brief
    lately += times * other.lately
    aDayBefore += times * other.aDayBefore
    aWeekBefore += times * other.aWeekBefore
  }
}

/// Where devices are alike: numbers of names, and of the table of profiles.
struct FleetKey: Hashable {
  var channel: Int64
  var platform: Int
  var osVersion: Int
  var sdkVersion: Int
  var appVersion: Int
  /// The rollout bucket; nil where nobody knows it.
  var bucket: UInt8?
}

/// When the devices of a channel were heard of.
struct ChannelContacts: Mergeable {
  var newest: Int64 = .min
  /// Devices heard of in the week before the last day, and those heard of in the last day.
  var before = 0
  var lately = 0

  mutating func add(_ other: ChannelContacts, times: Int) {
    if times > 0 { newest = max(newest, other.newest) }
    before += times * other.before
    lately += times * other.lately
  }
}
