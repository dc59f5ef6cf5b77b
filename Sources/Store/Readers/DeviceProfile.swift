/// What a device is, as far as its client said.
public struct DeviceProfile: Hashable, Sendable {
  public var platform: String?
  public var osVersion: String?
  public var appVersion: String?
  public var sdkVersion: String?
  public var arm: String?
  public var emulator: Bool?
  /// As `DeviceTraits` writes them.
  public var traits: String?

  public init(
    platform: String?, osVersion: String?, appVersion: String?, sdkVersion: String?, arm: String?, emulator: Bool?,
    traits: String? = nil
  ) {
    (self.platform, self.osVersion, self.appVersion) = (platform, osVersion, appVersion)
    (self.sdkVersion, self.arm, self.emulator, self.traits) = (sdkVersion, arm, emulator, traits)
  }
}

extension DeviceProfile {
  init(_ row: borrowing Row) {
    self.init(
      platform: row.optionalText(1), osVersion: row.optionalText(2), appVersion: row.optionalText(3),
      sdkVersion: row.optionalText(4), arm: row.optionalText(5), emulator: row.optionalInteger(6).map { $0 != 0 },
      traits: row.optionalText(7))
  }
}
