public import Lifecycle

/// One thing that devices say of themselves, as small numbers.
public enum DeviceColumn: Sendable {
  /// What was said last.
  case latest(ProfileColumn)
  /// All that was said so far.
  case networks(NetworkColumn)
  /// Never changes.
  case bucket

  /// By number; the first is "nobody said".
  public var names: [String?] {
    switch self {
    case .latest(let column): column.names
    case .networks: [nil] + (ProfileField.network.words ?? [])
    case .bucket: [nil] + (ProfileField.bucket.words ?? [])
    }
  }

  /// What it takes to know it.
  public var needs: DeviceColumns {
    switch self {
    case .latest, .networks: []
    case .bucket: .buckets
    }
  }

  /// The number of what a device says as of an instant, else of what it said first after it.
  ///
  /// - Parameter network: of the event that is looked at: it outweighs those before.
  @inline(__always)
  public func number(_ devices: DeviceOutlines, _ index: Int, at instant: Int64, network: Network = []) -> Int {
    switch self {
    case .latest(let column): column.number(devices, index, at: instant)
    case .networks where network != []: NetworkColumn.number(network)
    case .networks(let column): column.number(devices, index, at: instant)
    case .bucket: devices.bucket(index).map { Int($0) + 1 } ?? 0
    }
  }
}

extension DeviceColumn {
  /// The number of what a device had said by an instant; 0 where that is nothing.
  public func number(_ devices: DeviceOutlines, _ index: Int, saidBy instant: Int64) -> Int {
    switch self {
    case .latest(let column): column.number(devices, index, saidBy: instant)
    case .networks(let column): column.number(devices, index, saidBy: instant)
    case .bucket: devices.bucket(index, until: instant).map { Int($0) + 1 } ?? 0
    }
  }
}

/// The connections that devices were on: one that goes from one to the other and back was on both.
public struct NetworkColumn: Sendable {
  /// By number of the profile.
  private let networks: [Network]

  init(_ column: ProfileColumn) { networks = column.map { word in word.map { Network($0) } ?? [] } }

  public func number(_ devices: DeviceOutlines, _ index: Int, at instant: Int64) -> Int {
    let (until, first) = said(devices, index, at: instant)
    return Self.number(until == [] ? first : until)
  }

  public func number(_ devices: DeviceOutlines, _ index: Int, saidBy instant: Int64) -> Int {
    Self.number(said(devices, index, at: instant).until)
  }

  /// What a device had said by an instant, and what it said first.
  private func said(_ devices: DeviceOutlines, _ index: Int, at instant: Int64) -> (until: Network, first: Network) {
    var (until, first): (Network, Network) = ([], [])
    var firstAt = Int64.max
    for sighting in devices.profileOffsets[index]..<devices.profileOffsets[index + 1] {
      let (profile, at) = (devices.profiles[sighting], devices.profileTimes[sighting])
      guard profile > 0, profile < Int64(networks.count), case let network = networks[Int(profile)], network != []
      else { continue }
      if at <= instant { until.formUnion(network) }
      if at < firstAt { (first, firstAt) = (network, at) } else if at == firstAt { first.formUnion(network) }
    }
    return (until, first)
  }

  /// What is said of single devices; one that changed was on several.
  var words: [String] {
    let single = Set(networks.compactMap(\.word))
    let isMixed = single.isSuperset(of: ["wifi", "cellular"])
    return single.union(isMixed ? ["wifi+cellular"] : []).sorted()
  }

  static func number(_ network: Network) -> Int { network.word.flatMap(Network.words.firstIndex).map { $0 + 1 } ?? 0 }
}
