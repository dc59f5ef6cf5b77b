internal import Ingest
internal import Lifecycle
internal import Locks
internal import Store

extension VocabularyLimits {
  /// Knows what the database holds; asks it about registered ones once a second at most.
  convenience init(_ registry: Registry) throws(StoreError) {
    let fingerprints = Fingerprints()
    var apps: [String: App] = [:]
    for (app, label) in try registry.releaseWords() {
      apps[app, default: App()].words[.release, default: []].insert(fingerprints.of(label))
    }
    try registry.eachContext { apps[$0.app, default: App()].note($0, fingerprints) }
    let words = RegisteredWords(registry)
    self.init(apps, fingerprints) { words.of($0) }
  }
}

/// What people registered, by app, read once a second at most: a body of made-up words asks for it with each of them.
private final class RegisteredWords: Sendable {
  typealias Words = (releases: Set<String>, channels: Set<String>)
  private let registry: Registry
  private let read = Lock<(at: ContinuousClock.Instant, apps: [String: Words])?>(nil)

  init(_ registry: Registry) { self.registry = registry }

  /// Where they cannot be read now, those of the last time.
  func of(_ app: String) -> Words {
    read.withLock { read in
      if let read, .now - read.at < .seconds(1) { return read.apps[app] ?? ([], []) }
      let apps = (try? registry.registered()).map(Self.byApp) ?? read?.apps ?? [:]
      read = (.now, apps)
      return apps[app] ?? ([], [])
    }
  }

  private static func byApp(_ rows: [(app: String, label: String, channel: String)]) -> [String: Words] {
    var apps: [String: Words] = [:]
    for row in rows {
      apps[row.app, default: ([], [])].releases.insert(row.label)
      apps[row.app, default: ([], [])].channels.insert(row.channel)
    }
    return apps
  }
}

extension VocabularyLimits.App {
  mutating func note(_ context: Context, _ fingerprints: Fingerprints) {
    contexts.insert(fingerprints.of(context))
    words[.channel, default: []].insert(fingerprints.of(context.channel))
    for (kind, path) in VocabularyLimits.parts {
      if let word = context[keyPath: path] { words[kind, default: []].insert(fingerprints.of(word)) }
    }
    for (trait, value) in DeviceTraits(context.traits).values where trait != DeviceTraits.network {
      let (kind, word) = VocabularyLimits.word(trait, value)
      words[kind, default: []].insert(fingerprints.of(word))
    }
  }
}
