/// What a device says of itself that answers can be split by, beside its channel and platform.
public enum ProfileField: Hashable, Sendable {
  case appVersion, osVersion, sdkVersion

  /// Those with a name of their own, in the order of help.
  public static let named: [ProfileField] = [.appVersion, .osVersion, .sdkVersion]
}

extension ProfileField: RawRepresentable {
  public init?(rawValue: String) {
    guard let field = Self.named.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = field
  }

  public var rawValue: String {
    switch self {
    case .appVersion: "appVersion"
    case .osVersion: "osVersion"
    case .sdkVersion: "sdkVersion"
    }
  }
}

extension DeviceProfile {
  subscript(field: ProfileField) -> String? {
    switch field {
    case .appVersion: appVersion
    case .osVersion: osVersion
    case .sdkVersion: sdkVersion
    }
  }
}
