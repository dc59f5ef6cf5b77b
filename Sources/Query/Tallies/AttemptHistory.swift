import Lifecycle

/// First attempts on a release, and on those before it. Where these came to other channels and platforms, too, they are counted apart, on
/// its own ones.
struct AttemptHistory {
  let own: Attempts
  /// nil where `own` has them after the release itself.
  let before: Attempts?

  /// In order of their names.
  var groups: [Attempts.Key] {
    let more = before.map { past in past.groups.filter { !own.groups.contains($0) } } ?? []
    return (own.groups + more).sorted { ($0.group, $0.mechanism?.code ?? 0) < ($1.group, $1.mechanism?.code ?? 0) }
  }

  /// - Parameter index: 0 is the newest of those before.
  func past(_ key: Attempts.Key, _ index: Int) -> AttemptCounts {
    before.map { $0.counts(key, index) } ?? own.counts(key, index + 1)
  }

  func pastHarm(_ key: Attempts.Key, _ index: Int) -> AttemptHarm {
    before.map { $0.harm(key, index) } ?? own.harm(key, index + 1)
  }

  /// Of the platforms that devices tried to get it on.
  ///
  /// - Parameter releases: how many there are before it.
  func platforms(_ releases: Int) -> [PlatformAttempts] {
    own.platforms.map { name, counts in
      let past = before.map { Array(($0.platforms[name] ?? []).prefix(releases)) } ?? Array(counts.dropFirst())
      return PlatformAttempts(platform: name, own: counts.first ?? AttemptCounts(), past: past)
    }.sorted { $0.platform < $1.platform }
  }
}
