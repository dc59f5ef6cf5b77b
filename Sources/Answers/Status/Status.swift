public import Console
public import Lifecycle
public import Query
public import Store

/// The newest release of each channel of each app with its verdict, and what else needs eyes.
public struct Status: Sendable {
  private let apps: [(app: String, answer: Answer<Verdict>)]
  private var concerns: [Concern]
  /// Of apps of which no release is out, when the first ones come.
  private let coming: [String]
  private let now: Instant
  private let query: JSON
  /// Where nobody says stop as nobody is heard of, for longer than is usual: app by app.
  public let silence: [String]

  /// - Parameter app: nil for all.
  public init(
    _ snapshot: borrowing Snapshot, app: String?, channels: [String], _ judging: Verdict.Options, now: Instant
  ) throws {
    let names = try app.map { [try snapshot.vocabulary.chosenApp($0)] } ?? snapshot.vocabulary.apps
    if names.isEmpty { throw QuestionError.nothingStored }
    var (apps, strays): ([(app: String, answer: Answer<Verdict>)], [JudgedStray]) = ([], [])
    for name in names {
      let judged = try Verdict.judged(snapshot, try Self.scope(snapshot, name, channels, now), judging)
      apps.append((name, judged.answer))
      strays += judged.strays
    }
    let forgetting = Concern.forgetting(snapshot)
    let backup = snapshot.isFile ? Concern.backup(try snapshot.lastBackup(), now: now) : nil
    let receipts = try snapshot.newestReceipts(now: now)
    silence = apps.compactMap { app, answer in
      let silence = AppSilence(receipts[app], answer.dataThrough, now: now)
      return silence.flatMap { $0.isUnusual(in: snapshot.vocabulary, app: app) ? "\(app): \($0.words)" : nil }
    }
    let (stopped, others) = (strays.filter { $0.hasRow }, strays.filter { !$0.hasRow }.map { $0.concern })
    let outages = try apps.flatMap { name, answer in
      let found = try Outages(snapshot, Self.scope(snapshot, name, channels, now))
      return Concern.outages(
        name, found, isNamed: names.count > 1,
        areClocksTold: answer.warnings.contains { $0.code == Warning.clocksShifted })
    }
    let ahead = try apps.compactMap { app, answer in
      answer.dataThrough == nil
        ? try snapshot.eventsAhead(of: app, after: now).map { Concern.ahead(app, $0, of: now) } : nil
    }
    concerns =
      apps.compactMap { Concern.silence($0.app, receipts[$0.app], $0.answer.dataThrough, now: now) } + ahead + outages
      + names.compactMap { Concern.channel($0, StrayChannels(snapshot.vocabulary, app: $0, now: now)) }
      + names.compactMap { Concern.platform($0, StrayPlatforms(snapshot.vocabulary, app: $0, now: now)) }
      + names.compactMap { Concern.release($0, StrayReleases(snapshot.vocabulary, app: $0, now: now)) }
      + apps.flatMap { app, answer in answer.data.flatMap { Concern.stillRun(app, $0) } }
      + others + Concern.warned(apps)
      + (try snapshot.exportStandings().compactMap(Concern.export))
      + [
        forgetting, Concern.retention(try snapshot.retentionStanding(), now: now), backup,
        Concern.copy(snapshot.copyStanding, now: now), snapshot.isCopyOnlyBegun ? Concern.unconfirmedCopy : nil,
      ].compactMap(\.self)
    let alike = AlikeApps.all(snapshot.vocabulary, like: app.map { _ in names[0] })
    let nodes = try snapshot.silentNodes(now: now).map(Concern.node)
    let differ = NodesDiffer(snapshot.vocabulary, app: app.map { _ in names[0] }, now: now).map(Concern.node)
    concerns = stopped.map { $0.concern } + nodes + [differ].compactMap(\.self) + alike.map(Concern.apps) + concerns
    coming = apps.filter(\.answer.data.isEmpty).compactMap { name, _ in
      Timeline(snapshot.vocabulary, app: name, until: now).coming(to: channels, after: now)
        .map { names.count > 1 ? "\(name): \($0)" : $0 }
    }
    (self.apps, self.now) = (apps, now)
    query = [
      "app": app.map(JSON.string) ?? .null, "channel": channels.isEmpty ? .null : .array(channels.map(JSON.string)),
      "now": .string(now.rfc3339),
    ]
  }

  private static func scope(
    _ snapshot: borrowing Snapshot, _ app: String, _ channels: [String], _ now: Instant
  ) throws -> FleetScope {
    var scope = try FleetScope(snapshot.vocabulary, app: app, now: now)
    scope.channels = channels
    return scope
  }

  /// With commands that repeat what was typed for `--db`.
  public func carrying(_ options: [(name: String, value: String)]) -> Status {
    guard let database = options.first(where: { $0.name == Option.database.name }) else { return self }
    var copy = self
    copy.concerns = concerns.map { $0.naming(database) }
    return copy
  }

  /// Stop outweighs wait; nil where there is no release.
  public var decision: Verdict.Decision? { Verdict.decision(apps.flatMap(\.answer.data)) }

  /// A line a channel, what is to be stopped first, then what else needs eyes, and where that is long, how many of each there are.
  public func text(width: Int, glyphs: Glyphs, colour: Bool) -> String {
    let rows = apps.flatMap { app, answer in answer.data.map { (app: app, verdict: $0) } }
    let lines = (rows.filter { $0.verdict.decision == .stop } + rows.filter { $0.verdict.decision != .stop }).map {
      StatusLine($0.verdict, app: apps.count > 1 ? $0.app : nil, now: now, glyphs: glyphs)
    }
    let widths = StatusLine.widths(lines, fitting: width)
    let shown = lines.map { $0.text(widths, fitting: width, colour: colour) }
    let isNothingKnown = lines.isEmpty && coming.isEmpty && !apps.contains { $0.answer.tellsWithdrawn }
    let none = isNothingKnown ? ["no release is known yet: publish one with uptake release publish"] : []
    let ahead = coming.flatMap { wrapped(harmless($0), to: width) }
    let more = concerns.flatMap { $0.lines(fitting: width) }
    let sum = lines.count > Self.screen ? wrapped(Self.sum(rows.map(\.verdict)), to: width) : []
    return (none + shown + ahead + more + sum).map { $0 + "\n" }.joined()
  }

  /// More lines than this have left the screen when the last is read.
  private static let screen = 20

  /// `72 releases: 1 stop, 60 wait, 11 go on`
  private static func sum(_ rows: [Verdict]) -> String {
    let counts = [Verdict.Decision.stop, .wait, .goOn].map { decision in
      "\(rows.filter { $0.decision == decision }.count) \(decision.words)"
    }
    return "\(counted(rows.count, "release")): \(counts.joined(separator: ", "))"
  }

  public var presentation: Presentation {
    let rows = apps.flatMap { app, answer in answer.data.map { (app: app, verdict: $0) } }
    let document: @Sendable () throws -> JSON = { [self] in
      .object([
        "schema": .string("uptake.status/1"), "generatedAt": .string(now.rfc3339),
        "dataThrough": apps.compactMap(\.answer.dataThrough).max().map { .string($0.rfc3339) } ?? .null,
        // What other answers warn of is a concern here, beside others.
        "query": query, "warnings": .array([]),
        "data": .array(try rows.map { row in try JSON(encoding: row.verdict).with("app", .string(row.app)) }),
        "concerns": .array(concerns.map(\.json)),
      ])
    }
    return Presentation(
      table: Table(Self.columns, rows: rows.map(Self.cells)), document: try document(),
      notes: coming + concerns.map(\.message))
  }

  private static let columns: [Table.Column] = [
    .init("APP", key: "app"), .init("CHANNEL", key: "channel"), .init("RELEASE", key: "release"),
    .init("VERDICT", key: "decision"), .init("WHY", key: "why"), .init("ROLLOUT", key: "rollout"),
    .init("ADOPTION", key: "observedShare"), .init("BECAUSE", key: "sentence"),
  ]

  private static func cells(_ app: String, _ row: Verdict) -> [Cell] {
    [
      .text(app), .text(row.channel), .text(row.release), row.decision.cell, row.conditionCell,
      row.isInferred || row.state == .scheduled
        ? .missing(because: row.isInferred ? "not registered" : "not published yet")
        : .rollout(row.rolloutPercent, row.rolloutByPlatform),
      row.adoptionCell, .text(row.reasons[0].sentence),
    ]
  }
}

extension Answer<Verdict> {
  /// What was withdrawn is known, and not to be published.
  fileprivate var tellsWithdrawn: Bool { warnings.contains { $0.code == Warning.withdrawnRelease } }
}

extension JSON {
  fileprivate func with(_ name: String, _ value: JSON) -> JSON {
    guard case .object(var fields) = self else { return self }
    fields[name] = value
    return .object(fields)
  }
}
