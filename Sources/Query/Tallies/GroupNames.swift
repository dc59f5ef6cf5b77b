import Lifecycle
import Store

/// What a question can split its answer by, in terms of a group's key.
protocol PageGrouping: RawRepresentable<String> {
  var part: GroupPart { get }
}

enum GroupPart { case kind, channel, platform, appVersion, osVersion, sdkVersion }

extension Push.Grouping: PageGrouping {
  var part: GroupPart {
    switch self {
    case .channel: .channel
    case .platform: .platform
    case .release: .kind
    case .appVersion: .appVersion
    case .osVersion: .osVersion
    case .sdkVersion: .sdkVersion
    }
  }
}

extension WakeUps.Grouping: PageGrouping {
  var part: GroupPart {
    switch self {
    case .trigger: .kind
    case .channel: .channel
    case .platform: .platform
    case .appVersion: .appVersion
    case .osVersion: .osVersion
    case .sdkVersion: .sdkVersion
    }
  }
}

extension Grouping: PageGrouping {
  var part: GroupPart {
    switch self {
    case .channel: .channel
    case .platform: .platform
    case .mechanism: .kind
    case .appVersion: .appVersion
    }
  }
}

/// The names behind the numbers of a group's key.
struct GroupNames {
  let vocabulary: Vocabulary
  let profiles: ProfileTable

  init(_ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    profiles = ProfileTable(vocabulary.profiles)
  }

  func channel(_ key: GroupKey) -> String { vocabulary.name(key.channel) }

  func platform(_ key: GroupKey) -> String? {
    key.platform < 0 ? vocabulary.name(Int64(-key.platform)) : profiles.platforms[key.platform]
  }

  /// What a push is about, in words.
  func names(of push: SentPush, _ labels: [Int64: ReleaseLabel]) -> [String] {
    [labels[push.release]?.rawValue ?? "", vocabulary.name(push.channel), vocabulary.name(push.platform)]
  }

  /// - Parameter kind: the name of the key's kind.
  func labels(_ key: GroupKey, by groupings: [some PageGrouping], kind: String?) -> Labels {
    let parts = groupings.map { grouping in
      let part: String? =
        switch grouping.part {
        case .kind: kind
        case .channel: channel(key)
        case .platform: platform(key)
        case .appVersion: profiles.versions[key.version]
        case .osVersion: profiles.osVersions[key.osVersion]
        case .sdkVersion: profiles.sdkVersions[key.sdkVersion]
        }
      return (grouping.rawValue, part ?? Group.unnamed)
    }
    return Labels(Dictionary(uniqueKeysWithValues: parts))
  }
}

extension FleetScope {
  /// Whether a group is asked for.
  func includes(_ key: GroupKey, _ names: GroupNames) -> Bool {
    includes(channel: names.channel(key), platform: names.platform(key))
  }
}

/// Which versions answers are split by; the others are not looked up.
struct VersionSplits {
  private let isByApp, isBySystem, isByClient: Bool

  init(_ groupings: [some PageGrouping]) {
    let parts = groupings.map(\.part)
    (isByApp, isBySystem, isByClient) =
      (parts.contains(.appVersion), parts.contains(.osVersion), parts.contains(.sdkVersion))
  }

  /// Puts into a key what a device said of itself as of an instant.
  func fill(
    _ key: inout GroupKey, at instant: Timestamp, _ index: Int?, _ page: borrowing ShardPage, _ profiles: ProfileTable
  ) {
    guard let index, isByApp || isBySystem || isByClient else { return }
    let (devices, at) = (page.devices, instant.rawValue)
    if isByApp { key.version = profiles.version(devices, index, at: at) }
    if isBySystem { key.osVersion = profiles.osVersion(devices, index, at: at) }
    if isByClient { key.sdkVersion = profiles.sdkVersion(devices, index, at: at) }
  }
}
