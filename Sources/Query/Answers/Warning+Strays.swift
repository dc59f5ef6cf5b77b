import Lifecycle
import Store

extension Warning {
  /// What is registered in one way and named by devices in another.
  public static let (strayRelease, strayPlatform) = ("stray_release", "stray_platform")

  /// - Parameter releases: that an answer is about; nil for all of the app.
  static func strays(
    _ vocabulary: Vocabulary, app: String, now: Timestamp, about releases: Set<String>? = nil
  ) -> [Warning] {
    let all = StrayReleases(vocabulary, app: app, now: now)
    let stray = releases.map { all?.about($0) } ?? all
    return [
      stray.map { Warning(strayRelease, $0.words) },
      StrayPlatforms(vocabulary, app: app, now: now).map { Warning(strayPlatform, $0.words) },
    ].compactMap(\.self)
  }
}
