internal import Ingest
internal import Lifecycle
internal import Locks
internal import Store

/// Keeps a holder of a public key from filling vocabulary, memory and disk with made-up words: beyond the limit of an app a
/// new word counts as `other`. What people registered is taken whatever the limit.
///
/// Of what an app has said only fingerprints are kept: 20 MB of an app that fills all of its limits, however long its words are.
final class VocabularyLimits: Sendable {
  static let other = "other"

  struct App {
    var words: [WordKind: Set<Fingerprint>] = [:]
    var contexts: Set<Fingerprint> = []
  }
  private let fingerprints: Fingerprints
  private let apps: Lock<[String: App]>
  private let limit: @Sendable (WordKind) -> Int
  /// Releases and channels of the app that somebody registered.
  private let registered: @Sendable (String) -> (releases: Set<String>, channels: Set<String>)
  let limited = Counter()

  init(
    _ apps: [String: App] = [:], _ fingerprints: Fingerprints = Fingerprints(),
    limit: @escaping @Sendable (WordKind) -> Int = { $0.limit },
    registered: @escaping @Sendable (String) -> (releases: Set<String>, channels: Set<String>)
  ) {
    self.apps = Lock(apps)
    (self.fingerprints, self.limit, self.registered) = (fingerprints, limit, registered)
  }

  /// Puts `other` in place of what is too much.
  ///
  /// A part at a time: others wait for the same words, and a body may be large.
  func bound(_ batch: inout EventBatch) {
    for part in parts(batch.contexts.count) {
      apps.withLock { apps in
        for index in part {
          let name = batch.contexts[index].app
          bound(&batch.contexts[index], &apps[name, default: App()])
        }
      }
    }
    var taken = NamesTaken(names: batch.names.count)
    for part in parts(batch.events.count) {
      apps.withLock { apps in boundNames(&batch, part, &taken, &apps) }
    }
  }

  private func parts(_ count: Int) -> some Sequence<Range<Int>> {
    stride(from: 0, to: count, by: Self.atOnce).lazy.map { $0..<min($0 + Self.atOnce, count) }
  }

  private static let atOnce = 500

  private func bound(_ context: inout Context, _ app: inout App) {
    if holds(context, app) { return }
    let name = context.app
    if !takes(context.channel, .channel, name, &app) { context.channel = Self.other }
    for (kind, path) in Self.parts {
      if let word = context[keyPath: path], !takes(word, kind, name, &app) { context[keyPath: path] = Self.other }
    }
    context.traits = bound(context.traits, name, &app)
    if holds(context, app) { return }
    if app.contexts.count >= limit(.context) {
      limited.add(1, WordKind.context.rawValue)
      context = narrowed(context, app)
    }
    app.contexts.insert(fingerprints.of(context))
  }

  private func holds(_ context: Context, _ app: App) -> Bool { app.contexts.contains(fingerprints.of(context)) }

  /// What a device tells apart most finely goes first: of versions and arms there are few combinations, and experiments rest on
  /// them. Where even these are too many, all goes.
  private func narrowed(_ context: Context, _ app: App) -> Context {
    var plain = context
    var traits = DeviceTraits()
    traits[DeviceTraits.network] = DeviceTraits(context.traits)[DeviceTraits.network]
    plain.traits = traits.text
    if holds(plain, app) || app.contexts.count < limit(.context) + limit(.context) / Self.plainShare {
      return plain
    }
    return Context(app: context.app, channel: context.channel, platform: context.platform)
  }

  /// Beyond the limit there is room for so large a part of it.
  private static let plainShare = 10

  private func bound(_ text: String?, _ name: String, _ app: inout App) -> String? {
    guard let text else { return nil }
    var traits = DeviceTraits(text)
    // Of networks there are four words, whatever a client says.
    for (trait, value) in traits.values where value != Self.other && trait != DeviceTraits.network {
      let (kind, word) = Self.word(trait, value)
      if !takes(word, kind, name, &app) { traits[trait] = Self.other }
    }
    return traits.text
  }

  static func word(_ trait: String, _ value: String) -> (kind: WordKind, word: String) {
    switch trait {
    case DeviceTraits.region: (.region, value)
    case DeviceTraits.deviceModel: (.deviceModel, value)
    default: (.tag, trait + "=" + value)
    }
  }

  static let parts: [(WordKind, any WritableKeyPath<Context, String?> & Sendable)] = [
    (.platform, \.platform), (.osVersion, \.osVersion), (.appVersion, \.appVersion), (.sdkVersion, \.sdkVersion),
    (.network, \.network), (.arm, \.arm),
  ]

  /// Each name is looked up once a batch, however many events say it.
  private func boundNames(
    _ batch: inout EventBatch, _ part: Range<Int>, _ taken: inout NamesTaken, _ apps: inout [String: App]
  ) {
    for index in part {
      let event = batch.events[index]
      if !takes(event.release, .release, event, batch, &taken, &apps) { batch.events[index].release = batch.other }
      if !takes(event.from, .release, event, batch, &taken, &apps) { batch.events[index].from = batch.other }
      if !takes(event.reason, .reason, event, batch, &taken, &apps) { batch.events[index].reason = batch.other }
    }
  }

  private func takes(
    _ name: NameIndex, _ kind: WordKind, _ event: Event, _ batch: EventBatch, _ taken: inout NamesTaken,
    _ apps: inout [String: App]
  ) -> Bool {
    guard name != .none else { return true }
    if taken.holds(name, kind, event.context) { return true }
    let app = batch.contexts[Int(event.context)].app
    let isTaken = takes(batch.names[Int(name.rawValue)], kind, app, &apps[app, default: App()])
    if isTaken { taken.note(name, kind, event.context) }
    return isTaken
  }

  private func takes(_ word: String, _ kind: WordKind, _ name: String, _ app: inout App) -> Bool {
    if word == Self.other || word == Event.timeOfReceipt { return true }
    let fingerprint = fingerprints.of(word)
    if app.words[kind]?.contains(fingerprint) == true { return true }
    guard app.words[kind, default: []].count < limit(kind) || isRegistered(word, kind, name) else {
      limited.add(1, kind.rawValue)
      return false
    }
    app.words[kind, default: []].insert(fingerprint)
    return true
  }

  private func isRegistered(_ word: String, _ kind: WordKind, _ app: String) -> Bool {
    switch kind {
    case .release: registered(app).releases.contains(word)
    case .channel: registered(app).channels.contains(word)
    case .platform, .reason, .osVersion, .appVersion, .sdkVersion, .network, .arm, .context, .region,
      .deviceModel, .tag:
      false
    }
  }
}

extension EventBatch {
  /// The index of the word that stands for what is too much.
  fileprivate var other: NameIndex {
    mutating get {
      if names.last != VocabularyLimits.other { names.append(VocabularyLimits.other) }
      return NameIndex(rawValue: UInt32(names.count - 1))
    }
  }
}
