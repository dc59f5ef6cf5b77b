public import Lifecycle

/// The words that events of all apps have used so far, and those that people registered.
extension Registry {
  public func releaseWords() throws(StoreError) -> [(app: String, label: String)] {
    try read("SELECT app, label FROM release") { ($0.text(0), $0.text(1)) }
  }

  /// Calls `body` with each: an app may have hundreds of thousands.
  public func eachContext(_ body: (Context) -> Void) throws(StoreError) {
    try each(
      """
      SELECT app, channel, network, platform, os_version, app_version, sdk_version, arm, emulator, traits
      FROM context JOIN profile ON profile.id = context.profile
      """
    ) { row in
      body(
        Context(
          app: row.text(0), channel: row.text(1), network: row.optionalText(2), profile: Interner.Profile(row, from: 3))
      )
    }
  }

  public func registered() throws(StoreError) -> [(app: String, label: String, channel: String)] {
    try read(
      "SELECT app, label, channel FROM publication JOIN release ON release.id = publication.release"
    ) { ($0.text(0), $0.text(1), $0.text(2)) }
  }
}
