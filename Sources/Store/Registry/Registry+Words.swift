public import Lifecycle

/// The words that events of all apps have used so far, and those that people registered.
extension Registry {
  public func releaseWords() throws(StoreError) -> [(app: String, label: String)] {
    try read("SELECT app, label FROM release") { ($0.text(0), $0.text(1)) }
  }

  public func contexts() throws(StoreError) -> [Context] {
    try read(
      """
      SELECT app, channel, network, platform, os_version, app_version, sdk_version, arm, emulator, traits
      FROM context JOIN profile ON profile.id = context.profile
      """
    ) {
      Context(
        app: $0.text(0), channel: $0.text(1), platform: $0.optionalText(3), osVersion: $0.optionalText(4),
        appVersion: $0.optionalText(5), sdkVersion: $0.optionalText(6), network: $0.optionalText(2),
        arm: $0.optionalText(7), emulator: $0.optionalInteger(8).map { $0 != 0 },
        traits: $0.optionalText(9))
    }
  }

  public func registered() throws(StoreError) -> [(app: String, label: String, channel: String)] {
    try read(
      "SELECT app, label, channel FROM publication JOIN release ON release.id = publication.release"
    ) { ($0.text(0), $0.text(1), $0.text(2)) }
  }
}
