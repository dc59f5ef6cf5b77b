internal import Answers
internal import Console
internal import Glibc
internal import Ingest
internal import Lifecycle
internal import Store

private extension Option {
  static let scope = Option(
    "scope", .choice(Scope.allCases.map(\.rawValue)), value: "ingest|read|admin|metrics|devices|publish",
    fallback: "ingest",
    help: """
      What the key may do: send events, read answers, everything, read /metrics, which is of no app, list single devices, or \
      register releases and read answers
      """
  )
  static let credential = Option(
    "for", .text, value: "DIALECT:CREDENTIAL",
    help: "No new key: what clients of another system present anyway, such as codepush:DEPLOYMENT_KEY")
  static let ownChannel = Option(
    "channel", .text, help: "The channel that the credential stands for, where its clients name none")
  static let ownPlatform = Option(
    "platform", .text, value: "ios|android", completion: "platforms",
    help: "The platform of clients that do not say theirs, such as those of CodePush")
  static let note = Option("note", .text, help: "Who has it; shown by uptake key list")
}

extension Command {
  static let key = Command(
    "key", group: "SERVICE", purpose: "Create, list and revoke the keys that clients present",
    discussion: """
      Ingest keys ship in apps and are public by nature: they can add events of their app and nothing else. A running \
      service re-reads the keys on SIGHUP, and by itself within two seconds. From the first key on nobody has access \
      without a valid one; revoking the last closes the service to everybody.
      """,
    seeAlso: ["serve"], subcommands: [.keyCreate, .keyList, .keyRevoke])

  static let keyCreate = Command(
    "create", purpose: "Make a key and print it; it is never shown again",
    options: [.database, .app, .scope, .credential, .ownChannel, .ownPlatform, .note] + Option.answer,
    examples: [
      .init("For the SDK inside an app", "uptake key create --app com.example.demo --scope ingest"),
      .init("For a dashboard", "uptake key create --app com.example.demo --scope read --note grafana"),
      .init("For a pipeline", "uptake key create --app com.example.demo --scope publish --note ci"),
      .init(
        "For CodePush clients that are out there already",
        "uptake key create --app com.example.demo --for codepush:DEPLOYMENT_KEY --channel production --platform ios"),
    ],
    exits: [.databaseUnusable], seeAlso: ["key list", "key revoke"]
  ) { invocation in
    if let word = invocation.text(.credential) { return try invocation.register(word) }
    let scope: Scope = invocation.choice(.scope) ?? .ingest
    let (app, platform) = (try invocation.app(for: scope), try invocation.platform(for: scope))
    let path = try invocation.keyedDatabasePath()
    let novelty = newDatabaseNote(path)
    let registry = try Registry(path: path)
    let isFirst = try registry.keyRing().isOpen
    let made = try registry.createKey(
      app: app, scope: scope, platform: platform, note: invocation.text(.note),
      now: Timestamp(rawValue: invocation.now.rawValue))
    if invocation.format == .json {
      var document = made.key.json
      if case .object(var fields) = document {
        fields["key"] = .string(made.secret)
        document = .object(fields)
      }
      try invocation.print(document.text(.pretty) + "\n")
    } else {
      try invocation.print(made.secret + "\n")
      try invocation.note([
        "key \(made.key.id) for \(made.key.app.isEmpty ? "the whole service" : made.key.app), scope \(made.key.scope.rawValue); keep it, it is not shown again"
      ])
    }
    try invocation.note(nobodyElse(isFirst))
    if let novelty { try invocation.noteOnce(novelty) }
    return .done
  }

  static let keyRevoke = Command(
    "revoke", purpose: "Revoke a key; a running service refuses it within two seconds",
    arguments: [.init("ID", help: "The key's number, as uptake key list shows it")],
    options: [.database], examples: [.init("The key with number 3", "uptake key revoke 3")],
    exits: [.databaseUnusable], seeAlso: ["key list"]
  ) { invocation in
    let word = invocation.arguments[0]
    let now = Timestamp(rawValue: invocation.now.rawValue)
    let registry = try Registry(path: invocation.keyedDatabasePath())
    guard let id = Int64(word), try registry.revokeKey(id, now: now) else {
      throw Failure(
        "unknown_key", "there is no valid key with number \"\(word)\"", hints: ["list them with: uptake key list"],
        exit: .failed)
    }
    if try registry.keyRing().isEmpty {
      try invocation.note([
        "that was the last valid key: nobody has access now, not even from this machine; uptake key create makes a new one",
        "a service that is open to this machine again needs a fresh database",
      ])
    }
    return .done
  }
}

extension Invocation {
  /// A key in a new file that nobody named would be one that no service knows.
  func keyedDatabasePath() throws(Failure) -> String {
    let path = try databasePath()
    guard settings.setting(.database)?.origin == .fallback, access(path, F_OK) != 0 else { return path }
    throw Failure(
      "missing_database", "there is no database at \(path), and a key in a new one is known to no service",
      hints: [
        "name the service's database with --db FILE, such as --db /var/lib/uptake/uptake.db",
        "or start uptake serve first, which makes one",
      ], exit: .databaseUnusable)
  }

  /// Counts are of all apps together: a key for them is of none.
  fileprivate func app(for scope: Scope) throws(Failure) -> String {
    scope == .metrics ? "" : try storable(.app)
  }

  /// Nobody but clients that send events can leave it out of them.
  fileprivate func platform(for scope: Scope) throws(Failure) -> String? {
    guard let platform = text(.ownPlatform) else { return nil }
    guard scope == .ingest else {
      throw Failure(
        "unused_platform", "a key with scope \(scope.rawValue) sends no events of a platform", place: "--platform",
        hints: ["leave --platform away, or make a key with --scope ingest"], exit: .usage)
    }
    guard (1...64).contains(platform.utf8.count), platform.isStorable else {
      throw Failure(
        "bad_value", "\(quoted(platform)) is no platform", place: "--platform",
        hints: ["a platform has 1 to 64 bytes, as in events: ios, android"], exit: .usage)
    }
    return platform
  }

  /// A text that the settings' file may have written with any character.
  private func storable(_ option: Option) throws(Failure) -> String {
    let text = try text(needed: option)
    guard text.isStorable else {
      throw Failure(
        "bad_value", "\(quoted(text)) has the character U+0000, which no text may have", place: "--\(option.name)",
        hints: ["write it without"], exit: .usage)
    }
    return text
  }

  /// Takes another system's credential for an ingest key of the app.
  fileprivate func register(_ word: String) throws -> ExitCode {
    let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, Dialect.names.contains(parts[0]) else {
      throw Failure(
        "unknown_dialect", "--for \(quoted(word)) names no dialect and credential", place: "--for",
        suggestions: suggestions(for: parts.first ?? "", among: Dialect.names),
        hints: ["write it as DIALECT:CREDENTIAL; dialects are " + Dialect.names.joined(separator: ", ")], exit: .usage)
    }
    guard (choice(.scope) ?? Scope.ingest) == .ingest else {
      throw Failure(
        "foreign_scope", "another system's credential can only send events", place: "--scope",
        hints: ["leave --scope away, or leave --for away"], exit: .usage)
    }
    let (app, platform) = (try storable(.app), try platform(for: .ingest))
    let path = try keyedDatabasePath()
    let novelty = newDatabaseNote(path)
    let registry = try Registry(path: path)
    let ring = try registry.keyRing()
    let former = ring.registered(parts[1], of: parts[0])
    let key = try registry.register(
      parts[1], of: parts[0], app: app, channel: text(.ownChannel), platform: platform,
      note: text(.note), now: Timestamp(rawValue: now.rawValue))
    if format == .json { try print(key.json.text(.pretty) + "\n") }
    try note(
      ["key \(key.id) for \(key.app): clients of \(parts[0]) may present that credential from now on"]
        + taken(from: former, for: key) + nobodyElse(ring.isOpen))
    if let novelty { try noteOnce(novelty) }
    return .done
  }
}

/// Of a file that a command is to make; nil where it is there already. Beside a service whose file is another, as where `UPTAKE_DB` is not
/// set, or `--db` has a slip, what is written into it is known to nobody.
func newDatabaseNote(_ path: String) -> String? {
  access(path, F_OK) == 0
    ? nil : "note: this database is new, and no service has it open: where one runs, name its file with --db FILE"
}

/// Who tries it on one machine has no key until now, and makes the first one for a client.
private func nobodyElse(_ isFirst: Bool) -> [String] {
  guard isFirst else { return [] }
  return [
    "it is the first key: within two seconds the service answers nobody without one, not even on this machine;"
      + " a key with --scope read opens answers and pages"
  ]
}

/// Clients that present a credential are all counted as one app's: whose they were is said, should that not have been meant.
private func taken(from former: AccessKey?, for key: AccessKey) -> [String] {
  guard let former, former.place != key.place else { return [] }
  return ["it was \(former.place) until now: clients that present it no longer count there"]
}

extension AccessKey {
  /// Where what its clients send counts: `com.example.demo on ios, channel production`.
  fileprivate var place: String {
    app + (platform.map { " on \($0)" } ?? "") + (channel.map { ", channel \($0)" } ?? "")
  }

  var json: JSON {
    [
      "id": .integer(Int(id)), "app": .string(app), "scope": .string(scope.rawValue),
      "for": dialect.map(JSON.string) ?? .null, "channel": channel.map(JSON.string) ?? .null,
      "platform": platform.map(JSON.string) ?? .null, "note": note.map(JSON.string) ?? .null,
      "createdAt": .string(createdAt.rfc3339), "revokedAt": revokedAt.map { .string($0.rfc3339) } ?? .null,
    ]
  }
}
