import Lifecycle
import Store

/// What a question can split its answer by, in terms of a group's key.
protocol PageGrouping: RawRepresentable<String> {
  var part: GroupPart { get }
}

enum GroupPart {
  case kind, channel, platform
  case slice(ProfileField)
}

extension Push.Grouping: PageGrouping {
  var part: GroupPart {
    switch self {
    case .channel: .channel
    case .platform: .platform
    case .release: .kind
    case .slice(let field): .slice(field)
    }
  }
}

extension Channels.Grouping: PageGrouping {
  var part: GroupPart {
    switch self {
    case .platform: .platform
    case .slice(let field): .slice(field)
    }
  }
}

extension WakeUps.Grouping: PageGrouping {
  var part: GroupPart {
    switch self {
    case .trigger: .kind
    case .channel: .channel
    case .platform: .platform
    case .slice(let field): .slice(field)
    }
  }
}

extension Grouping: PageGrouping {
  var part: GroupPart {
    switch self {
    case .channel: .channel
    case .platform: .platform
    case .mechanism: .kind
    case .slice(let field): .slice(field)
    }
  }
}

/// The names behind the numbers of a group's key.
struct GroupNames {
  let vocabulary: Vocabulary
  let profiles: ProfileTable

  init(_ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    profiles = ProfileTable(vocabulary)
  }

  func channel(_ key: GroupKey) -> String { vocabulary.name(key.channel) }

  func platform(_ key: GroupKey) -> String? {
    key.platform < 0 ? vocabulary.name(Int64(-key.platform)) : profiles.platforms[key.platform]
  }

  /// What a push is about, in words.
  func names(of push: SentPush, _ labels: [Int64: ReleaseLabel]) -> [String] {
    [labels[push.release]?.rawValue ?? "", vocabulary.name(push.channel), vocabulary.name(push.platform)]
  }

  /// - Parameters:
  ///   - slices: in the order of the key.
  ///   - kind: the name of the key's kind.
  func labels(
    _ key: GroupKey, by groupings: [some PageGrouping], _ slices: [DeviceSlices], kind: String?
  ) -> Labels {
    let parts = groupings.map { grouping in
      let part: String? =
        switch grouping.part {
        case .kind: kind
        case .channel: channel(key)
        case .platform: platform(key)
        case .slice(let field):
          slices.firstIndex { $0.fields == [field] }.flatMap { slices[$0].values(key.slices[$0]).first?.value }
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

/// What answers are split by of all that devices say of themselves, each with a number of its own: up to three things.
struct SliceSplits {
  let slices: [DeviceSlices]
  private let only: DeviceSlices

  init(_ groupings: [some PageGrouping], only: [ProfileFilter], _ profiles: ProfileTable) {
    let fields = groupings.compactMap { grouping -> ProfileField? in
      guard case .slice(let field) = grouping.part else { return nil }
      return field
    }
    slices = fields.prefix(DeviceSlices.most).map { DeviceSlices(profiles, by: [$0], only: []) }
    self.only = DeviceSlices(profiles, by: [], only: only)
  }

  /// What has to be read of devices for it.
  var needs: DeviceColumns { slices.reduce(only.needs) { $0.union($1.needs) } }

  /// Whether a device is asked for, as of an instant.
  func includes(_ index: Int, _ page: borrowing ShardPage, at instant: Timestamp) -> Bool {
    only.number(page.devices, index, at: instant.rawValue) >= 0
  }

  /// Puts into a key what a device said of itself as of an instant; false where the device is left out.
  ///
  /// - Parameter network: of a wake-up its own.
  func fill(
    _ key: inout GroupKey, at instant: Timestamp, network: Network = [], _ index: Int?, _ page: borrowing ShardPage
  ) -> Bool {
    guard let index else { return !only.leavesAnyOut }
    let (devices, at) = (page.devices, instant.rawValue)
    if only.number(devices, index, at: at, network: network) < 0 { return false }
    for (place, slice) in slices.enumerated() {
      key.slices[place] = slice.number(devices, index, at: at, network: network)
    }
    return true
  }
}
