internal import Ingest
internal import Lifecycle
internal import Locks
internal import Store

/// A kind of word that clients choose. Each distinct one is kept for good, so an app may have only so many.
enum WordKind: String, CaseIterable {
  case release, channel, platform, reason, osVersion, appVersion, sdkVersion, network, arm, region, deviceModel
  /// Values of all tags of an app together.
  case tag
  /// All of what an event says about its device, together.
  case context

  /// Ten times what large apps have; made-up ones stop there.
  var limit: Int {
    switch self {
    case .release, .reason, .osVersion, .appVersion, .sdkVersion, .deviceModel: 10_000
    case .channel, .network, .arm, .region, .tag: 1000
    case .platform: 100
    case .context: 200_000
    }
  }
}
