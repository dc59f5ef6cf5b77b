import Lifecycle

/// The tables of strings that events share, mirrored in memory: a string or context to its number. Where apps say the model and tags of
/// their own, nearly each device has a profile of its own; of these only fingerprints are kept.
///
/// Numbers are given in order of arrival, so nothing that is answered may depend on them, only on what they stand for.
struct Interner: ~Copyable {
  struct ReleaseKey: Hashable {
    var app: String
    var label: String
  }
  struct Profile {
    var platform: String?
    var osVersion: String?
    var appVersion: String?
    var sdkVersion: String?
    var arm: String?
    var emulator: Bool?
    var traits: String?
  }

  private var names: [String: Int64] = [:]
  private var profiles: [Fingerprint: Int64] = [:]
  private var contexts: [Fingerprint: Int64] = [:]
  private var releases: [ReleaseKey: Int64] = [:]
  private let maker = FingerprintMaker()
  private var newest = (name: Int64(0), profile: Int64(0), context: Int64(0), release: Int64(0))
  /// What the transaction that runs has added, to be taken back if it fails.
  private var added = (
    names: [String](), profiles: [Fingerprint](), contexts: [Fingerprint](), releases: [ReleaseKey]()
  )
  private var before = (name: Int64(0), profile: Int64(0), context: Int64(0), release: Int64(0))

  private let insertName: Statement
  private let insertProfile: Statement
  private let insertContext: Statement
  private let insertRelease: Statement
  private let loadNames: Statement
  private let loadProfiles: Statement
  private let loadContexts: Statement
  private let loadReleases: Statement

  /// Empty until `refresh`.
  init(_ connection: borrowing Connection) throws(StoreError) {
    let insertName = try connection.prepare("INSERT INTO name (id, text) VALUES (?, ?)")
    let insertProfile = try connection.prepare("INSERT INTO profile VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
    let insertContext = try connection.prepare("INSERT INTO context VALUES (?, ?, ?, ?, ?)")
    let insertRelease = try connection.prepare("INSERT INTO release (id, app, label) VALUES (?, ?, ?)")
    let loadNames = try connection.prepare("SELECT id, text FROM name WHERE id > ? ORDER BY id")
    let loadProfiles = try connection.prepare("SELECT * FROM profile WHERE id > ? ORDER BY id")
    let loadContexts = try connection.prepare(
      """
      SELECT c.id, c.app, c.channel, c.network, p.platform, p.os_version, p.app_version, p.sdk_version, p.arm, p.emulator,
        p.traits FROM context c JOIN profile p ON p.id = c.profile WHERE c.id > ? ORDER BY c.id
      """)
    let loadReleases = try connection.prepare("SELECT id, app, label FROM release WHERE id > ? ORDER BY id")
    self.insertName = insertName
    self.insertProfile = insertProfile
    self.insertContext = insertContext
    self.insertRelease = insertRelease
    self.loadNames = loadNames
    self.loadProfiles = loadProfiles
    self.loadContexts = loadContexts
    self.loadReleases = loadReleases
  }

  /// Reads what was added since the last look, by this program or another.
  mutating func refresh() throws(StoreError) {
    for (id, text) in try loadNames.rows(.integer(newest.name), row: { ($0.integer(0), $0.text(1)) }) {
      names[text] = id
      newest.name = id
    }
    let maker = maker
    let newProfiles = try loadProfiles.rows(
      .integer(newest.profile), row: { ($0.integer(0), maker.fingerprint(Profile($0, from: 1))) })
    for (id, profile) in newProfiles { (profiles[profile], newest.profile) = (id, id) }
    let newContexts = try loadContexts.rows(
      .integer(newest.context),
      row: {
        let (app, channel, network) = ($0.text(1), $0.text(2), $0.optionalText(3))
        return ($0.integer(0), maker.fingerprint(app: app, channel: channel, network: network, Profile($0, from: 4)))
      })
    for (id, context) in newContexts { (contexts[context], newest.context) = (id, id) }
    for (id, app, label) in try loadReleases.rows(
      .integer(newest.release), row: { ($0.integer(0), $0.text(1), $0.text(2)) })
    {
      releases[ReleaseKey(app: app, label: label)] = id
      newest.release = id
    }
  }

  /// What is added from here on belongs to one transaction.
  mutating func begin() {
    added.names.removeAll(keepingCapacity: true)
    added.profiles.removeAll(keepingCapacity: true)
    added.contexts.removeAll(keepingCapacity: true)
    added.releases.removeAll(keepingCapacity: true)
    before = newest
  }

  /// Takes back what was added since `begin`. Costs what was added, not what is known.
  mutating func undo() {
    for name in added.names { names[name] = nil }
    for profile in added.profiles { profiles[profile] = nil }
    for context in added.contexts { contexts[context] = nil }
    for release in added.releases { releases[release] = nil }
    newest = before
    begin()
  }

  /// Forgets everything, to be read anew after another program removed some of it.
  mutating func reload() throws(StoreError) {
    names = [:]
    profiles = [:]
    contexts = [:]
    releases = [:]
    newest = (0, 0, 0, 0)
    try refresh()
  }

  mutating func name(_ text: String) throws(StoreError) -> Int64 {
    if let id = names[text] { return id }
    newest.name += 1
    try insertName.run(.integer(newest.name), .text(text))
    names[text] = newest.name
    added.names.append(text)
    return newest.name
  }

  mutating func release(_ key: ReleaseKey) throws(StoreError) -> Int64 {
    if let id = releases[key] { return id }
    newest.release += 1
    try insertRelease.run(.integer(newest.release), .text(key.app), .text(key.label))
    releases[key] = newest.release
    added.releases.append(key)
    return newest.release
  }

  mutating func context(_ context: Context) throws(StoreError) -> Int64 {
    let (app, channel, network, own) = (context.app, context.channel, context.network, Profile(context))
    let fingerprint = maker.fingerprint(app: app, channel: channel, network: network, own)
    if let id = contexts[fingerprint] { return id }
    let profile = try profile(own)
    for text in [context.app, context.channel] { _ = try name(text) }
    if let platform = context.platform { _ = try name(platform) }
    newest.context += 1
    try insertContext.run(
      .integer(newest.context), .text(context.app), .text(context.channel), .optional(context.network),
      .integer(profile))
    contexts[fingerprint] = newest.context
    added.contexts.append(fingerprint)
    return newest.context
  }

  private mutating func profile(_ profile: Profile) throws(StoreError) -> Int64 {
    let fingerprint = maker.fingerprint(profile)
    if let id = profiles[fingerprint] { return id }
    newest.profile += 1
    try insertProfile.run(
      .integer(newest.profile), .optional(profile.platform), .optional(profile.osVersion),
      .optional(profile.appVersion),
      .optional(profile.sdkVersion), .optional(profile.arm), .optional(profile.emulator.map { $0 ? 1 : 0 }),
      .optional(profile.traits))
    profiles[fingerprint] = newest.profile
    added.profiles.append(fingerprint)
    return newest.profile
  }
}

extension Interner.Profile {
  init(_ context: Context) {
    self.init(
      platform: context.platform, osVersion: context.osVersion, appVersion: context.appVersion,
      sdkVersion: context.sdkVersion, arm: context.arm, emulator: context.emulator,
      traits: context.traits)
  }

  init(_ row: borrowing Row, from column: Int32) {
    self.init(
      platform: row.optionalText(column), osVersion: row.optionalText(column + 1),
      appVersion: row.optionalText(column + 2),
      sdkVersion: row.optionalText(column + 3), arm: row.optionalText(column + 4),
      emulator: row.optionalInteger(column + 5).map { $0 != 0 }, traits: row.optionalText(column + 6))
  }
}

extension Context {
  init(app: String, channel: String, network: String?, profile: Interner.Profile) {
    self.init(
      app: app, channel: channel, platform: profile.platform, osVersion: profile.osVersion,
      appVersion: profile.appVersion,
      sdkVersion: profile.sdkVersion, network: network, arm: profile.arm, emulator: profile.emulator,
      traits: profile.traits)
  }
}
