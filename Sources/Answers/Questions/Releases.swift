internal import Console
internal import Lifecycle
internal import Query
internal import Statistics
internal import Store

extension Releases: Presentable {
  static let usage = Usage(
    "releases", purpose: "List releases: how far they got, how fast, how well",
    discussion: """
      One row a release and channel. Adoption is counted: the devices that have updated, of those that could. Wider terminals \
      show beside it what is estimated for a week after each device became eligible, or as far as the data go, which the \
      column AT says; the small curve runs from 0 to 7 days.
      """,
    options: Option.filters + [.only, .newest, .reachWindow] + Option.precision,
    examples: [
      .init("Everything at a glance", "uptake releases"),
      .init("One channel", "uptake releases --channel production"),
      .init("The newest of many", "uptake releases --newest 10"),
    ], seeAlso: ["adoption", "release list"])

  static func ask(
    _ asked: Parameters, _ snapshot: borrowing Snapshot, hash: QuestionCommand.DeviceHashing
  ) throws -> Reply<Releases> {
    let app = try asked.text(.app).map { try FleetScope(snapshot.vocabulary, app: $0, now: asked.present).app }
    let options = try Options(asked)
    try options.checkNames(snapshot.vocabulary, app)
    let answer = try answer(snapshot, app: app, now: asked.present, options)
    return Reply(
      asked, answer, options, recency: answer.data.map { Recency(channel: $0.channel, at: $0.publishedAt) })
  }

  static func notes(_ reply: Reply<Releases>) -> [String] {
    let shaky = Set(reply.rows.filter { $0.isUnstable && $0.adopted.value != nil }.map(\.release)).sorted()
    return [
      "adoption: counted, of eligible devices; estimate: at the age under AT after each became eligible; reach: of"
        + " devices in contact, those that run it",
      "failed: of first attempts; rolled back, crashed: of devices that launched it, within a day of the launch",
    ] + apart(reply.rows) + halted(reply.rows)
      + (shaky.isEmpty ? [] : ["\(firstFew(shaky)): one update more moves the estimate by over 3.3 pp"])
  }

  private static func apart(_ rows: [Releases]) -> [String] {
    let found = rows.filter { $0.state == .rollingOut }.compactMap { row in
      row.rolloutByPlatform.words.map { "\(row.release) on \(row.channel): \($0)" }
    }
    return found.isEmpty ? [] : ["rolling apart: \(firstFew(found))"]
  }

  /// Of those that were replaced since, the state says nothing else of it.
  private static func halted(_ rows: [Releases]) -> [String] {
    let found = rows.filter { $0.state == .superseded && $0.rolloutPercent == 0 }
    let names = found.map { "\($0.release) on \($0.channel)" }
    return names.isEmpty ? [] : ["halted before the next release came: \(firstFew(names))"]
  }

  static func next(_ reply: Reply<Releases>) -> ShellCommand? {
    let newest = reply.rows.filter { $0.state != .scheduled }.max { $0.publishedAt < $1.publishedAt }
    let apps = Set(reply.rows.map(\.app))
    return newest.map { newest in
      let adoption = ShellCommand("uptake", "adoption").argument(newest.release)
      return apps.count > 1 ? adoption.option("app", newest.app) : adoption
    }
  }
}

extension Releases.Options {
  fileprivate init(_ asked: Parameters) throws {
    self.init()
    only = try asked.profileFilters
    channels = asked.texts(.channel)
    platforms = asked.texts(.platform)
    reachWindow = asked.milliseconds(.reachWindow) ?? reachWindow
    level = asked.number(.confidence) ?? level
    minCell = asked.integer(.minCell) ?? 0
    includesEmulators = asked.flag(.emulators)
    population = asked.population
  }

  /// Refuses channels and platforms that nobody ever named, in any of the apps looked at.
  fileprivate func checkNames(_ vocabulary: Vocabulary, _ app: String?) throws(QuestionError) {
    let apps = app.map { [$0] } ?? vocabulary.apps
    let timelines = apps.map { (app: $0, timeline: Timeline(vocabulary, app: $0)) }
    let known = Set(timelines.flatMap { vocabulary.channels(of: $0.app, and: $0.timeline) }).sorted()
    for channel in channels where !known.contains(channel) { throw .unknownChannel(channel, known: known) }
    let knownPlatforms = Set(timelines.flatMap { vocabulary.platforms(of: $0.app, and: $0.timeline) }).sorted()
    for platform in platforms where !knownPlatforms.contains(platform) {
      throw .unknownPlatform(platform, known: knownPlatforms)
    }
  }
}
