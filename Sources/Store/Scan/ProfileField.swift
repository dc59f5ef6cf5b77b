import Lifecycle

/// What a device says of itself that answers can be split by, beside its channel and platform.
public enum ProfileField: Hashable, Sendable {
  case appVersion, osVersion, sdkVersion, network, region, deviceModel
  /// Of the rollout, where the client knows it.
  case bucket
  /// Of the app's own.
  case tag(String)
  /// Of a random experiment: answers are split by it where they compare arms, and not by name.
  case arm

  /// Those with a name of their own, in the order of help.
  public static let named: [ProfileField] = [
    .appVersion, .osVersion, .sdkVersion, .network, .region, .deviceModel, .bucket,
  ]
}

extension ProfileField: RawRepresentable {
  public init?(rawValue: String) {
    if let field = Self.named.first(where: { $0.rawValue == rawValue }) {
      self = field
    } else {
      guard rawValue.hasPrefix(DeviceTraits.tag) else { return nil }
      let name = String(rawValue.dropFirst(DeviceTraits.tag.count))
      guard DeviceTraits.isTagName(name) else { return nil }
      self = .tag(name)
    }
  }

  public var rawValue: String {
    switch self {
    case .appVersion: "appVersion"
    case .osVersion: "osVersion"
    case .sdkVersion: "sdkVersion"
    case .network: DeviceTraits.network
    case .region: DeviceTraits.region
    case .deviceModel: DeviceTraits.deviceModel
    case .bucket: "bucket"
    case .tag(let name): DeviceTraits.tag + name
    case .arm: "arm"
    }
  }
}

extension ProfileField {
  /// All that can be said, where that is settled; nil where devices say what they like.
  public var words: [String]? {
    switch self {
    case .network: Network.words
    case .bucket: (0..<100).map(String.init)
    case .appVersion, .osVersion, .sdkVersion, .region, .deviceModel, .tag, .arm: nil
    }
  }
}
